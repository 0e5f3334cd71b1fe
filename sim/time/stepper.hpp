#pragma once
// One time step on one backend in one precision, behind an interface that knows neither.

#include <functional>
#include <variant>
#include <vector>

#include "kernels/backend/operation_counts.hpp"
#include "kernels/comm/parts_of_ranks.hpp"
#include "kernels/comm/ranks.hpp"
#include "kernels/grid/nine_point_coefficients.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/run/output_plan.hpp"
#include "sim/run/writer.hpp"
#include "sim/time/guess_options.hpp"
#include "sim/time/scheme.hpp"
#include "solvers/core/archive.hpp"
#include "solvers/core/options.hpp"
#include "solvers/core/report.hpp"

namespace wavesim {

enum class Quantity { displacement, velocity, energy_density, max_displacement, arrival_time };

/// Of a step.
struct StepResult {
  Report report;                // converged after 0 iterations for an explicit step
  double assembly_seconds = 0;  // matrix and right-hand side
  double solve_seconds = 0;
};

/// What changed the energy in a step, joules: by sources - damping - outflow + residual.
struct EnergyChange {
  double sources = 0;   // work of sources, driven edges and incoming waves
  double damping = 0;   // lost in the medium
  double outflow = 0;   // through absorbing edges and rims, and into perfectly matched layers
  double residual = 0;  // work of what the solve left of its residual
  bool begins = false;  // the energy of three levels has no value before this step: nothing is summed up
};

/// What the stepper is made from. Lives as long as the stepper.
struct StepperSetup {
  const Model& model;
  const Scheme& scheme;
  const TimePlan& plan;
  SolverOptions solver;
  std::string format = "stencil";
  GuessOptions guess{};
  bool assemble_each_step = true;
  bool exact_energy = false;  // sim/time/exact_energy.hpp
  bool balance = false;       // steps keep what energy_change() needs
  bool track_maximum = false, track_arrival = false;
  double arrival_threshold = 0;   // metres
  Ranks* ranks = nullptr;         // that share out the rows; null: all are here
  PartsOfRanks* parts = nullptr;  // what they have of planes that are read; may be null
};

/// The system A d = b of a step where it lies on the device, and what the stepper knows of it.
template <class T>
struct SystemOn {
  std::variant<UniformCoefficients<T>, VariableCoefficients<T>, UniformNinePointCoefficients<T>,
               NinePointCoefficients<T>>
      medium;
  double weight = 0;  // A = M + D/2 + weight K
  const T* b = nullptr;
  Norms whole;  // of b + A u, the right-hand side of the system for u(n+1) itself
};
using DeviceSystem = std::variant<SystemOn<double>, SystemOn<float>>;

class Stepper {
 public:
  virtual ~Stepper() = default;

  /// From t = n dt to (n + 1) dt.
  StepResult step(long n) { return steps(n, n + 1, {}).front(); }
  /// From t = n dt on, several steps where scheme and method can do that, but not beyond step `until`: a result for each that
  /// was taken. All but the last have converged; of the steps in between nothing can be read. `sampled` says after which of
  /// these receivers are sampled.
  virtual std::vector<StepResult> steps(long n, long until, const std::function<bool(long)>& sampled) = 0;
  /// Saves all that decides the bits of later steps, of what is read and of samples not yet taken; or takes
  /// it from a stepper of the same setup. Without `solver`, what guess and method have learnt is left out: the
  /// setup may name others.
  virtual void archive(Archive& archive, bool solver = true) = 0;
  /// Energy of the form that is stepped (design: docs/math.md, section 5), times m_ref dx dy: joules.
  virtual double energy() = 0;
  /// Of the last step; the setup asked for it.
  virtual EnergyChange energy_change() = 0;
  /// Whether the state is finite: largest magnitude of the displacement.
  virtual double largest_displacement() = 0;
  /// A quantity on the nodes of a window at time `t` (driven edges show their signal), rows of y: count[1] x
  /// count[0] floats or doubles. Returns before they are there; steps may follow at once. Where ranks share out the rows, all
  /// of them ask, and rank 0 has the values.
  virtual Values read(Quantity quantity, const Window& window, double t, bool single) = 0;
  /// Keeps one sample of all receivers on the device; returns false when its buffer was full and has to be
  /// taken first.
  virtual bool sample(double t) = 0;
  /// Takes the kept samples, oldest first. Of ranks, as `read`.
  virtual std::vector<std::vector<double>> samples() = 0;
  virtual const OperationCounts& counts() const = 0;
  /// What method and preconditioner chose or found at their set-up; empty if nothing, or before a step.
  virtual std::string set_up() const = 0;

  /// The system as it is handed to the solver, for tests and studies: dense A, and b of Pozzo et al. Eq. 13,
  /// that is of A u(n+1) = b, before step n. Row by row over the unknowns; small systems only.
  struct System {
    std::vector<std::vector<double>> A;
    std::vector<double> b;
  };
  virtual System system(long n) = 0;
  /// The same where it lies, for studies: complete when this returns. b and the norms hold until the next
  /// step.
  virtual DeviceSystem device_system(long n) = 0;
  /// d of the last step's system, until the next: solves may leave it elsewhere each time. It is not saved.
  virtual std::variant<const double*, const float*> increment() = 0;
};

/// On a device of the kind "cpu" or "cuda". `single`: the fields are floats. Throws InputError for unknown solver names,
/// DeviceError if the device cannot. The CUDA version exists in builds with CUDA.
std::unique_ptr<Stepper> make_stepper(const std::string& device, bool single, const StepperSetup& setup);
std::unique_ptr<Stepper> make_host_stepper(bool single, const StepperSetup& setup);
std::unique_ptr<Stepper> make_cuda_stepper(bool single, const StepperSetup& setup);

}  // namespace wavesim
