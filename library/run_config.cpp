#include "library/run_config.hpp"

#include <build_facts.hpp>

#include "output/run/make_writers.hpp"
#include "output/run/old_result_writer.hpp"
#include "output/run/utc_time.hpp"
#include "sim/config/duration.hpp"
#include "sim/config/files.hpp"

namespace wavesim {

namespace {

void add_build_facts(RunInfo& info) {
  info.facts["wavesim-version"] = version;
  info.facts["wavesim-commit"] = commit;
  info.facts["compiler"] = compiler;
  info.facts["cuda-compiler"] = cuda_compiler;
  info.facts["build-type"] = build_type;
  info.facts["started"] = utc_time();
}

/// When states are saved: as the config says; at the end wherever the run is one to be continued.
Supervision supervision_of(const Config& config, const RunOptions& options, const RunWatcher& watcher,
                           StateKeeper& keeper, std::uintmax_t state_bytes) {
  Supervision s;
  s.keeper = &keeper;
  s.now = watcher.save_now;
  if (config.checkpoint) {
    s.every = config.checkpoint->every;
    s.wall = config.checkpoint->wall_seconds();
  }
  if (const auto limit = duration(config.time.wall_limit)) s.wall_limit = *limit;
  s.at_end = config.checkpoint || !config.time.wall_limit.empty() || options.resume || options.restart;
  s.stopping = watcher.last_step_is_done;
  s.expected_save = double(state_bytes) / 200e6;  // of a slow disk
  s.started = watcher.started;
  return s;
}

template <class... V>
void tell(const std::function<void(V...)>& listener, std::type_identity_t<V>... values) {
  if (listener) listener(values...);
}

RunSummary steps_of(Simulation& simulation, AsyncWriter& writers, const RunWatcher& watcher,
                    double seconds_left) {
  const std::atomic<bool> never{false};
  tell(watcher.steps_begin, seconds_left);
  return simulation.run({&writers}, watcher.progress, watcher.stop ? *watcher.stop : never);
}

}  // namespace

RunEnd run_config(Config config, const RunOptions& options, const RunWatcher& watcher) {
  RunEnd end;
  end.folder = std::filesystem::path(config.output.directory) / config.name;
  const CheckpointFolder checkpoints(end.folder, config.name);
  ResultDirectory folder(end.folder, config.name, options.overwrite,
                         Continuation::wanted_in(options, checkpoints));
  tell(watcher.folder_is_taken, folder);
  Continuation continuation(options, checkpoints, folder, config);
  Simulation simulation(config, config.device);
  end.was_complete = continuation.nothing_is_left(simulation);
  if (end.was_complete) return end;
  RunInfo& info = end.info = simulation.info();
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
  const Supervision supervision = supervision_of(config, options, watcher, keeper, state_bytes);
  if (supervision.at_end) keeper.sum_files();
  simulation.supervise(supervision);

  tell(watcher.begins, config, simulation, info, continuation);
  folder.start_writing();
  continuation ? continuation.load(simulation, *writers, info) : writers->begin(info);
  end.summary = steps_of(simulation, *writers, watcher, supervision.seconds_left());
  if (end.summary.complete) folder.discard_old();
  end.files = writers->files();
  end.checkpoint = keeper.latest();
  end.blocked_seconds = writers->blocked_seconds();
  return end;
}

}  // namespace wavesim
