#include "apps/child_runs.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <sstream>

#include "apps/all_cores.hpp"
#include "apps/signals.hpp"
#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {

struct Child {
  pid_t process;
  std::size_t command;
  int words;  // a file without a name, which its stderr goes to
};

[[noreturn]] void fail_to_start(int error) {
  throw InputError(std::string("cannot start a run: ") + std::strerror(error) +
                   "; end other programs, take fewer --jobs, and run again");
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

/// The environment, with so many threads for OpenMP, which are not bound: each child would take the first core.
std::vector<std::string> environment_with(int threads) {
  constexpr std::string_view own[] = {
      "OMP_NUM_THREADS=", "OMP_PROC_BIND=", "OMP_PLACES=", "GOMP_CPU_AFFINITY="};
  std::vector<std::string> all;
  for (char** entry = environ; *entry; ++entry)
    if (std::none_of(std::begin(own), std::end(own),
                     [&](std::string_view name) { return std::string_view(*entry).starts_with(name); }))
      all.emplace_back(*entry);
  all.push_back(std::string(own[0]) + std::to_string(threads));
  return all;
}

/// What a child does until it is another program. Nothing here may allocate.
[[noreturn]] void become(const char* program, char** words, char** environment, int stderr_file,
                         int null_file, const cpu_set_t& cores, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // it died in between
  dup2(null_file, STDIN_FILENO);
  dup2(null_file, STDOUT_FILENO);
  dup2(stderr_file, STDERR_FILENO);
  sched_setaffinity(0, sizeof cores, &cores);
  sigset_t child_ends;
  sigemptyset(&child_ends);
  sigaddset(&child_ends, SIGCHLD);
  sigprocmask(SIG_UNBLOCK, &child_ends, nullptr);
  execve(program, words, environment);
  _exit(127);
}

class Starter {
 public:
  explicit Starter(int threads)
      : program_(std::filesystem::read_symlink("/proc/self/exe").string()),
        environment_(environment_with(threads)),
        null_(open("/dev/null", O_RDWR | O_CLOEXEC)) {
    if (null_ < 0) fail_to_start(errno);
  }
  ~Starter() { close(null_); }
  Starter(const Starter&) = delete;
  Starter& operator=(const Starter&) = delete;

  Child start(std::vector<std::string> words, std::size_t number) {
    words.insert(words.begin(), "wavesim");
    const int file = memfd_create("words", MFD_CLOEXEC);
    if (file < 0) fail_to_start(errno);
    std::vector<char*> arguments = pointers_to(words), environment = pointers_to(environment_);
    const pid_t parent = getpid();
    hold_signals();  // one that comes before the child is another program must wait for that program
    const pid_t process = fork();
    if (process == 0)
      become(program_.c_str(), arguments.data(), environment.data(), file, null_, cores_, parent);
    const int error = errno;
    release_signals();
    if (process < 0) {
      close(file);
      fail_to_start(error);
    }
    return {process, number, file};
  }

 private:
  std::string program_;
  std::vector<std::string> environment_;
  int null_;
  cpu_set_t cores_ = all_cores();
};

std::string contents(int file) {
  std::string text;
  char buffer[4096];
  lseek(file, 0, SEEK_SET);
  for (ssize_t n = 0; (n = read(file, buffer, sizeof buffer)) > 0;) text.append(buffer, std::size_t(n));
  return text;
}

/// The program says last why it ends.
std::string last_sentence(const std::string& text) {
  constexpr std::string_view program = "wavesim: ";
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(program)) last = line.substr(program.size());
  return last;
}

End end_of(int status, int words) {
  End end{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), last_sentence(contents(words))};
  if (WIFSIGNALED(status))
    end.words = std::string("ended by a signal: ") + strsignal(WTERMSIG(status));
  else if (end.status == 127 && end.words.empty())
    end.words = "the program could not be started again; was its file removed?";
  return end;
}

/// SIGCHLD waits until somebody asks for it, so that none comes between a look and a sleep.
class ChildSignal {
 public:
  ChildSignal() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set_, &before_);
  }
  ~ChildSignal() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  ChildSignal(const ChildSignal&) = delete;
  ChildSignal& operator=(const ChildSignal&) = delete;
  /// Until a child ends, another signal comes, or for a moment.
  void wait() const {
    const timespec moment{0, 100000000};
    sigtimedwait(&set_, nullptr, &moment);
  }

 private:
  sigset_t set_{}, before_{};
};

void send(const std::vector<Child>& children, int number) {
  for (const Child& c : children) kill(c.process, number);
}

}  // namespace

void run_children(const std::vector<std::vector<std::string>>& commands, const RunsAtOnce& at_once) {
  const ChildSignal child_signal;
  Starter starter(at_once.threads);
  std::vector<Child> running;
  std::size_t next = 0;
  bool told = false;
  while (!running.empty() || (next < commands.size() && !stop)) {
    while (!stop && next < commands.size() && long(running.size()) < at_once.jobs) {
      running.push_back(starter.start(commands[next], next));
      at_once.started(next++);
    }
    if (stop && !told) {
      send(running, signal_number);
      told = true;
    }
    if (save_now.exchange(false)) send(running, SIGUSR1);
    at_once.waiting(running.size());
    child_signal.wait();
    for (std::size_t k = 0; k < running.size();) {
      const Child child = running[k];
      int status = 0;
      if (waitpid(child.process, &status, WNOHANG) != child.process) {
        ++k;
        continue;
      }
      running.erase(running.begin() + std::ptrdiff_t(k));
      const End end = end_of(status, child.words);
      close(child.words);
      at_once.ended(child.command, end);
    }
  }
}

}  // namespace wavesim
