// For both backends.
#include "sim/time/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/stopwatch.hpp"
#include "sim/time/forces_on.hpp"
#include "sim/time/guess_on.hpp"
#include "sim/time/medium_on.hpp"
#include "sim/time/read_out.hpp"
#include "sim/time/receivers_on.hpp"
#include "sim/time/terms.hpp"
#include "solvers/catalogue/make.hpp"

namespace wavesim {

namespace {

template <class B, class T, class Coefficients>
class StepperOn final : public Stepper {
  using Vector = Field<B, T>;

 public:
  StepperOn(const StepperSetup& setup, HostCoefficients host)
      : setup_(setup),
        unknowns_(make_unknowns(setup.model)),
        e_(unknowns_.extent),
        reference_mass_(host.reference_mass),
        half_(host.half),
        medium_(be_, unknowns_, host),
        u_(be_, e_),
        p_(be_, e_),
        b_(be_, e_),
        d_(be_, e_),
        norms_(be_, 1),
        energy_(be_, 1),
        forces_(be_, std::move(host.forces)),
        receivers_(be_, setup.model, unknowns_),
        read_out_(be_),
        clock_(be_) {
    fill(setup.model.displacement, 1, u_);
    fill(setup.model.velocity, setup.plan.dt, p_);
    A_ = make_operator<B, T>(setup.format, be_, e_, medium_.view());
    if (setup.scheme.solves) {
      SolverOptions options = setup.solver;
      options.expected_solves = setup.plan.steps;
      solver_ = make_solver<B, T>(options, be_, *A_);
      preconditioner_ = make_outer_preconditioner<B, T>(setup.solver, be_, *A_);
      guess_ = make_guess<B, T>(setup.guess, be_, e_);
    }
    if (setup.track_maximum) maximum_ = Vector(be_, e_);
    if (setup.track_arrival) {
      arrival_ = Vector(be_, e_);
      arrival_.memory().upload(std::vector<T>(arrival_.memory().size(), T(NAN)));  // not yet
    }
    track(0);
  }

  StepResult step(long n) override {
    StepResult result;
    if (!setup_.scheme.solves) return explicit_step(assemble(n), n);
    if (A_->stores_product()) clock_.mark(0);
    const StepForm& form = assemble(n);
    const bool at_once = takes_fused_steps(form);
    if (at_once) {
      // Waited for, so that no mark is needed for it: they would take a quarter of a short step.
      if (A_->stores_product()) clock_.mark(1), result.assembly_seconds = clock_.seconds(0, 1);
      result.report = fused_step(form, n);
      result.solve_seconds = result.report.seconds;
      if (result.report.converged() || takes_fused_steps(form)) {
        track(setup_.plan.dt * double(n + 1));
        return result;
      }
    }
    if (at_once || !A_->stores_product()) clock_.mark(0);
    const bool from_zero = setup_.guess.kind == "previous";
    right_hand_side(form, n, from_zero);
    clock_.mark(1);
    const bool zero = !guess_->before(b_, d_);
    if (zero && !from_zero) be_.zero(d_.memory().data(), d_.memory().size());
    const Norms* reference =
        setup_.solver.norm == "increment" ? nullptr : norms_of_whole_right_hand_side(form);
    result.report = solver_->solve(*A_, preconditioner_.get(), b_, d_, zero, reference);
    clock_.mark(2);
    guess_->after(*A_, b_, d_);
    advance(form);
    track(setup_.plan.dt * double(n + 1));
    // Not waited for: the next step is enqueued meanwhile.
    result.assembly_seconds += clock_.seconds(0, 1);
    result.solve_seconds = clock_.seconds(1, 2);
    return result;
  }

  double energy() override {
    const Coefficients c = medium_.view();
    const T *u = u_.data(), *p = p_.data();
    be_.rows_sum(
        "energy", e_, (2 + Coefficients::words) * sizeof(T), energy_.data(),
        [=] HD(Row r) {
          const Point<T> at = c.at(r);
          return Sum<4>{{double(at.mass) * p[r.i] * p[r.i], strain(at, c.topology, r, u, u),
                         strain(at, c.topology, r, u, p), strain(at, c.topology, r, p, p)}};
        },
        NoTail{});
    const Sum<4> s = energy_.download()[0];
    const double pMp = s.v[0], uKu = s.v[1], uKp = s.v[2], pKp = s.v[3];
    const auto& w = setup_.scheme.weights;
    const bool three_levels = setup_.scheme.step.carry == 1;
    double twice = pMp + uKu;                                     // first-order form, and two-level
    if (three_levels && w[2] == w[0]) twice += w[0] * pKp - uKp;  // u(n)'K u(n+1) = u'Ku - u'Kd
    const Grid& g = setup_.model.grid;
    return 0.5 * twice * reference_mass_ * g.spacing[0] * g.spacing[1] / (setup_.plan.dt * setup_.plan.dt);
  }

