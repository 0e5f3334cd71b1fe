#pragma once
// Runs of configs, as the program `wavesim` makes them. Needs no other header of wavesim.

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wavesim {

/// As the options of `wavesim run`. Sentences name them as the command line does: --overwrite.
struct RunOptions {
  std::vector<std::string> set;             // "key.path=value", over the config
  std::vector<std::filesystem::path> data;  // folders of files that the config names
  std::optional<std::string> device;        // auto | cuda | cpu
  std::optional<std::string> output;        // folder of results
  bool overwrite = false;                   // replace an existing result
  bool resume = false;                      // continue from the latest checkpoint, if any
  std::optional<std::string> restart;       // continue from a checkpoint: a file, or "latest"
};

/// How a program watches a run and stops it.
struct RunControl {
  std::function<void(long step, long steps)>
      progress;                             // about ten times a second at most, in the calling thread
  const std::atomic<bool>* stop = nullptr;  // once it is true, the run ends after the step at hand
};

struct RunResult {
  bool complete = false;         // else it was stopped, and what is written stays
  std::string ending;            // "done", or why not
  std::filesystem::path folder;  // of the result
  std::vector<std::string> files;
  long steps = 0;
  double seconds = 0;
};

/// Runs a config from a YAML file. Prints nothing but notes on stderr. Throws what is in wavesim/errors.hpp, which has the
/// exit status of the program for each: InputError before anything is written, SolveError, OutputError, DeviceError; all
/// are std::runtime_error and say one sentence. One run at a time in a process.
RunResult run(const std::filesystem::path& config, const RunOptions& options = {},
              const RunControl& control = {});

/// Runs a config from its text. `name` stands for the file in sentences, and for the run where the config does not name
/// it; relative paths in the config start at `folder`.
RunResult run_text(std::string_view yaml, const std::string& name, const RunOptions& options = {},
                   const RunControl& control = {}, const std::filesystem::path& folder = ".");

}  // namespace wavesim
