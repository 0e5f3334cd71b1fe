#pragma once
// Candidates on the systems of a run that goes on with a solver of its own: on one backend, behind an
// interface that knows no precision.

#include "sim/time/stepper.hpp"

namespace wavesim {

/// What is timed, and how often.
struct Trial {
  SolverOptions solver;
  std::string format;
  GuessOptions guess;
  bool single = false;  // matrix and vectors are floats
  int warm_up = 1, repetitions = 5;
};

struct Measured {
  /// Of the last solve, its history relative to the reference of the norm.
  Report report;
  double setup_seconds = 0;  // matrix, method and preconditioner, their memory included
  double seconds = 0;        // of a solve: the median; of the only one if it failed
  double least_seconds = 0;
  double memory = 0;  // bytes asked for, vectors of the system apart
  /// b - A x, as the run's precision sees it; relative to the norms that the tolerance is relative to.
  double residual_2 = 0, residual_max = 0;
  double error_2 = 0, error_max = 0;  // of x against the run's own solution, relative to that
};

class StudyBench {
 public:
  virtual ~StudyBench() = default;

  /// The system of step n, which the stepper has yet to take, with the guesses that candidates may ask for.
  virtual void take(long n) = 0;
  /// The stepper has taken that step: its increment is what solutions are compared with.
  virtual void solved(long n) = 0;
  /// Solves the system with a candidate. Throws InputError if it does not fit, DeviceError if the device
  /// cannot.
  virtual Measured measure(const Trial&) = 0;
  /// No more candidates for this step: the guesses learn its solution.
  virtual void finish() = 0;
};

/// `guesses`: of all candidates, each once. `single`: of the stepper. Stepper and setup outlive the bench. The CUDA
/// version exists in builds with CUDA.
std::unique_ptr<StudyBench> make_host_bench(bool single, const StepperSetup&, Stepper&,
                                            const std::vector<GuessOptions>& guesses);
std::unique_ptr<StudyBench> make_cuda_bench(bool single, const StepperSetup&, Stepper&,
                                            const std::vector<GuessOptions>& guesses);

}  // namespace wavesim
