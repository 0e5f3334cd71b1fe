#pragma once
// The loop: step, records when due, writers, progress.

#include <atomic>
#include <functional>

#include "kernels/backend/device.hpp"
#include "kernels/comm/ranks.hpp"
#include "sim/run/output_plan.hpp"
#include "sim/run/supervision.hpp"
#include "solvers/core/archive.hpp"

namespace wavesim {

struct Progress {
  long step = 0, steps = 0;
  double time = 0;        // simulated seconds
  double seconds = 0;     // wall clock since the first step
  double iterations = 0;  // mean over the steps since the last call
  double energy = 0;      // latest; NaN if not computed
};

/// RunSummary::ending of a run that a signal has ended.
inline constexpr const char* stopped_by_a_signal = "stopped by a signal";

class Simulation {
 public:
  /// Builds model, plan and device state. `device` is "auto", "cuda" or "cpu". Throws InputError,
  /// DeviceError. With `ranks` they share out the rows: each of them makes one of the same config and does the same with it;
  /// writers, which rank 0 alone has, are given what comes from all.
  Simulation(const Config& config, const std::string& device, Ranks* ranks = nullptr);
  ~Simulation();

  const Model& model() const;
  const Scheme& scheme() const;
  const TimePlan& plan() const;
  const DeviceFacts& device() const;
  /// Geometry, counts and facts for writers; name, directory, config and build facts are left for the caller
  /// to fill. On several ranks to be asked once: planes that are written once go with it.
  RunInfo info();

  /// Saves the run after its last step, or takes it from one of the same config: `run` goes on from there.
  /// Schedules have nothing to save: they follow from the number of the step. Of ranks all call it, and the first one's
  /// archive is saved to or loaded from. Without `solver`, what guess and
  /// method have learnt is left out: the config may name others.
  void archive(Archive& archive, bool solver = true);
  /// Steps done so far.
  long done() const;
  /// When states are saved by the next run, and when it stops for the sake of the clock.
  void supervise(const Supervision& supervision);

  /// Runs to the end, until `*stop` is set (then the summary is not complete and says "stopped by a signal"),
  /// or until the time on the clock is up ("stopped at time.wall-limit"). Calls `progress` about ten times a second at most. Throws SolveError and OutputError after the
  /// writers were finished with an incomplete summary.
  RunSummary run(const std::vector<Writer*>& writers, const std::function<void(const Progress&)>& progress,
                 const std::atomic<bool>& stop);

 private:
  void archive_all(Archive& archive, const std::vector<Writer*>& writers);
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace wavesim
