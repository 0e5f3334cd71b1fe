#pragma once
// The system A d = b of a step: its matrix, its right-hand side, and the norms that its tolerance is relative
// to.

#include <cmath>
#include <memory>

#include "kernels/reduce/reduce.hpp"
#include "sim/time/forces_on.hpp"
#include "sim/time/medium_on.hpp"
#include "sim/time/pml_on.hpp"
#include "sim/time/state.hpp"
#include "sim/time/terms.hpp"
#include "solvers/catalogue/make.hpp"

namespace wavesim {

/// What the system is made from, and with it each way to step.
template <class B, class T, class Coefficients>
struct WaveOn {
  B& backend;
  const StepperSetup& setup;
  const MediumOn<B, T, Coefficients>& medium;
  ForcesOn<B, T>& forces;
  PmlOn<B, T>& pml;
  State<B, T>& state;

  /// to += times (M + damped D)^-1 the forces of step n
  void push(const StepForm& form, long n, Field<B, T>& to, double times, double damped = 0) const {
    ForceWeights weights = force_weights(form);
    weights.scale(times);
    const OverMass<Coefficients> over{medium.view(), to.extent().starts(), damped};
    forces.add(to, weights, setup.plan.dt * double(n), setup.plan.dt, over);
    pml.add(to, times, over);
  }
  /// The part of it that passes of several steps leave out: there, one is taken at a time.
  bool pushes_late() const { return pml.any() || forces.moving(); }
  void push_late(const StepForm& form, long n, Field<B, T>& u, Field<B, T>& p) const {
    const OverMass<Coefficients> over{medium.view(), u.extent().starts(), 0.5};
    for (Field<B, T>* to : {&u, &p})
      forces.add_moving(*to, force_weights(form), setup.plan.dt * double(n), setup.plan.dt, over);
    pml.add_to_both(u, p, OverMassOfLeapfrog<T, Coefficients>{medium.view(), u.extent().starts()});
  }
};

template <class B, class T, class Coefficients>
class StepSystem {
 public:
  using Vector = Field<B, T>;
  using Wave = WaveOn<B, T, Coefficients>;
  /// `solved`: in steps; else b and d have memory once somebody asks for the system.
  StepSystem(const Wave& wave, Extent e, bool solved)
      : wave_(wave),
        e_(e),
        norms_(wave.backend, 1),
        A_(make_operator<B, T>(wave.setup.format, wave.backend, e, wave.medium.view())) {
    if (solved) make_room();
  }

  Vector b, d;
  const WaveOperator<B, T>& A() const { return *A_; }
  WaveOperator<B, T>& A() { return *A_; }

  /// A = M + D/2 + w+ K. Returns whether it is another one than before.
  bool assemble(const StepForm& form) {
    const bool another = form.implicit_weight != assembled_weight_;
    if (wave_.setup.assemble_each_step || another) A_->assemble(0.5, form.implicit_weight);
    assembled_weight_ = form.implicit_weight;
    return another;
  }

