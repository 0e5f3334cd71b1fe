#pragma once
// Several sweeps of a three-term recurrence in one pass over memory (kernels/temporal/blocked_sweeps.hpp),
// for operators that compute their rows. Defined in blocked_sweeps.cpp: the kernels are long, and compiled
// once.

#include "solvers/stationary/composed_sweeps.hpp"

namespace wavesim {

/// As many as registers hold. With nine points, of fewer a step in time of a smooth field mostly needs no more: its
/// systems are better conditioned.
template <class Stencil>
inline constexpr int sweeps_of_a_pass = 8;
template <>
inline constexpr int sweeps_of_a_pass<NinePoint> = 6;

/// Rows beside a rank's own that such a pass reads: one for each sweep, for the residual and for the right-hand side of a step
/// in time.
template <class Stencil>
inline constexpr int ghosts_of_a_pass = sweeps_of_a_pass<Stencil> + 2;

/// What passes read of A = M + a D + b K: of a constant medium a few numbers, of a varying one arrays
/// (kernels/temporal/scaled_medium.hpp), which are made when they are first asked for in a version of A.
template <class B, class T, class Coefficients>
class BlockedSystem {
  static_assert(Coefficients::uniform);

 public:
  using System = WaveSystem<T, Coefficients>;
  void prepare(B&, Extent, const System& system, long) { system_ = system; }
  void prepare_fused_steps(B&, Extent, const System& system, long) { system_ = system; }
  const System& system() const { return system_; }
  double damping() const { return 0; }
  /// A matrix of nine points is M too, which would take the neighbours of p.
  bool fuses(FusedForm form) const {
    if constexpr (nine)
      return form == FusedForm::three_levels && !system_.coefficients.damped();
    else
      return form == FusedForm::first_order;
  }
  /// Of a constant field: with nine points elements off the diagonal may be positive.
  double eigenvalue_of_smooth(const Bounds& bounds) const {
    if constexpr (nine) {
      const auto row = system_.row_of(system_.coefficients.inside());
      double sum = 0;
      for (const T entry : row.at) sum += double(entry);
      return sum / double(row[NinePoint::centre]);
    } else {
      return bounds.least;
    }
  }

 private:
  static constexpr bool nine = std::is_same_v<typename System::Stencil, NinePoint>;
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
  bool fuses(FusedForm form) const { return form == FusedForm::first_order; }
  double eigenvalue_of_smooth(const Bounds& bounds) const { return bounds.least; }
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

template <class B, class T>
class BlockedSystem<B, T, NinePointCoefficients<T>> {
 public:
  /// Its operator has A summed up.
  struct System {
    NinePointCoefficients<T> coefficients;
    NinePointMatrix<T> A;
    double a, b;
    const Topology& topology() const { return coefficients.topology; }
  };
  /// For A x = b.
  void prepare(B&, Extent, const System&, long version);
  /// For steps in time.
  void prepare_fused_steps(B&, Extent, const System&, long version);
  bool fuses(FusedForm form) const { return form == FusedForm::three_levels; }
  /// They have none in common; of steps by mass, the largest weight is one over this.
  double eigenvalue_of_smooth(const Bounds&) const { return 1; }
  const NinePointMedium<T>& medium() const { return medium_; }
  /// BlockedThreeLevelStep::damping
  double damping() const { return damping_; }
  /// For backends without a front for them.
  ComposedSweeps<B, T>& composed() const { return composed_; }

  // Public for nvcc, which takes kernels from public members only.
  void find_constant_stiffness(B&, Extent, const NinePointCoefficients<T>&);

 private:
  NinePointMedium<T> medium_;
  double damping_ = 0;
  Field<B, T> inverse_, weight_, mass_;
  Buffer<B, ConstantStiffness<T>> constant_;  // NinePointMedium::constant
  mutable ComposedSweeps<B, T> composed_;
  bool searched_ = false;
  long version_ = -1, fused_version_ = -1;
};

/// sweeps_of_a_pass steps x <- x + m (x - x_before) + w D^-1 (b - A x), with the norms of b - A x after the
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
