#include "tests/apps/program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace wavesim {

namespace {

std::string contents(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

Workplace::Workplace() {
  static std::atomic<int> count{0};
  const std::string name = "wavesim-apps-" + std::to_string(getpid()) + "-" + std::to_string(count++);
  folder_ = std::filesystem::temp_directory_path() / name;
  captured_ = folder_.string() + "-words";
  std::filesystem::create_directories(folder_);
  std::filesystem::create_directories(captured_);
}

Workplace::~Workplace() {
  std::filesystem::remove_all(folder_);
  std::filesystem::remove_all(captured_);
}

void Workplace::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name) << text;
  written_.push_back(name);
}

Outcome Workplace::run(const std::vector<std::string>& arguments, const std::function<void()>& prepare,
                       const std::function<void(pid_t)>& meanwhile) const {
  std::vector<std::string> command{WAVESIM_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return start(command, prepare, meanwhile);
}

bool Workplace::has_mpirun() {
#ifdef WAVESIM_HAVE_MPI
  return std::system("command -v mpirun >/dev/null") == 0;
#else
  return false;
#endif
}

Outcome Workplace::run_on_ranks(RanksAre kind, int count, const std::vector<std::string>& arguments,
                                const std::function<void(pid_t)>& meanwhile) const {
  std::vector<std::string> command;
  if (kind == RanksAre::of_mpi)
    command = {"/usr/bin/env", "mpirun", "--quiet", "--oversubscribe",
               "--bind-to",    "none",   "-n",      std::to_string(count)};
  command.push_back(WAVESIM_PROGRAM);
  command.insert(command.end(), arguments.begin(), arguments.end());
  if (kind == RanksAre::forked) command.insert(command.end(), {"--ranks", std::to_string(count)});
  return start(
      command,
      [] {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
        setenv("OMP_NUM_THREADS", "1", 1);
      },
      meanwhile);
}

Outcome Workplace::start(const std::vector<std::string>& command, const std::function<void()>& prepare,
                         const std::function<void(pid_t)>& meanwhile) const {
  const std::filesystem::path out = captured_ / "out", err = captured_ / "err";
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const auto redirect = [](const std::filesystem::path& file, int to) {
      dup2(open(file.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644), to);
    };
    redirect(out, STDOUT_FILENO);
    redirect(err, STDERR_FILENO);
    if (chdir(folder_.c_str()) != 0) _exit(126);
    setenv("XDG_CACHE_HOME", (captured_ / "cache").c_str(), 1);  // not the user's
    if (prepare) prepare();
    execv(words[0], words.data());
    _exit(127);
  }
  if (meanwhile) meanwhile(child);
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), contents(out), contents(err)};
}

std::vector<std::string> Workplace::left_behind() const {
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
    const std::string name = std::filesystem::relative(entry.path(), folder_).string();
    if (std::find(written_.begin(), written_.end(), name) == written_.end()) left.push_back(name);
  }
  return left;
}

}  // namespace wavesim
