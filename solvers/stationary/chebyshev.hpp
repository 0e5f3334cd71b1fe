#pragma once
// The Chebyshev iteration on D^-1 A (Golub & Varga 1961; Saad, "Iterative methods for sparse linear systems",
// algorithm 12.1), for symmetric positive definite A whose spectrum is known between two bounds. It needs no
// inner product but that of the stop test: its coefficients are known before it starts.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "solvers/core/fused_loop.hpp"
#include "solvers/krylov/lanczos.hpp"

namespace wavesim {

/// The coefficients of the iterations one after the other, for eigenvalues within the bounds.
class ChebyshevSeries {
 public:
  ChebyshevSeries() = default;
  explicit ChebyshevSeries(const Bounds& b)
      : centre_((b.largest + b.least) / 2), radius_((b.largest - b.least) / 2), rho_(radius_ / centre_) {}
  void restart() {
    rho_ = radius_ / centre_;
    first_ = true;
  }
  ThreeTerm next() {
    if (first_) {
      first_ = false;
      return {0, 1 / centre_};
    }
    const double rho = radius_ > 0 ? 1 / (2 * centre_ / radius_ - rho_) : 0, momentum = rho * rho_;
    rho_ = rho;
    // around 1 the two are the same, and the latter says so to the last digit: x drops out of the step
    if (centre_ != 1 && radius_ > 0) return {momentum, 2 * rho / radius_};
    return {momentum, (1 + momentum) / centre_};
  }

