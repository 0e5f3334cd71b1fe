#include "library/run.hpp"

#include "library/read_config.hpp"
#include "library/run_config.hpp"
#include "sim/config/tree.hpp"

namespace wavesim {

namespace {

RunResult result_of(Config config, const RunOptions& options, const RunControl& control) {
  if (!config.shots.empty())
    config.shots.front().where.fail(
        "'shots' are runs of their own, which the program makes: wavesim run CONFIG");
  RunWatcher watcher;
  if (control.progress)
    watcher.progress = [&](const Progress& now) { control.progress(now.step, now.steps); };
  watcher.stop = control.stop;
  const RunEnd end = run_config(std::move(config), options, watcher);
  if (end.was_complete) return {true, "nothing was left to do", end.folder, {}, 0, 0};
  return {end.summary.complete, end.summary.ending, end.folder, end.files,
          end.summary.steps,    end.summary.seconds};
}

}  // namespace

RunResult run(const std::filesystem::path& config, const RunOptions& options, const RunControl& control) {
  return result_of(read_config(config, options), options, control);
}

RunResult run_text(std::string_view yaml, const std::string& name, const RunOptions& options,
                   const RunControl& control, const std::filesystem::path& folder) {
  return result_of(parse_config(std::string(yaml), name, folder, options), options, control);
}

}  // namespace wavesim
