#pragma once
// Several sweeps of a three-term recurrence in one pass over memory (kernels/temporal/blocked_sweeps.hpp),
// for operators that compute their rows. Defined in blocked_sweeps.cpp: the kernels are long, and compiled
// once.

#include "kernels/temporal/scaled_medium.hpp"
#include "solvers/core/operator.hpp"

namespace wavesim {

/// As many as registers hold.
inline constexpr int sweeps_of_a_pass = 8;

/// What passes read of A = M + a D + b K: of a constant medium a few numbers, of a varying one arrays
/// (kernels/temporal/scaled_medium.hpp), which are made when they are first asked for in a version of A.
template <class B, class T, class Coefficients>
class BlockedSystem;

template <class B, class T>
class BlockedSystem<B, T, UniformCoefficients<T>> {
 public:
  using System = WaveSystem<T, UniformCoefficients<T>>;
  void prepare(B&, Extent, const System& system, long) { system_ = system; }
  void prepare_fused_steps(B&, Extent, const System& system, long) { system_ = system; }
  const System& system() const { return system_; }

 private:
  System system_;
};

template <class B, class T>
class BlockedSystem<B, T, VariableCoefficients<T>> {
 public:
  using System = WaveSystem<T, VariableCoefficients<T>>;
  static_assert(std::is_same_v<typename System::Stencil, FivePoint>, "ScaledMedium has four faces a point");
  /// For A x = b.
  void prepare(B&, Extent, const System&, long version);
  /// For steps in time.
  void prepare_fused_steps(B&, Extent, const System&, long version);
  const System& system() const { return system_; }
  template <bool damps>
  ScaledMedium<T, damps> medium() const {
    return {system_.topology(),    east_.data(),        north_.data(),
            sqrt_diagonal_.data(), scaled_mass_.data(), scaled_damped_mass_.data()};
  }

 private:
  System system_{};
  Field<B, T> east_, north_, sqrt_diagonal_, scaled_mass_, scaled_damped_mass_;
  long version_ = -1, fused_version_ = -1;
};

/// `sweeps_of_a_pass` steps x <- x + m (x - x_before) + w D^-1 (b - A x), with the norms of b - A x after the
/// last.
template <class B, class T, class Coefficients>
void run_blocked_sweeps(B& backend, Extent e, const BlockedSystem<B, T, Coefficients>& A,
                        const Field<B, T>& b, From<B, T> from, To<B, T> to,
                        const std::vector<ThreeTerm>& steps, Norms* norms, Epilogue then);

/// The same for a step in time, whose right-hand side is made in the pass.
template <class B, class T, class Coefficients>
void run_fused_step(B& backend, Extent e, const BlockedSystem<B, T, Coefficients>& A,
                    const FusedStep<B, T>& step, const std::vector<ThreeTerm>& steps, StepNorms* norms,
                    Epilogue then);

}  // namespace wavesim
