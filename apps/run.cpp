// wavesim run CONFIG: the main job.

#include <cstdio>
#include <optional>

#include "apps/commands.hpp"
#include "apps/exit_status.hpp"
#include "apps/several_runs.hpp"
#include "apps/signals.hpp"
#include "library/read_config.hpp"
#include "library/run_config.hpp"
#include "output/run/one_line.hpp"
#include "output/run/progress.hpp"
#include "output/run/report.hpp"
#include "sim/run/choose_device.hpp"

namespace wavesim {

namespace {

void print_heading(const Config& config, const Simulation& simulation, const RunInfo& info,
                   const Continuation& continuation) {
  const TimePlan& plan = simulation.plan();
  const Grid& grid = simulation.model().grid;
  std::printf("%s: %ld x %ld cells, %ld steps of %.4g s (Courant number %.3g), %s, %s precision\n",
              config.name.c_str(), grid.cells[0], grid.cells[1], plan.steps, plan.dt, plan.courant,
              simulation.scheme().name.c_str(), config.precision.c_str());
  std::printf("on %s (%s), into %s\n", simulation.device().name.c_str(), simulation.device().detail.c_str(),
              info.directory.c_str());
  if (continuation) std::printf("%s\n", continuation.sentence().c_str());
  if (config.device == "auto" && simulation.device().kind == "cpu")
    std::printf("on the CPU, since %s\n", why_no_cuda().c_str());
  std::fflush(stdout);
  for (const std::string& note : simulation.model().notes) print_note(note);
  for (const std::string& note : continuation.notes(info)) print_note(note);
}

void print_report(const RunEnd& end) {
  std::fputs(report(end.info, end.summary, end.files, end.blocked_seconds).c_str(), stdout);
  if (end.checkpoint.empty()) return;
  std::printf("%-11s %s\n", "checkpoint", end.checkpoint.c_str());
  if (!end.summary.complete)
    std::printf("%-11s the same command with --resume, without --overwrite\n", "continue");
}

}  // namespace

int run(const RunCommand& options) {
  RunWatcher watcher;  // its clock starts
  Config config = read_config(options.config, options);
  if (is_survey(options, config)) return survey(options, config);
  watcher.folder_is_taken = [](const ResultDirectory& folder) {
    leave_nothing_of(folder.lock().string(), folder.path().string());
  };
  if (!options.quiet) watcher.begins = print_heading;
  std::optional<ProgressBar> bar;
  watcher.steps_begin = [&](double seconds_left) {
    bar.emplace();
    give_the_step(seconds_after_a_signal, seconds_left);
  };
  watcher.last_step_is_done = step_is_done;
  if (!options.quiet) watcher.progress = [&](const Progress& now) { (*bar)(now); };
  watcher.save_now = &save_now;
  watcher.stop = &stop;
  if (options.ranks && options.ranks->rank() > 0) {
    let_work_finish();  // the first rank may have begun to write: all stop together
    watcher.steps_begin = [](double seconds_left) { give_the_step(seconds_after_a_signal, seconds_left); };
    watcher.progress = {};
    return status_of(run_with_first(std::move(config), watcher, *options.ranks));
  }
  const RunEnd end = run_config(std::move(config), options, watcher, options.ranks);
  bar.reset();
  if (end.was_complete) {
    if (!options.quiet) std::printf("%s is complete; nothing is left to do\n", end.folder.c_str());
    return 0;
  }
  if (!options.quiet) print_report(end);
  return status_of(end.summary);
}

}  // namespace wavesim