  double largest_displacement() override {
    be_.map_sum("|u|", e_.count(), norms_.data(), NormsOf{}, NoTail{}, u_.in());
    return norms_.download()[0].largest;
  }

  Values read(Quantity q, const Window& w, double t, bool single) override {
    return single ? read_as<float>(q, w, t) : read_as<double>(q, w, t);
  }

  bool sample(double t) override {
    if (receivers_.full()) return false;
    receivers_.sample(u_, t);
    return true;
  }
  std::vector<std::vector<double>> samples() override {
    return receivers_.take([this](int side, double t) { return edge_value(side, t); });
  }

  const OperationCounts& counts() const override { return be_.counts(); }
  std::string set_up() const override {
    return solver_ ? describe(setup_.solver, *solver_, preconditioner_.get()) : "";
  }

  System system(long n) override {
    const StepForm& form = assemble(n);
    right_hand_side(form, n);
    const std::vector<T> b = b_.memory().download(), u = u_.memory().download();
    std::vector<std::size_t> points;  // places in memory, ghost row included
    for (int row = 0; row < e_.ny; ++row)
      for (int col = 0; col < e_.nx; ++col) points.push_back(std::size_t(row + 1) * e_.pitch + col);
    System s;
    Vector x(be_, e_), y(be_, e_);
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
      double sum = double(b[points[k]]);
      for (std::size_t j = 0; j < points.size(); ++j) sum += s.A[k][j] * double(u[points[j]]);
      s.b.push_back(sum);
    }
    return s;
  }

  DeviceSystem device_system(long n) override {
    const StepForm& form = assemble(n);
    right_hand_side(form, n);
    SystemOn<T> s{medium_.view(), form.implicit_weight, b_.data(), {}};
    be_.download(&s.whole, norms_of_whole_right_hand_side(form), 1);
    be_.synchronize();
    return s;
  }

  std::variant<const double*, const float*> increment() override {
    if (at_once_) {  // the state before the step is where the next one goes
      be_.map(
          "d = u(n+1) - u(n)", e_.count(), [] HD(const T& now, const T& before, T& d) { d = now - before; },
          u_.in(), u_to_.in(), d_.out());
      at_once_ = false;
    }
    return static_cast<const T*>(d_.data());
  }

  // The parts of a step; public, because nvcc wants the enclosing function of a device lambda to be.

  /// A = M + D/2 + w+ K
  const StepForm& assemble(long n) {
    const StepForm& form = n == 0 ? setup_.scheme.start : setup_.scheme.step;
    if (setup_.assemble_each_step || form.implicit_weight != assembled_weight_) {
      A_->assemble(0.5, form.implicit_weight);
      if (guess_ && form.implicit_weight != assembled_weight_) guess_->forget();
      assembled_weight_ = form.implicit_weight;
    }
    return form;
  }

  /// b = M p - beta D p + gamma K p - delta K u + forces; d = 0 as well if `clear`.
  void right_hand_side(const StepForm& form, long n, bool clear = false) {
    const RightHandSide<T, Coefficients> at{medium_.view(),  u_.data(),     p_.data(),
                                            T(form.beta_dt), T(form.gamma), T(form.delta)};
    const char* label = "b = M p - beta D p + gamma K p - delta K u";
    const double read = (2 + Coefficients::words) * sizeof(T);
    const Rows rows{e_, at.c.edges()};
    if (clear)
      be_.rows(
          label, rows, read,
          [=] HD(Row r, T & b, T & d) {
            b = at(r);
            d = 0;
          },
          b_.out(), d_.out());
    else
      be_.rows(
          label, rows, read, [=] HD(Row r, T & b) { b = at(r); }, b_.out());
    forces_.add(b_, form.force, setup_.plan.dt * double(n), setup_.plan.dt);
  }

