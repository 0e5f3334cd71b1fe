// For both backends.
#include "sim/study/bench.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "kernels/backend/backend.hpp"
#include "sim/time/guess_on.hpp"
#include "sim/time/medium_on.hpp"
#include "solvers/catalogue/make.hpp"

namespace wavesim {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  const std::size_t n = v.size();
  return n % 2 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

double ratio(double a, double b) { return b > 0 ? a / b : a; }

template <class T>
using Medium = decltype(SystemOn<T>::medium);

/// to <- from, in the precision of `to`.
template <class B, class To, class From>
void copy_points(B& be, const From* from, Field<B, To>& to) {
  be.rows(
      "copy", to.extent(), sizeof(From), [=] KERNEL(Row r, To & v) { v = To(from[r.i]); }, to.out());
}

/// The coefficients of a run in a precision that is not its own.
template <class B, class T>
class OtherMedium {
 public:
  OtherMedium(B& be, const StepperSetup& setup) {
    const Unknowns unknowns = make_unknowns(setup.model);
    const HostCoefficients host = make_coefficients(setup.model, unknowns, setup.plan.dt,
                                                    eigenvalue_to_keep(setup.scheme, setup.model));
    if (host.uniform_nine_points) {
      medium = MediumOn<B, T, UniformNinePointCoefficients<T>>(be, unknowns, host).view();
    } else if (host.nine_points) {
      nine_points_ = std::make_unique<MediumOn<B, T, NinePointCoefficients<T>>>(be, unknowns, host);
      medium = nine_points_->view();
    } else if (host.varying) {
      varying_ = std::make_unique<MediumOn<B, T, VariableCoefficients<T>>>(be, unknowns, host);
      medium = varying_->view();
    } else {
      medium = MediumOn<B, T, UniformCoefficients<T>>(be, unknowns, host).view();
    }
  }
  Medium<T> medium;

 private:
  std::unique_ptr<MediumOn<B, T, VariableCoefficients<T>>> varying_;
  std::unique_ptr<MediumOn<B, T, NinePointCoefficients<T>>> nine_points_;
};

/// Where a solve starts: zeros, or these values.
template <class S>
struct Start {
  const S* values;
  bool zero;
};

/// Solves of candidates in precision T, for a run in precision S.
template <class B, class T, class S>
class Solves {
 public:
  Solves(B& backend, Extent e, const Medium<T>& medium)
      : be_(backend), e_(e), medium_(medium), b_(be_, e), x_(be_, e), reference_(be_, 1) {}

  void take(const S* b, const Norms& whole) {
    copy_points(be_, b, b_);
    reference_.upload({whole});
  }

  Measured measure(const Trial& trial, double weight, Start<S> start) {
    Measured m;
    be_.synchronize();
    const double allocated = be_.counts().allocated, begin = now();
    const auto A =
        std::visit([&](const auto& c) { return make_operator<B, T>(trial.format, be_, e_, c); }, medium_);
    const auto solver = make_solver<B, T>(trial.solver, be_, *A);
    const auto M = make_outer_preconditioner<B, T>(trial.solver, be_, *A);
    A->assemble(0.5, weight);
    be_.synchronize();
    m.setup_seconds = now() - begin;

    const Norms* reference = trial.solver.norm == "increment" ? nullptr : reference_.data();
    std::vector<double> seconds;
    for (int k = 0; k < trial.warm_up + trial.repetitions; ++k) {
      if (start.zero)
        x_.clear();
      else
        copy_points(be_, start.values, x_);
      be_.synchronize();
      m.report = solver->solve(*A, M.get(), b_, x_, start.zero, reference);
      if (k == 0) m.setup_seconds += m.report.setup_seconds;
      if (k >= trial.warm_up || !m.report.converged()) seconds.push_back(m.report.seconds);
      if (!m.report.converged()) break;  // it would fail again
    }
    m.seconds = median(seconds);
    m.least_seconds = *std::min_element(seconds.begin(), seconds.end());
    m.memory = be_.counts().allocated - allocated;
    m.report.history = solver->history();
    const Norms& to = m.report.reference;
    for (double& v : m.report.history)
      v = ratio(v, m.report.norm == Norm::max ? to.largest : std::sqrt(to.squares));
    return m;
  }

  const T* solution() const { return x_.data(); }

 private:
  B& be_;
  Extent e_;
  Medium<T> medium_;
  Field<B, T> b_, x_;
  Buffer<B, Norms> reference_;
};

/// For a run in precision S.
template <class B, class S>
class BenchOn final : public StudyBench {
  using Other = std::conditional_t<std::is_same_v<S, double>, float, double>;

 public:
  BenchOn(const StepperSetup& setup, Stepper& stepper, const std::vector<GuessOptions>& guesses)
      : setup_(setup),
        stepper_(stepper),
        e_(make_unknowns(setup.model).extent),
        options_(guesses),
        b_(be_, e_),
        truth_(be_, e_),
        x_(be_, e_),
        norms_(be_, 3) {
    for (const GuessOptions& o : guesses) {
      guesses_.push_back(make_guess<B, S>(o, be_, e_));
      starts_.emplace_back(be_, e_);
    }
    zero_.assign(guesses.size(), true);
  }

