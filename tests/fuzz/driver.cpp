// The targets without libFuzzer: replays the corpus of each, then mutates it until the time is over. The seed is
// fixed, so that a finding comes again.

#include <fcntl.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/mutation.hpp"

#define TARGET(name) extern "C" int fuzz_##name(const std::uint8_t*, std::size_t);
#include "fuzz_targets.inc"
#undef TARGET

namespace {

namespace fs = std::filesystem;

struct Target {
  const char* name;
  int (*run)(const std::uint8_t*, std::size_t);
};
constexpr Target targets[] = {
#define TARGET(name) {#name, fuzz_##name},
#include "fuzz_targets.inc"
#undef TARGET
};

constexpr unsigned most_seconds = 60;  // of one input; a child process has 20 of a processor

/// The input that is running, and where it is kept if it is a finding. Longer lived than the sanitizers.
std::string& running = *new std::string;
std::string& reproducer = *new std::string;

/// After a crash, so with the system's calls alone.
void keep_input() {
  if (reproducer.empty()) return;  // at the end of the program
  const int to = open(reproducer.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  const bool kept = to >= 0 && write(to, running.data(), running.size()) == ssize_t(running.size());
  const std::string said =
      (kept ? "finding: the input is in " : "finding: cannot write ") + reproducer + "\n";
  if (write(STDERR_FILENO, said.data(), said.size()) < 0) return;
}

void too_slow(int) {
  keep_input();
  constexpr char said[] = "finding: it takes more than 60 s\n";
  if (write(STDERR_FILENO, said, sizeof said - 1) >= 0) _exit(1);
  _exit(1);
}

void run(const Target& target, std::string input) {
  running = std::move(input);
  alarm(most_seconds);
  try {
    target.run(reinterpret_cast<const std::uint8_t*>(running.data()), running.size());
  } catch (const std::exception& e) {
    alarm(0);
    std::fprintf(stderr, "%s: an exception that is no refusal: %s\n", target.name, e.what());
    keep_input();
    std::exit(1);
  }
  alarm(0);
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void run(const Target& target, const fs::path& corpus, double seconds) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(corpus / target.name)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  reproducer = std::string("finding-") + target.name;
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::string> all, inputs;  // to be mutated: those that are fast, where there are any
  for (const fs::path& file : files) {
    const auto start = std::chrono::steady_clock::now();
    all.push_back(bytes_of(file));
    run(target, all.back());
    if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(100)) inputs.push_back(running);
  }
  if (inputs.empty()) inputs = all;
  std::mt19937_64 generator(1);
  long mutations = 0;
  const std::chrono::duration<double> time(seconds);
  for (; std::chrono::steady_clock::now() - begin < time; ++mutations)
    run(target, wavesim::fuzz::mutated(inputs, generator));
  std::printf("%-14s %zu inputs, %ld mutations\n", target.name, files.size(), mutations);
  std::fflush(stdout);
}

}  // namespace

/// fuzz_replay CORPUS SECONDS [TARGET]: all targets in so many seconds, or one.
int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: fuzz_replay CORPUS SECONDS [TARGET]\n");
    return 2;
  }
  __sanitizer_set_death_callback(keep_input);
  signal(SIGALRM, too_slow);
  const std::string only = argc > 3 ? argv[3] : "";
  const double seconds = std::atof(argv[2]) / double(only.empty() ? std::size(targets) : 1);
  for (const Target& target : targets)
    if (only.empty() || only == target.name) run(target, argv[1], seconds);
  reproducer.clear();
  return 0;
}
