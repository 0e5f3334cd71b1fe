#include "library/continuation.hpp"

#include <algorithm>

#include "kernels/backend/errors.hpp"
#include "library/earlier_result.hpp"
#include "output/checkpoint/file_sums.hpp"
#include "sim/config/continued.hpp"
#include "sim/prices/price_file.hpp"

namespace wavesim {

namespace fs = std::filesystem;

namespace {

std::string fact(const std::map<std::string, std::string>& facts, const std::string& key) {
  const auto found = facts.find(key);
  return found == facts.end() ? std::string() : found->second;
}

/// Whether the checkpoint lies where this run keeps its own.
bool lies_in(const std::string& file, const fs::path& folder) {
  std::error_code none;
  const auto place = [&](const fs::path& p) { return fs::weakly_canonical(fs::absolute(p, none), none); };
  const fs::path there = place(file).parent_path();
  return !none && there == place(folder);
}

/// Throws InputError where a file that the config names is not the one that the saved run has read.
void check_files(const CheckpointHead& head, const std::string& checkpoint) {
  std::vector<fs::path> files;
  for (const auto& [file, sum] : head.files) files.emplace_back(file);
  for (const auto& [file, now] : file_sums(files))
    if (const std::string& before = head.files.at(file); now != before)
      throw InputError(file + " is not what it was in the run that " + checkpoint + " continues (" + now +
                       ", and was " + before +
                       "); give the old file back, or start a new run without --restart and --resume");
}

bool is_complete(const fs::path& folder, const std::string& name) {
  const std::optional<EarlierResult> there = earlier_result(folder, name);
  return there && there->complete;
}

}  // namespace

bool Continuation::wanted_in(const RunOptions& options, const CheckpointFolder& checkpoints) {
  if (options.resume) return true;
  return options.restart && (*options.restart == "latest" || lies_in(*options.restart, checkpoints.path()));
}

Continuation::Continuation(const RunOptions& options, const CheckpointFolder& checkpoints,
                           ResultDirectory& folder, Config& config)
    : checkpoints_(checkpoints), same_result_(wanted_in(options, checkpoints)) {
  if (!options.resume && !options.restart) return;
  if (same_result_ && options.overwrite)
    throw InputError("--restart " + *options.restart +
                     " continues the result that --overwrite would remove; leave out one of them");
  if (options.restart && *options.restart != "latest")
    file_ = std::make_unique<CheckpointFile>(*options.restart);
  else
    file_ = checkpoints.latest(damaged_);
  if (!file_ && options.restart)
    throw InputError("there is no checkpoint in " + checkpoints.path().string() +
                     "; name a file, or start with --resume, which needs none");
  if (!file_) {  // --resume: an unfinished result that nothing can continue is replaced
    if (!folder.old_result().empty() && is_complete(folder.path(), config.name)) folder.refuse_old();
    same_result_ = false;
    return;
  }
  if (same_result_) {
    complete_ = is_complete(folder.path(), config.name);
    folder.keep_old();
  }
  const CheckpointHead& head = file_->head();
  const std::string now = dump_config(config);
  check_continued(head.config, now, config.where, file_->path(), same_result_, config.time.note);
  check_files(head, file_->path());
  same_solver_ = same_solver(head.config, now);
  config.time.decided_step = head.dt;
  const std::string prices = fact(head.facts, "prices-file");
  if (same_solver_ && fact(head.facts, "device-kind") == "cpu" && !prices.empty())
    config.solver.known_prices = std::make_shared<const Prices>(parse_prices(prices, file_->path()));
}

std::string Continuation::sentence() const {
  char time[32];
  std::snprintf(time, sizeof time, "%.6g", file_->head().time);
  return "continues from " + file_->path() + ", after step " + std::to_string(file_->head().step) +
         " (t = " + time + " s)";
}

std::vector<std::string> Continuation::notes(const RunInfo& info) const {
  std::vector<std::string> all = damaged_;
  if (!file_) return all;
  std::string others;
  for (const char* key : {"wavesim-version", "wavesim-commit", "compiler", "cuda-compiler", "build-type",
                          "device-kind", "device"}) {
    const std::string a = fact(file_->head().facts, key), b = fact(info.facts, key);
    if (a != b) others += (others.empty() ? "" : ", ") + std::string(key) + " '" + a + "', here '" + b + "'";
  }
  if (!others.empty())
    all.push_back("the checkpoint was written with " + others +
                  "; the last bits may differ from those of a run that was never stopped");
  if (!same_solver_)
    all.push_back("the solver is another one, so it starts without what the old one has learnt");
  return all;
}

bool Continuation::nothing_is_left(const Simulation& simulation) const {
  return file_ && complete_ && file_->head().step == simulation.plan().steps;
}

void Continuation::load(Simulation& simulation, AsyncWriter& writers, const RunInfo& info) {
  Archive& saved = file_->state();
  {
    const auto part = saved.part("run");
    simulation.archive(saved, same_solver_);
  }
  if (simulation.done() != file_->head().step)
    throw InputError(file_->path() + " says that it was written after step " +
                     std::to_string(file_->head().step) + ", and its state after step " +
                     std::to_string(simulation.done()) + "; name another checkpoint");
  if (simulation.done() > simulation.plan().steps)
    throw InputError("the run ends with step " + std::to_string(simulation.plan().steps) + ", and " +
                     file_->path() + " was written after step " + std::to_string(simulation.done()) +
                     "; take a later time.end or an earlier checkpoint");
  if (!same_result_) return writers.begin(info);
  // Before files are cut: what lies behind them would not fit later checkpoints.
  checkpoints_.forget_after(simulation.done());
  const auto part = saved.part("writers");
  writers.resume(info, simulation.done(), saved);
}

}  // namespace wavesim