  /// b = M p - beta D p + gamma K p - delta K u + forces; d = 0 as well if `clear`.
  void right_hand_side(const StepForm& form, long n, bool clear = false) {
    if (b.extent().nx == 0) make_room();
    const State<B, T>& s = wave_.state;
    wave_.backend.fetch_ghosts(1, s.u, s.p);
    const RightHandSide<T, Coefficients> at{wave_.medium.view(), s.u.data(),    s.p.data(),
                                            T(form.beta_dt),     T(form.gamma), T(form.delta),
                                            form.correction != 0};
    const char* label = "b = M p - beta D p + gamma K p - delta K u";
    const double read = (2 + Coefficients::words) * sizeof(T);
    const Rows rows{e_, at.c.edges()};
    if (clear)
      wave_.backend.rows(
          label, rows, read,
          [=] KERNEL(Row r, T & bi, T & di) {
            bi = at(r);
            di = 0;
          },
          b.out(), d.out());
    else
      wave_.backend.rows(
          label, rows, read, [=] KERNEL(Row r, T & bi) { bi = at(r); }, b.out());
    const double dt = wave_.setup.plan.dt;
    wave_.forces.add(b, force_weights(form), dt * double(n), dt);
    wave_.pml.add(b, 1, AsItIs{});
  }
  /// b = c K (d - p) - damping that the first system left, of the system that corrects d.
  void right_hand_side_of_correction(const StepForm& form, long n) {
    wave_.backend.fetch_ghosts(1, wave_.state.p, d);
    const CorrectionRightHandSide<T, Coefficients> at{wave_.medium.view(), wave_.state.p.data(), d.data(),
                                                      T(form.correction), T(form.beta_dt + 0.5)};
    wave_.backend.rows(
        "b = c K (d - p) - D p that is left", Rows{e_, at.c.edges()}, (2 + Coefficients::words) * sizeof(T),
        [=] KERNEL(Row r, T & bi) { bi = at(r); }, b.out());
    const double dt = wave_.setup.plan.dt;
    wave_.forces.add(b, force_weights_of_correction(form), dt * double(n), dt);
  }

  /// Norms of b + A u, the right-hand side of the system for u(n+1) itself, after right_hand_side.
  const Norms* norms_of_whole_right_hand_side(const StepForm& form) {
    const Coefficients c = wave_.medium.view();
    const T *const u = wave_.state.u.data(), *const rhs = b.data();
    const T weight = T(form.implicit_weight);
    wave_.backend.rows_sum(
        "|b + A u|", Rows{e_, c.edges()}, (2 + Coefficients::words) * sizeof(T), norms_.data(),
        [=] KERNEL(Row r) {
          const auto at = c.at(r);
          const T inert = inertia(at, c.topology, r, T(0.5), u);
          return Norms::of(rhs[r.i] + std::fma(weight, stiffness(at, c.topology, r, u), inert));
        },
        NoEpilogue{});
    return norms_.data();
  }

  /// Dense A, and b + A u, row by row over the unknowns. For small systems: a product for each unknown.
  Stepper::System dense() {
    B& be = wave_.backend;
    const std::vector<T> rhs = b.memory().download(), u = wave_.state.u.memory().download();
    std::vector<std::size_t> points;  // places in memory, ghost row included
    for (int row = 0; row < e_.ny; ++row)
      for (int col = 0; col < e_.nx; ++col) points.push_back(std::size_t(row + 1) * e_.pitch + col);
    Stepper::System s;
    Vector x(be, e_), y(be, e_);
    for (std::size_t i : points) {
      std::vector<T> unit(x.memory().size(), T(0));
      unit[i] = 1;
      x.memory().upload(unit);
      A_->apply(x, y);
      const std::vector<T> column = y.memory().download();
      s.A.emplace_back();
      for (std::size_t j : points)
        s.A.back().push_back(double(column[j]));  // A is symmetric: a column is a row
    }
    for (std::size_t k = 0; k < points.size(); ++k) {
      double sum = double(rhs[points[k]]);
      for (std::size_t j = 0; j < points.size(); ++j) sum += s.A[k][j] * double(u[points[j]]);
      s.b.push_back(sum);
    }
    return s;
  }

  /// The matrix follows from its weight.
  void archive(Archive& a) {
    a.number("implicit weight", assembled_weight_);
    if (a.loading() && assembled_weight_ >= 0) A_->assemble(0.5, assembled_weight_);
  }

 private:
  void make_room() { b = Vector(wave_.backend, e_), d = Vector(wave_.backend, e_); }

  const Wave& wave_;
  Extent e_;
  Buffer<B, Norms> norms_;
  std::unique_ptr<WaveOperator<B, T>> A_;
  double assembled_weight_ = -1;
};

}  // namespace wavesim
