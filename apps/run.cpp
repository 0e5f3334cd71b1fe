// wavesim run CONFIG: the main job.

#include <build_facts.hpp>
#include <chrono>
#include <cstdio>

#include "apps/commands.hpp"
#include "apps/continuation.hpp"
#include "apps/read_config.hpp"
#include "apps/signals.hpp"
#include "apps/utc_time.hpp"
#include "output/run/make_writers.hpp"
#include "output/run/old_result_writer.hpp"
#include "output/run/one_line.hpp"
#include "output/run/progress.hpp"
#include "output/run/report.hpp"
#include "output/run/result_directory.hpp"
#include "sim/config/duration.hpp"
#include "sim/config/files.hpp"
#include "sim/run/simulation.hpp"

namespace wavesim {

namespace {

constexpr int stopped_at_limit = 6;  // the exit status
/// Queues of clusters wait 30 seconds between SIGTERM and SIGKILL.
constexpr unsigned seconds_after_a_signal = 20;

void add_build_facts(RunInfo& info) {
  info.facts["wavesim-version"] = version;
  info.facts["wavesim-commit"] = commit;
  info.facts["compiler"] = compiler;
  info.facts["cuda-compiler"] = cuda_compiler;
  info.facts["build-type"] = build_type;
  info.facts["started"] = utc_time();
}

void print_heading(const Config& config, const Simulation& simulation, const std::filesystem::path& folder,
                   const Continuation& continuation) {
  const TimePlan& plan = simulation.plan();
  const Grid& grid = simulation.model().grid;
  std::printf("%s: %ld x %ld cells, %ld steps of %.4g s (Courant number %.3g), %s, %s precision\n",
              config.name.c_str(), grid.cells[0], grid.cells[1], plan.steps, plan.dt, plan.courant,
              simulation.scheme().name.c_str(), config.precision.c_str());
  std::printf("on %s (%s), into %s\n", simulation.device().name.c_str(), simulation.device().detail.c_str(),
              folder.c_str());
  if (continuation) std::printf("%s\n", continuation.sentence().c_str());
  if (config.device == "auto" && simulation.device().kind == "cpu")
    std::printf("on the CPU, since %s\n", why_no_cuda().c_str());
  std::fflush(stdout);
  for (const std::string& note : simulation.model().notes) print_note(note);
}

/// When states are saved: as the config says; at the end wherever the run is one to be continued.
Supervision supervision_of(const Config& config, const RunOptions& options, StateKeeper& keeper,
                           std::uintmax_t state_bytes) {
  Supervision s;
  s.keeper = &keeper;
  s.now = &save_now;
  if (config.checkpoint) {
    s.every = config.checkpoint->every;
    s.wall = config.checkpoint->wall_seconds();
  }
  if (const auto limit = duration(config.time.wall_limit)) s.wall_limit = *limit;
  s.at_end = config.checkpoint || !config.time.wall_limit.empty() || options.resume || options.restart;
  s.stopping = step_is_done;
  s.expected_save = double(state_bytes) / 200e6;  // of a slow disk
  return s;
}

}  // namespace

int run(const RunOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  Config config = read_config(options);
  const std::filesystem::path path = std::filesystem::path(config.output.directory) / config.name;
  const CheckpointFolder checkpoints(path, config.name);
  ResultDirectory folder(path, config.name, options.overwrite, Continuation::wanted_in(options, checkpoints));
  leave_nothing_of(folder.lock().string(), folder.path().string());
  Continuation continuation(options, checkpoints, folder, config);
  Simulation simulation(config, config.device);
  if (continuation.nothing_is_left(simulation)) {
    if (!options.quiet) std::printf("%s is complete; nothing is left to do\n", folder.path().c_str());
    return 0;
  }
  RunInfo info = simulation.info();
  info.directory = folder.path();
  info.config = dump_config(config);
  add_build_facts(info);
  const long keep = config.checkpoint ? config.checkpoint->keep : CheckpointConfig().keep;
  const std::uintmax_t state_bytes = checkpoint_bytes(config, simulation.model());
  folder.require_room(output_bytes(config.output, info, info.planned_pictures).most +
                      (config.checkpoint ? std::uintmax_t(keep + 1) * state_bytes : 0));
  const auto writers = make_writers(config.output, info, std::make_unique<OldResultWriter>(folder));
  CheckpointKeeper keeper(checkpoints, {0, 0, simulation.plan().dt, info.config, info.facts},
                          files_of(config), keep, [&] { folder.discard_old(); });
  Supervision supervision = supervision_of(config, options, keeper, state_bytes);
  if (supervision.at_end) keeper.sum_files();
  supervision.started = started;
  simulation.supervise(supervision);

  if (!options.quiet) {
    print_heading(config, simulation, folder.path(), continuation);
    for (const std::string& note : continuation.notes(info)) print_note(note);
  }
  folder.start_writing();
  continuation ? continuation.load(simulation, *writers, info) : writers->begin(info);
  RunSummary summary;
  {
    ProgressBar bar;
    std::function<void(const Progress&)> progress;
    if (!options.quiet) progress = std::ref(bar);
    give_the_step(seconds_after_a_signal, supervision.seconds_left());
    summary = simulation.run({writers.get()}, progress, stop);
  }
  if (summary.complete) folder.discard_old();
  if (!options.quiet) {
    std::fputs(report(info, summary, writers->files(), writers->blocked_seconds()).c_str(), stdout);
    if (!keeper.latest().empty()) std::printf("%-11s %s\n", "checkpoint", keeper.latest().c_str());
    if (!keeper.latest().empty() && !summary.complete)
      std::printf("%-11s the same command with --resume, without --overwrite\n", "continue");
  }
  if (summary.complete) return 0;
  return stop ? 128 + signal_number : stopped_at_limit;
}

}  // namespace wavesim