  void take(long n) override {
    system_ = std::get<SystemOn<S>>(stepper_.device_system(n));
    copy_points(be_, system_.b, b_);
    if (!A_)
      A_ = std::visit([&](const auto& c) { return make_operator<B, S>("stencil", be_, e_, c); },
                      system_.medium);
    const bool another = system_.weight != weight_;
    weight_ = system_.weight;
    A_->assemble(0.5, weight_);
    for (std::size_t k = 0; k < guesses_.size(); ++k) {
      if (another) guesses_[k]->forget();
      zero_[k] = !guesses_[k]->before(b_, starts_[k]);
    }
    be_.synchronize();
    taken_ = false;
  }

  void solved(long) override {
    copy_points(be_, std::get<const S*>(stepper_.increment()), truth_);
    be_.synchronize();
  }

  Measured measure(const Trial& trial) override {
    if (!own_) {
      own_ = std::make_unique<Solves<B, S, S>>(be_, e_, system_.medium);
      taken_ = false;
    }
    const bool other = trial.single != std::is_same_v<S, float>;
    if (other && !other_) {
      other_medium_ = std::make_unique<OtherMedium<B, Other>>(be_, setup_);
      other_ = std::make_unique<Solves<B, Other, S>>(be_, e_, other_medium_->medium);
      taken_ = false;
    }
    if (!taken_) {
      own_->take(b_.data(), system_.whole);
      if (other_) other_->take(b_.data(), system_.whole);
      taken_ = true;
    }
    const Start<S> start = start_of(trial.guess);
    Measured m;
    try {
      m = other ? other_->measure(trial, weight_, start) : own_->measure(trial, weight_, start);
    } catch (...) {
      be_.guard(nullptr, 0);  // a solve that was left in the middle may have left its own
      throw;
    }
    if (other)
      copy_points(be_, other_->solution(), x_);
    else
      copy_points(be_, own_->solution(), x_);
    judge(m);
    return m;
  }

  void finish() override {
    for (std::size_t k = 0; k < guesses_.size(); ++k) {
      copy_points(be_, static_cast<const S*>(truth_.data()), starts_[k]);
      copy_points(be_, static_cast<const S*>(b_.data()), x_);  // `after` may write it
      guesses_[k]->after(*A_, x_, starts_[k]);
    }
  }

  /// Residual and error of x, in the run's precision whatever that of the candidate was.
  void judge(Measured& m) {
    A_->residual(b_, x_, nullptr, norms_.data());
    be_.map_sum(
        "x - x(run)", e_, norms_.data() + 1,
        [=] KERNEL(const S& x, const S& truth) { return Norms::of(double(x) - double(truth)); }, NoEpilogue{},
        x_.in(), truth_.in());
    be_.map_sum("x(run)", e_, norms_.data() + 2, NormsOf{}, NoEpilogue{}, truth_.in());
    const std::vector<Norms> n = norms_.download();
    const Norms& to = m.report.reference;
    m.residual_2 = ratio(std::sqrt(n[0].squares), std::sqrt(to.squares));
    m.residual_max = ratio(n[0].largest, to.largest);
    m.error_2 = ratio(std::sqrt(n[1].squares), std::sqrt(n[2].squares));
    m.error_max = ratio(n[1].largest, n[2].largest);
  }

 private:
  Start<S> start_of(const GuessOptions& wanted) const {
    for (std::size_t k = 0; k < options_.size(); ++k)
      if (options_[k] == wanted) return {starts_[k].data(), zero_[k]};
    return {nullptr, true};
  }

  const StepperSetup& setup_;
  Stepper& stepper_;
  B be_;
  Extent e_;
  const std::vector<GuessOptions> options_;
  std::vector<std::unique_ptr<Guess<B, S>>> guesses_;
  std::vector<Field<B, S>> starts_;
  std::vector<bool> zero_;
  SystemOn<S> system_;
  double weight_ = -1;
  Field<B, S> b_, truth_, x_;
  Buffer<B, Norms> norms_;
  std::unique_ptr<WaveOperator<B, S>> A_;
  std::unique_ptr<OtherMedium<B, Other>> other_medium_;
  std::unique_ptr<Solves<B, S, S>> own_;
  std::unique_ptr<Solves<B, Other, S>> other_;
  bool taken_ = false;  // b lies where the candidates want it
};

}  // namespace

#ifdef __CUDACC__
std::unique_ptr<StudyBench> make_cuda_bench(bool single, const StepperSetup& setup, Stepper& stepper,
                                            const std::vector<GuessOptions>& guesses) {
#else
std::unique_ptr<StudyBench> make_host_bench(bool single, const StepperSetup& setup, Stepper& stepper,
                                            const std::vector<GuessOptions>& guesses) {
#endif
  if (single) return std::make_unique<BenchOn<Backend, float>>(setup, stepper, guesses);
  return std::make_unique<BenchOn<Backend, double>>(setup, stepper, guesses);
}

}  // namespace wavesim