 private:
  double centre_ = 1, radius_ = 0, rho_ = 0;
  bool first_ = true;
};

/// Bounds as far above 1 as below. Discs of Gershgorin for D^-1 A are around 1. Where no element off the diagonal is
/// positive, as in systems of five points, `least_is_enough`: |1 - lambda| is at most the largest eigenvalue of
/// 1 - D^-1 A (Perron and Frobenius), which is 1 less the least of D^-1 A. That belongs to a slowly varying field.
inline Bounds around_one(const Bounds& b, bool least_is_enough) {
  constexpr double rounding = 1e-12;
  if (!least_is_enough && b.largest - 1 > (1 - b.least) * (1 + rounding)) return {2 - b.largest, b.largest};
  return {b.least, 2 - b.least};
}

/// Bounds of the eigenvalues of D^-1 A, and where they are from.
struct Spectrum {
  Bounds bounds;
  std::string source;
  std::string text() const {
    char t[100];
    std::snprintf(t, sizeof t, "eigenvalues of D^-1 A between %.3g and %.3g, after %s", bounds.least,
                  bounds.largest, source.c_str());
    return t;
  }
};

/// `source`: "gershgorin", whose bounds are good ones for the wave system (the row sums of A are its masses),
/// which is "auto", too, or "lanczos". Throws InputError where zero lies within.
template <class B, class T>
Spectrum spectrum_of(B& be, const Operator<B, T>& A, const std::string& source, const std::string& who) {
  Buffer<B, Bounds> scratch(be, 1);
  A.gershgorin(scratch.data());
  const Bounds b = scratch.download()[0];
  if (source != "lanczos") {
    if (!(b.least > 0))
      throw InputError(
          who +
          " needs bounds of the spectrum, and this matrix is not diagonally dominant; write bounds: "
          "lanczos, or try method: cg");
    return {around_one(b, true), "Gershgorin"};
  }
  const Bounds found = Lanczos<B, T>(be, A.extent()).bounds(A, who);
  return {{std::max(found.least, b.least), std::min(found.largest, b.largest)},
          "Lanczos"};  // the closer ones
}

/// Where the bounds of a method are from.
inline std::string bounds_source(const SolverOptions& options) {
  const std::string word = options.choices.word(option::bounds);
  return word == "auto" && options.few_weak_rows ? "lanczos" : word;
}

/// Steps that each begin anew, with momentum 0, need neither x_before nor its place: fewer words, but the
/// polynomial of a pass reduces by 1 / T_K(1 / rho) instead of its tail's r^K. Worth it while that is not
/// much less: for small condition numbers.
inline bool restarts(const Bounds& b, int steps) {
  const double root = std::sqrt(b.largest / b.least), tail = steps * std::log((root + 1) / (root - 1));
  return !(b.largest > b.least) || std::log(std::cosh(tail)) > 0.75 * tail;
}

/// The steps of a pass of a step in time. Smooth fields lie at one eigenvalue (Operator::eigenvalue_of_smooth): a
/// pass that starts from zero and gives two of its steps a zero there solves for them as a guess of fifth order in the
/// time step would, and for rough ones four times less well. `smooth`: that eigenvalue; 0: fields are rough.
inline std::vector<ThreeTerm> fused_step_sweeps(const Bounds& b, int steps, double smooth) {
  std::vector<ThreeTerm> list;
  if (smooth > 0) list.assign(2, ThreeTerm{0, 1 / smooth});
  for (ChebyshevSeries series(b); int(list.size()) < steps;) list.push_back(series.next());
  return list;
}

/// Where the operator has blocked sweeps, K of them are one pass over memory, which also knows the residual that it
/// leaves: no other pass is needed. Elsewhere they are taken one by one, and the stop test sees the residual
/// before the last of them.
template <class B, class T>
class Chebyshev : public FusedLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Chebyshev(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : FusedLoop<B, T>(backend, A.extent(), options),
        other_(backend, A.extent()),
        norms_(backend, 1),
        step_norms_(backend, 1),
        source_(bounds_source(options)),
        wanted_sweeps_(options.choices.count(option::sweeps_a_pass)),
        most_(options.max_iterations) {}

  std::string describe() const override { return spectrum_.text(); }
  void archive(Archive& a, const Operator<B, T>&) override {
    a.number("next first pass is smooth", smooth_);
    a.number("passes after a rough first one", passes_of_[0]);
    a.number("passes after a smooth first one", passes_of_[1]);
    a.number("steps of more than one pass", more_than_one_);
  }

 protected:
  void set_up(const Operator<B, T>& A) override {
    Spectrum spectrum = spectrum_of(this->be_, A, source_, "method: chebyshev");
    blocked_ = A.blocked_sweep_count() > 0 && wanted_sweeps_ == int(option::sweeps_a_pass.usual);
    sweeps_ = blocked_ ? A.blocked_sweep_count() : wanted_sweeps_;
    const Bounds& b = spectrum.bounds;
    if (blocked_) spectrum.bounds = around_one(b, A.eigenvalue_of_smooth(b) <= b.least);
    use(spectrum);
    restarts_ = restarts(spectrum_.bounds, sweeps_);
    if (blocked_ && !restarts_ && before_[0].extent().nx == 0)
      for (Vector& v : before_) v = Vector(this->be_, A.extent());
  }
  void use(const Spectrum& spectrum) {
    spectrum_ = spectrum;
    series_ = ChebyshevSeries(spectrum.bounds);
  }
  Vector* residual() override { return nullptr; }
  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {
    series_.restart();
    pass_ = 0;
  }
  void step(const Operator<B, T>& A, Preconditioner<B, T>*, const Vector& b, Vector& x) override {
    const int n = std::min(sweeps_, most_ - pass_ * sweeps_);  // the last pass may be a shorter one
    if (n <= 0) return;
    if (blocked_ && restarts_) series_.restart();
    std::vector<ThreeTerm> steps;
    for (int k = 0; k < n; ++k) steps.push_back(series_.next());
    const std::size_t of_a_pass = blocked_ ? sweeps_ : n + n % 2;
    steps.resize(of_a_pass, ThreeTerm{0, 0});  // steps that leave x as it is
    const bool forth = pass_ % 2 == 0, first = pass_ == 0;
    ++pass_;
    if (!blocked_) return A.sweeps(b, x, other_, steps, norms_.data(), this->recorded(nullptr, {}, n));

    // there and back between x and the other vector
    From<B, T> from{first && this->from_zero_ ? nullptr : forth ? &x : &other_};
    To<B, T> to{forth ? &other_ : &x};
    if (!restarts_) from.before = first ? nullptr : &before_[!forth], to.before = &before_[forth];
    A.blocked_sweeps(b, from, to, steps, norms_.data(),
                     {Epilogue::conclude, this->control_.data(), nullptr, nullptr, {}, n});
  }
  int iterations_per_step() const override { return sweeps_; }
  bool finishes() const override { return true; }
  /// An odd number of passes has left the solution in the other vector. Sweeps taken one by one have there
  /// what met the goal: the last one may let the residual grow again.
  void finish(Preconditioner<B, T>*, Vector& x, const IterationState& c) override {
    if (blocked_ ? c.steps % 2 == 1 : c.status == Status::claimed && c.iteration > 0) std::swap(x, other_);
  }

  bool can_fuse_steps(const Operator<B, T>& A, FusedForm form) const override {
    return blocked_ && restarts_ && A.fuses(form);
  }
  void fused_pass(const Operator<B, T>& A, const FusedStep<B, T>& step, int pass,
                  IterationState* control) override {
    const bool first = pass == 0;
    const double smooth = first && smooth_ ? A.eigenvalue_of_smooth(spectrum_.bounds) : 0;
    A.fused_step(
        step, fused_step_sweeps(spectrum_.bounds, sweeps_, smooth), step_norms_.data(),
        {first ? Epilogue::begin_and_conclude : Epilogue::conclude, control, nullptr, nullptr, {}, sweeps_});
  }
  /// The next first pass is of the kind that took fewer passes when it was last tried. While one is not
  /// enough, the other kind gets a chance at once, and again now and then.
  void fused_step_ended(const IterationState& c) override {
    passes_of_[smooth_] = c.steps;
    const int other = passes_of_[!smooth_];  // 0: not tried yet
    const bool better = other == 0 ? c.steps > 1 : other < c.steps;
    if (better || (c.steps > 1 && ++more_than_one_ % tries_after == 0)) smooth_ = !smooth_;
  }
  int steps_alike(int passes) const override {
    if (passes == 1) return this->most_in_a_row;
    const int other = passes_of_[!smooth_];
    return other == 0 || other < passes ? 1 : tries_after - more_than_one_ % tries_after;
  }

 private:
  static constexpr int tries_after = 50;
  Vector other_, before_[2];
  Buffer<B, Norms> norms_;
  Buffer<B, StepNorms> step_norms_;
  bool smooth_ = true;
  int passes_of_[2] = {0, 0};  // that steps took whose first pass was for rough and for smooth fields
  int more_than_one_ = 0;      // steps that took more than one
  std::string source_;
  int wanted_sweeps_, sweeps_ = 1, most_, pass_ = 0;
  bool blocked_ = false, restarts_ = false;
  Spectrum spectrum_;
  ChebyshevSeries series_;
};

}  // namespace wavesim