  /// Whether the solver makes b and adds the increment in its own passes: for the first-order form, from a
  /// zero guess.
  bool takes_fused_steps(const StepForm& form) {
    return setup_.scheme.solves && setup_.guess.kind == "previous" && !preconditioner_ && form.gamma == 0 &&
           form.beta_dt == 0 && solver_->fused() && solver_->fused()->takes_fused_steps(*A_);
  }
  /// The step in one pass over the fields, or a few. Forces enter through p, of which b has M p. If it fails
  /// u and p are as before, but for what rounding leaves of forces that come and go.
  Report fused_step(const StepForm& form, long n) {
    for (Vector* v : {&u_to_, &u_spare_, &p_to_})
      if (v->extent().nx == 0) *v = Vector(be_, e_);
    push(form, n, p_, 1);
    FusedStep<B, T> step{&u_, &p_, &u_to_, &p_to_, form.delta, form.carry, setup_.solver.norm != "increment"};
    const auto [report, latest] = solver_->fused()->fused_step(*A_, step, u_spare_);
    if (!report.converged() && !takes_fused_steps(form)) {
      push(form, n, p_, -1);
      return report;
    }
    push(form, n, p_to_, form.carry - 1);  // p_to has (1 - carry) of what was added
    if (latest != &u_to_) std::swap(u_to_, u_spare_);
    std::swap(u_, u_to_);
    std::swap(p_, p_to_);
    at_once_ = true;
    return report;
  }
  /// A step is enqueued while the last one runs: its seconds are those of the step before, and the last of
  /// all has its own as well.
  StepResult explicit_step(const StepForm& form, long n) {
    StepResult result;
    const int last = explicit_mark_, now = last == 2 ? 0 : 2;
    clock_.mark(now);
    result.report.status = advance_explicitly(form, n);
    track(setup_.plan.dt * double(n + 1));
    clock_.mark(now + 1);
    if (last >= 0) result.solve_seconds = clock_.seconds(last, last + 1);
    if (n + 1 == setup_.plan.steps) result.solve_seconds += clock_.seconds(now, now + 1);
    explicit_mark_ = now;
    return result;
  }

  /// Norms of b + A u, the right-hand side of the system for u(n+1) itself.
  const Norms* norms_of_whole_right_hand_side(const StepForm& form) {
    const Coefficients c = medium_.view();
    const T *u = u_.data(), *b = b_.data();
    const T weight = T(form.implicit_weight);
    be_.rows_sum(
        "|b + A u|", Rows{e_, c.edges()}, (2 + Coefficients::words) * sizeof(T), norms_.data(),
        [=] HD(Row r) {
          const Point<T> at = c.at(r);
          const T mass = at.mass + T(0.5) * at.damping;
          return Norms::of(b[r.i] + std::fma(weight, stiffness(at, c.topology, r, u), mass * u[r.i]));
        },
        NoTail{});
    return norms_.data();
  }

  /// d = (M p - beta D p - delta K u + forces) / (M + D/2), u += d, p = carry d + (1 - carry) p, in one pass
  /// over the fields; forces are added where they are. Looked at every hundredth step: what grows is found
  /// soon enough.
  Status advance_explicitly(const StepForm& form, long n) {
    if (u_to_.extent().nx == 0) u_to_ = Vector(be_, e_);
    const ExplicitStep<T, Coefficients> at{medium_.view(), u_.data(), T(form.beta_dt), T(form.delta),
                                           T(form.carry)};
    const char* label = "d = (M p - beta D p - delta K u) / (M + D/2), u += d, p = carry d + (1 - carry) p";
    const double read = (1 + Coefficients::words) * sizeof(T);
    const Rows rows{e_, medium_.view().edges()};
    const bool look = n % 100 == 99 || n + 1 == setup_.plan.steps;
    if (look)
      be_.rows_sum(
          label, rows, read, norms_.data(),
          [=] HD(Row r, T & u_to, T & p) { return Norms::of(at(r, u_to, p)); }, NoTail{}, u_to_.out(),
          p_.inout());
    else
      be_.rows(
          label, rows, read, [=] HD(Row r, T & u_to, T & p) { at(r, u_to, p); }, u_to_.out(), p_.inout());
    push(form, n, u_to_, 1, 0.5);
    push(form, n, p_, form.carry, 0.5);
    std::swap(u_, u_to_);
    at_once_ = true;
    return look && !IterationState::finite(norms_.download()[0]) ? Status::not_finite : Status::converged;
  }

  /// u += d, p = carry d + (1 - carry) p
  void advance(const StepForm& form) {
    const T carry = T(form.carry);
    be_.map(
        "u += d, p = carry d + (1 - carry) p", e_.count(),
        [=] HD(const T& d, T& u, T& p) {
          u += d;
          p = std::fma(carry, d, (T(1) - carry) * p);
        },
        d_.in(), u_.inout(), p_.inout());
  }

