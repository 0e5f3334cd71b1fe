#pragma once
// wavesim study: a run that goes on with a solver of its own, whose systems at chosen steps are solved by
// every candidate.

#include <atomic>
#include <functional>

#include "kernels/backend/device.hpp"
#include "sim/study/candidate.hpp"
#include "sim/time/scheme.hpp"

namespace wavesim {

/// One run of the study: the config with a Courant number and cells of the sweep.
struct StudyPoint {
  long number = 0;  // from 0
  Config config;
  std::array<long, 2> cells{};  // as configured, absorbing layers apart
  double courant = 0;           // of the time step that is taken
  std::vector<long> steps;      // that are looked at, ascending, the first is 1
  std::vector<Candidate> candidates;
};

struct StudyPlan {
  std::vector<StudyPoint> points;
  long rows() const;
};

/// All runs of the config's study. Throws InputError, also for what is wrong with a point of the sweep.
StudyPlan plan_study(const Config&);

/// What a candidate did at one step. Seconds, bytes and so on are NaN where it does not fit.
struct StudyRow {
  long point = 0, cells_x = 0, cells_y = 0;
  double courant = 0;
  long step = 0;
  double time = 0;
  std::string candidate, method, preconditioner, format, precision, guess;
  double tolerance = 0;
  std::string norm;
  std::string status;   // that of the solve; does-not-fit or device-failed if there was none
  std::string message;  // what is wrong and what to do; empty if it converged
  long iterations = 0;
  double setup_seconds = 0, solve_seconds = 0, least_seconds = 0, iteration_seconds = 0;
  double bytes = 0, bandwidth = 0, bandwidth_share = 0;  // of a solve; per second; of a plain copy
  double memory_bytes = 0;
  double residual_2 = 0, residual_max = 0, error_2 = 0, error_max = 0;
  std::vector<double> history;

  bool converged() const { return status == "converged"; }
  /// The same row of the same study.
  bool same_place(const StudyRow& o) const {
    return point == o.point && step == o.step && candidate == o.candidate;
  }
};

struct StudyProgress {
  long rows = 0, all = 0;  // done, those of an earlier start included
  long fresh = 0;          // done by this start
  double seconds = 0;      // since it began
  const StudyPoint* point = nullptr;
  long step = 0;          // of the run
  std::string candidate;  // at hand; empty while the run goes on
};

struct StudyCalls {
  std::function<bool(const StudyRow&)> done;  // whether a row is there already; by its place alone
  std::function<void(const StudyRow&)> row;   // a row is finished
  std::function<void(const StudyProgress&)> progress;
};

/// Goes through the plan; ends after the row at hand when `stop` is set. `copy`: bytes per second of a plain
/// copy, 0 if unknown. Throws SolveError if the run itself cannot go on, DeviceError.
void run_study(const StudyPlan&, const DeviceFacts&, double copy, const StudyCalls&,
               const std::atomic<bool>& stop);

}  // namespace wavesim
