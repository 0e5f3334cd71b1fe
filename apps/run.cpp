// wavesim run CONFIG: the main job.

#include <build_facts.hpp>
#include <cstdio>
#include <ctime>

#include "apps/commands.hpp"
#include "apps/read_config.hpp"
#include "apps/signals.hpp"
#include "output/run/make_writers.hpp"
#include "output/run/progress.hpp"
#include "output/run/report.hpp"
#include "output/run/result_directory.hpp"
#include "sim/run/simulation.hpp"

namespace wavesim {

namespace {

std::string now() {
  const std::time_t t = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&t));
  return text;
}

void add_build_facts(RunInfo& info) {
  info.facts["wavesim-version"] = version;
  info.facts["wavesim-commit"] = commit;
  info.facts["compiler"] = compiler;
  info.facts["cuda-compiler"] = cuda_compiler;
  info.facts["build-type"] = build_type;
  info.facts["started"] = now();
}

void print_heading(const Config& config, const Simulation& simulation, const std::filesystem::path& folder) {
  const TimePlan& plan = simulation.plan();
  const Grid& grid = simulation.model().grid;
  std::printf("%s: %ld x %ld cells, %ld steps of %.4g s (Courant number %.3g), %s, %s precision\n",
              config.name.c_str(), grid.cells[0], grid.cells[1], plan.steps, plan.dt, plan.courant,
              simulation.scheme().name.c_str(), config.precision.c_str());
  std::printf("on %s (%s), into %s\n", simulation.device().name.c_str(), simulation.device().detail.c_str(),
              folder.c_str());
  if (config.device == "auto" && simulation.device().kind == "cpu")
    std::printf("on the CPU, since %s\n", why_no_cuda().c_str());
  std::fflush(stdout);
  for (const std::string& note : simulation.model().notes) std::fprintf(stderr, "note: %s\n", note.c_str());
}

}  // namespace

int run(const RunOptions& options) {
  stop_at_signals();
  Config config = read_config(options);
  ResultDirectory folder(std::filesystem::path(config.output.directory) / config.name, config.name,
                         options.overwrite);
  Simulation simulation(config, config.device);
  RunInfo info = simulation.info();
  info.directory = folder.path();
  info.config = dump_config(config);
  add_build_facts(info);
  folder.require_room(output_bytes(config.output, info, info.planned_pictures));
  const auto writers = make_writers(config.output, info);

  if (!options.quiet) print_heading(config, simulation, folder.path());
  folder.start_writing();
  writers->begin(info);
  RunSummary summary;
  {
    ProgressBar bar;
    std::function<void(const Progress&)> progress;
    if (!options.quiet) progress = std::ref(bar);
    summary = simulation.run({writers.get()}, progress, stop);
  }
  if (!options.quiet)
    std::fputs(report(info, summary, writers->files(), writers->blocked_seconds()).c_str(), stdout);
  return summary.complete ? 0 : 128 + signal_number;
}

}  // namespace wavesim