  /// Maximum and first arrival so far.
  void track(double t) {
    const T time = T(t), threshold = T(setup_.arrival_threshold);
    if (setup_.track_maximum)
      be_.map(
          "max |u|", e_.count(),
          [] HD(const T& u, T& m) {
            const T size = u < 0 ? -u : u;
            m = size > m ? size : m;
          },
          u_.in(), maximum_.inout());
    if (setup_.track_arrival)
      be_.map(
          "arrival", e_.count(),
          [=] HD(const T& u, T& a) {
            const T size = u < 0 ? -u : u;
            a = a != a && size > threshold ? time : a;
          },
          u_.in(), arrival_.inout());
  }

 private:
  /// to += times (M + damped D)^-1 the forces of step n
  void push(const StepForm& form, long n, Vector& to, double times, double damped = 0) {
    auto weights = form.force;
    for (double& w : weights) w *= times;
    forces_.add(to, weights, setup_.plan.dt * double(n), setup_.plan.dt,
                OverMass<Coefficients>{medium_.view(), e_.pitch, damped});
  }
  /// The value of the nodes on a side that is no unknown.
  double edge_value(int side, double t) const {
    const EdgeCondition& edge = setup_.model.edges[side];
    return edge.kind == EdgeCondition::driven && edge.driven_by ? edge.driven_by->at(t) : 0;
  }

  template <class P>
  Values read_as(Quantity q, const Window& w, double t) {
    const double dt = setup_.plan.dt;
    StateView<T, Coefficients> state{medium_.view(),
                                     u_.data(),
                                     p_.data(),
                                     data_or_null(maximum_),
                                     data_or_null(arrival_),
                                     dt,
                                     reference_mass_ / (dt * dt),
                                     {}};
    EdgeValues edges{};
    for (int side = 0; side < 4; ++side) {
      state.half[side] = half_[side];
      if (q == Quantity::displacement) edges.side[side] = edge_value(side, t);
    }
    return read_out_.template read<P>(q, state, unknowns_, w, edges);
  }
  static const T* data_or_null(const Vector& v) { return v.extent().nx ? v.data() : nullptr; }

  /// to = scale * f on the unknowns inside the region.
  void fill(const NodeField& f, double scale, Vector& to) {
    const Model& m = setup_.model;
    if (f.uniform() && f.constant == 0) return;
    Array<T> v(to.memory().size());
#pragma omp parallel for schedule(static)
    for (int row = -1; row <= e_.ny; ++row) {  // ghost rows hold zeros, as padding does
      T* const line = v.data() + std::size_t(row + 1) * std::size_t(e_.pitch);
      std::fill_n(line, e_.pitch, T(0));
      if (row < 0 || row == e_.ny) continue;
      for (int col = 0; col < e_.nx; ++col) {
        const std::size_t i = m.grid.index(unknowns_.first[0] + col, unknowns_.first[1] + row);
        if (m.region.empty() || is_inside(m.region[i])) line[col] = T(scale * f[i]);
      }
    }
    be_.upload(to.memory().data(), v.data(), v.size());
  }

  const StepperSetup setup_;
  B be_;
  Unknowns unknowns_;
  Extent e_;
  double reference_mass_;
  std::array<double, 4> half_;
  MediumOn<B, T, Coefficients> medium_;
  Vector u_, p_, b_, d_, maximum_, arrival_;
  Vector u_to_, u_spare_, p_to_;  // of steps taken at once
  bool at_once_ = false;          // the last step was; d_ is older than that
  Buffer<B, Norms> norms_;
  Buffer<B, Sum<4>> energy_;
  ForcesOn<B, T> forces_;
  ReceiversOn<B, T> receivers_;
  ReadOut<B> read_out_;
  Stopwatch<B, 4> clock_;
  int explicit_mark_ = -1;  // of the last explicit step
  std::unique_ptr<FivePointOperator<B, T>> A_;
  std::unique_ptr<Solver<B, T>> solver_;
  std::unique_ptr<Preconditioner<B, T>> preconditioner_;
  std::unique_ptr<Guess<B, T>> guess_;
  double assembled_weight_ = -1;
};

template <class T>
std::unique_ptr<Stepper> make(const StepperSetup& setup) {
  HostCoefficients host = make_coefficients(setup.model, make_unknowns(setup.model), setup.plan.dt);
  if (host.varying)
    return std::make_unique<StepperOn<Backend, T, VariableCoefficients<T>>>(setup, std::move(host));
  return std::make_unique<StepperOn<Backend, T, UniformCoefficients<T>>>(setup, std::move(host));
}

}  // namespace

#ifdef __CUDACC__
std::unique_ptr<Stepper> make_cuda_stepper(bool single, const StepperSetup& setup) {
#else
std::unique_ptr<Stepper> make_host_stepper(bool single, const StepperSetup& setup) {
#endif
  return single ? make<float>(setup) : make<double>(setup);
}

}  // namespace wavesim
