#pragma once
// Several runs of one config: those of `wavesim sweep`, and the shots of a survey.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "apps/commands.hpp"
#include "kernels/backend/device.hpp"
#include "output/sweep/sweep_table.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

struct PlannedRun {
  std::string name;                 // of its folder
  std::vector<std::string> values;  // of the keys that vary, for tables
  std::vector<std::string> set;     // key.path=value, for --set
  Config config;                    // the effective one
};

struct RunsPlan {
  const char* kind;  // "sweep" or "survey": the name of the table
  std::string name;  // of the config
  std::filesystem::path folder;
  std::vector<std::string> keys;  // that vary
  std::vector<PlannedRun> runs;
  std::string command;  // as one types it
};

constexpr double usual_gain = 1;  // of gathers, as that of `wavesim render`

/// Throws InputError where a value or a key is wrong, before anything is run.
RunsPlan plan_sweep(const SweepOptions& options);
/// `config`: with its shots.
RunsPlan plan_survey(const RunCommand& options, const Config& config);

/// What the runs would be and cost; writes nothing.
int dry_runs(const RunsPlan& plan, const RunCommand& options);

/// How many run at once, with how many threads of the CPU each.
struct RunsShare {
  long jobs = 1;
  int threads = 1;
  bool in_threads = false;  // of this process, those that may
  long processes = 1;       // of the others so many at once
};
/// `wanted`: jobs, 0: to be chosen. `memory`: of the largest run, bytes. `points`: of the smallest grid.
RunsShare share_of(long wanted, std::size_t runs, const DeviceFacts& device, int cores, double memory,
                   double points);

/// Runs what is not done yet and writes the table. `gather` is called before that, if anything has changed since the last
/// table, unless a signal stopped the runs. Returns the exit status: 0, all are done; that of the first that failed; that
/// of the signal.
int run_all(const RunsPlan& plan, const RunCommand& options,
            const std::function<void(const SweepTable&)>& gather = {});

/// Whether the config has shots. Throws InputError where it has none and the options are about several runs.
bool is_survey(const RunCommand& options, const Config& config);
int survey(const RunCommand& options, const Config& config);

}  // namespace wavesim
