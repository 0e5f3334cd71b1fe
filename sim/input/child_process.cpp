#include "sim/input/child_process.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fstream>
#include <utility>

#include "kernels/backend/device.hpp"
#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {

constexpr long seconds_of_a_piece = 20;  // of a processor
constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF};

#ifdef __SANITIZE_ADDRESS__
void limit_memory() {}  // AddressSanitizer's shadow would not fit
#else
/// Bytes that this process could write to already.
std::size_t data_bytes() {
  std::ifstream pages("/proc/self/statm");
  std::size_t n = 0;
  for (int field = 0; field < 6; ++field) pages >> n;
  return n * std::size_t(sysconf(_SC_PAGESIZE));
}

/// So that the library is refused what is not free, before the system looks for a process to kill.
void limit_memory() {
  rlimit limit{};
  const rlim_t most = data_bytes() + cpu_facts().free;
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && most < limit.rlim_cur) {
    limit.rlim_cur = most;
    setrlimit(RLIMIT_DATA, &limit);
  }
}
#endif

/// A child's first moments. Deaths that are foreseen leave no core file.
void be_child(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // it died in between
  for (const int number : crashes) std::signal(number, SIG_DFL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  limit_memory();
}

[[noreturn]] void fail_to_start() {
  throw InputError(std::string("cannot start a process that reads files: ") + std::strerror(errno) +
                   "; end other programs and run again");
}

/// As fork(2); 0 in the child.
pid_t start() {
  const pid_t parent = getpid(), child = fork();
  if (child < 0) fail_to_start();
  if (child == 0) be_child(parent);
  return child;
}

ChildEnd wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return {WEXITSTATUS(status), "", 0};
  const int number = WTERMSIG(status);
  return {128 + number, number == SIGPROF ? "no end within 20 seconds" : strsignal(number), number};
}

}  // namespace

bool ChildEnd::crashed() const {
  return std::find(std::begin(crashes), std::end(crashes), signal) != std::end(crashes);
}

Connection::~Connection() { close(descriptor_); }

bool Connection::send(const void* bytes, std::size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t n = ::send(descriptor_, at, count, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    count -= std::size_t(n);
  }
  return true;
}

bool Connection::receive(void* bytes, std::size_t count) {
  char* at = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t n = read(descriptor_, at, count);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    count -= std::size_t(n);
  }
  return true;
}

bool Connection::send(const std::string& text) {
  const std::uint64_t length = text.size();
  return send(&length, sizeof length) && send(text.data(), text.size());
}

bool Connection::receive(std::string& text) {
  constexpr std::uint64_t longest = 1 << 20;  // a library that writes where it should not may send anything
  std::uint64_t length = 0;
  if (!receive(&length, sizeof length) || length > longest) return false;
  text.resize(length);
  return receive(text.data(), text.size());
}

ChildProcess::ChildProcess(const std::function<void(Connection&)>& work) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail_to_start();
  process_ = start();
  if (process_ == 0) {
    close(ends[0]);
    begin_piece();
    Connection to_parent(ends[1]);
    work(to_parent);
    _exit(0);
  }
  close(ends[1]);
  to_child_.emplace(ends[0]);
}

ChildProcess::~ChildProcess() {
  if (process_ > 0) kill(process_, SIGKILL);
  end();
}

ChildEnd ChildProcess::end() {
  to_child_.reset();  // what it waits for will not come
  return process_ > 0 ? wait_for(std::exchange(process_, 0)) : ChildEnd{};
}

void ChildProcess::begin_piece() {
  const itimerval limit{{0, 0}, {seconds_of_a_piece, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

std::optional<ChildEnd> go_on_in_child() {
  const pid_t child = start();
  if (child == 0) return {};
  return wait_for(child);
}

std::string death_of(const std::function<void()>& work) {
  const auto try_it = [&](Connection&) {
    try {
      work();
    } catch (const std::exception&) {
      return;
    }
  };
  const ChildEnd end = ChildProcess(try_it).end();
  // A library, or a sanitizer, may also have ended it.
  return end.death.empty() && end.status != 0 ? "exit status " + std::to_string(end.status) : end.death;
}

}  // namespace wavesim
