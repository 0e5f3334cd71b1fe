#include "library/run_config.hpp"

#include "library/build_facts_of.hpp"
#include "output/hdf5/serves_threads.hpp"
#include "output/run/make_writers.hpp"
#include "output/run/old_result_writer.hpp"
#include "sim/config/duration.hpp"
#include "sim/config/files.hpp"

namespace wavesim {

namespace {

/// What ranks are told before they make their simulations.
struct Start {
  bool begins = false;  // false: the first rank has found a mistake
  bool continues = false, same_solver = true, saves_at_end = false;
  double decided_step = 0;  // 0: by the config
};

/// The first rank's word to the others. If it throws before it has told them that the run begins, they are told that it does
/// not.
class FirstRank {
 public:
  explicit FirstRank(Ranks* ranks) : ranks_(ranks) {}
  FirstRank(const FirstRank&) = delete;
  ~FirstRank() {
    if (!told_) tell(Start{});
  }
  void tell(Start start) {
    told_ = true;
    if (ranks_) ranks_->broadcast(&start, sizeof start);
  }
  bool tell_whether(bool fact) {
    if (ranks_) ranks_->broadcast(&fact, sizeof fact);
    return fact;
  }

 private:
  Ranks* ranks_;
  bool told_ = false;
};

/// Hands the first rank what it saves, or takes what that one loads.
struct KeeperOfOtherRank final : StateKeeper {
  void save(long, double, const std::function<void(Archive&)>& name_state) override {
    SavedState none;
    SaveInMemory unread(none);
    name_state(unread);
  }
  std::string keep_aside(long step, double time, const std::function<void(Archive&)>& name_state) override {
    save(step, time, name_state);
    return {};
  }
};

/// Whether the run is one to be continued.
bool saves_at_end(const Config& config, const RunOptions& options) {
  return config.checkpoint || !config.time.wall_limit.empty() || options.resume || options.restart;
}

/// When states are saved: as the config says, and at the end if `at_end`.
Supervision supervision_of(const Config& config, bool at_end, const RunWatcher& watcher, StateKeeper& keeper,
                           std::uintmax_t state_bytes) {
  Supervision s;
  s.keeper = &keeper;
  s.now = watcher.save_now;
  if (config.checkpoint) {
    s.every = config.checkpoint->every;
    s.wall = config.checkpoint->wall_seconds();
  }
  if (const auto limit = duration(config.time.wall_limit)) s.wall_limit = *limit;
  s.at_end = at_end;
  s.stopping = watcher.last_step_is_done;
  s.expected_save = double(state_bytes) / 200e6;  // of a slow disk
  s.started = watcher.started;
  return s;
}

template <class... V>
void tell(const std::function<void(V...)>& listener, std::type_identity_t<V>... values) {
  if (listener) listener(values...);
}

RunSummary steps_of(Simulation& simulation, const std::vector<Writer*>& writers, const RunWatcher& watcher,
                    double seconds_left) {
  const std::atomic<bool> never{false};
  tell(watcher.steps_begin, seconds_left);
  return simulation.run(writers, watcher.progress, watcher.stop ? *watcher.stop : never);
}

}  // namespace

bool threads_may_run_configs() { return hdf5::serves_threads(); }

RunEnd run_config(Config config, const RunOptions& options, const RunWatcher& watcher, Ranks* ranks) {
  RunEnd end;
  FirstRank first(ranks);
  end.folder = std::filesystem::path(config.output.directory) / config.name;
  const CheckpointFolder checkpoints(end.folder, config.name);
  refuse_other_kind(end.folder, false);
  ResultDirectory folder(end.folder, config.name, options.overwrite,
                         Continuation::wanted_in(options, checkpoints));
  tell(watcher.folder_is_taken, folder);
  Continuation continuation(options, checkpoints, folder, config);
  const bool at_end = saves_at_end(config, options);
  first.tell(
      {true, bool(continuation), continuation.keeps_solver(), at_end, config.time.decided_step.value_or(0)});
  Simulation simulation(config, config.device, ranks);
  end.was_complete = first.tell_whether(continuation.nothing_is_left(simulation));
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
  const Supervision supervision = supervision_of(config, at_end, watcher, keeper, state_bytes);
  if (supervision.at_end) keeper.sum_files();
  simulation.supervise(supervision);

  tell(watcher.begins, config, simulation, info, continuation);
  folder.start_writing();
  continuation ? continuation.load(simulation, *writers, info) : writers->begin(info);
  info.once.clear(), info.inside = info.rim = {};  // the ranks that have them need not keep them
  end.summary = steps_of(simulation, {writers.get()}, watcher, supervision.seconds_left());
  if (end.summary.complete) folder.discard_old();
  end.files = writers->files();
  end.checkpoint = keeper.latest();
  end.blocked_seconds = writers->blocked_seconds();
  return end;
}

RunSummary run_with_first(Config config, const RunWatcher& watcher, Ranks& ranks) {
  Start start;
  ranks.broadcast(&start, sizeof start);
  if (!start.begins) return {};
  if (start.decided_step > 0) config.time.decided_step = start.decided_step;
  Simulation simulation(config, config.device, &ranks);
  bool nothing_is_left = false;
  ranks.broadcast(&nothing_is_left, sizeof nothing_is_left);
  if (nothing_is_left) {
    RunSummary done;
    done.complete = true;
    return done;
  }
  KeeperOfOtherRank keeper;
  const Supervision supervision = supervision_of(config, start.saves_at_end, watcher, keeper, 0);
  simulation.supervise(supervision);
  if (start.continues) keeper.save(0, 0, [&](Archive& a) { simulation.archive(a, start.same_solver); });
  return steps_of(simulation, {}, watcher, supervision.seconds_left());
}

}  // namespace wavesim
