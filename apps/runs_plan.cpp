// Which runs a sweep and a survey have.

#include <fmt/format.h>

#include "apps/made_with.hpp"
#include "apps/several_runs.hpp"
#include "kernels/backend/errors.hpp"
#include "library/read_config.hpp"
#include "sim/config/tree.hpp"
#include "sim/sweep/axes.hpp"

namespace wavesim {

namespace {

/// Each run reads the config anew.
void require_file(const std::filesystem::path& config) {
  std::error_code none;
  if (std::filesystem::exists(config, none) && !std::filesystem::is_regular_file(config, none) &&
      !std::filesystem::is_directory(config, none))
    throw InputError(config.string() +
                     " can be read only once, and each of the runs reads it; write it into a file");
}

/// The run bears the name, in the folder of the plan.
void place_run(PlannedRun& run, const RunsPlan& plan) {
  run.config.name = run.name;
  run.config.output.directory = plan.folder.string();
  run.set.push_back("name=\"" + run.name + "\"");
}

}  // namespace

RunsPlan plan_sweep(const SweepOptions& options) {
  require_file(options.run.config);
  const std::vector<SweepAxis> axes = parse_axes(options.over);
  RunsPlan plan{"sweep", "", {}, {}, {}, command_text("sweep", options.run)};
  for (const std::string& over : options.over) plan.command += " --over " + shell_word(over);
  for (const SweepAxis& axis : axes) plan.keys.push_back(axis.where.key);
  for (const SweepPoint& point : points_of(axes)) {
    PlannedRun run{point.name, {}, {}, read_config(options.run.config, options.run, point.set)};
    if (!run.config.shots.empty())
      run.config.shots.front().where.fail(
          "'shots' are runs of their own; sweep without them (--set shots=), or run each value by itself");
    if (plan.runs.empty()) {
      plan.name = run.config.name;
      plan.folder = std::filesystem::path(run.config.output.directory) / (plan.name + "-sweep");
    }
    for (const Assignment& a : point.set) {
      run.values.push_back(shown(a.value));
      run.set.push_back(a.where.key + "=" + to_flow(a.value));
    }
    place_run(run, plan);
    plan.runs.push_back(std::move(run));
  }
  return plan;
}

RunsPlan plan_survey(const RunCommand& options, const Config& config) {
  if (options.ranks || options.processes > 1)
    throw InputError(
        "shots: several ranks share out the rows of one run; run the program as one process, with --jobs for "
        "shots at once");
  require_file(options.config);
  RunsPlan plan{"survey",   config.name, std::filesystem::path(config.output.directory) / config.name,
                {"x", "y"}, {},          command_text("run", options)};
  const std::vector<std::array<double, 2>> places = shot_places(config.shots);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::string x = shortest(places[k][0]), y = shortest(places[k][1]);
    PlannedRun run{
        fmt::format("shot-{:03}", k + 1), {x, y}, {"shots=", "sources.0.at=[" + x + ", " + y + "]"}, {}};
    // Read anew: copies of a config share its signals, and those belong to one thread.
    RunOptions own = options;
    own.set.insert(own.set.end(), run.set.begin(), run.set.end());
    run.config = read_config(options.config, own);
    place_run(run, plan);
    plan.runs.push_back(std::move(run));
  }
  return plan;
}

}  // namespace wavesim
