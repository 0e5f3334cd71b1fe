#pragma once
// `method: auto`: the methods that come into question for a system, one of which takes each solve as Selector
// says (selector.hpp). Each is made when it is first wanted, with its preconditioner, and given up when it is
// not the one of choice.

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

#include "kernels/backend/errors.hpp"
#include "solvers/automatic/cannot.hpp"
#include "solvers/automatic/facts_of.hpp"
#include "solvers/automatic/prices.hpp"
#include "solvers/automatic/selector.hpp"
#include "solvers/catalogue/make.hpp"

namespace wavesim {

template <class B, class T>
class Automatic final : public Solver<B, T>, public FusedStepper<B, T> {
 public:
  using Vector = Field<B, T>;
  Automatic(B& backend, const SolverOptions& options) : be_(backend), options_(options) {}

  Report solve(const Operator<B, T>& A, Preconditioner<B, T>*, const Vector& b, Vector& x, bool zero,
               const Norms* reference) override {
    follow(A, std::exchange(asked_, false));
    for (Report all;; x.clear(), zero = true)
      if (attempt(A, all,
                  [&](Made& m) { return m.solver->solve(A, m.preconditioner.get(), b, x, zero, reference); }))
        return all;
  }

  FusedStepper<B, T>* fused() override { return this; }
  bool takes_fused_steps(const Operator<B, T>& A, FusedForm form) override {
    // else prices would be those of steps that nobody takes
    if (!A.fuses(form) && !(form == FusedForm::first_order && A.wave_system())) return false;
    asked_ = true;
    form_ = form;
    follow(A, true);
    while (selector_->now() >= 0) try {
        FusedStepper<B, T>* const stepper = made(A).solver->fused();
        return stepper && stepper->takes_fused_steps(A, form);
      } catch (...) {
        give_up(why_it_cannot(facts_.on_ranks));
      }
    return false;
  }
  int steps_in_a_row(int most) const override {
    const auto m = made_.find(selector_->now());
    if (m == made_.end()) return 1;
    const int alike = m->second.solver->fused()->steps_in_a_row(most);
    return alike == 1 ? 1 : selector_->alike(last_iterations_, alike);
  }
  std::vector<Report> take(const Operator<B, T>& A, FusedSteps<B, T>& steps, int count) override {
    steps.before(0);  // what it throws is not the method's
    asked_ = false;
    std::vector<Report> reports;
    Report last;
    const bool done = attempt(A, last, [&](Made& m) {
      reports = m.solver->fused()->take(A, steps, count);
      Report of_the_last = reports.back();
      reports.pop_back();
      for (const Report& r : reports) count_solve(r);
      return of_the_last;
    });
    if (!done && takes_fused_steps(A, form_)) {
      const int k = int(reports.size());
      const auto [report, latest] = fused_step(A, steps.before(k), steps.spare(), last);
      last = report;
      if (last.converged())
        steps.after(k, latest);
      else
        steps.failed(latest);
    }
    reports.push_back(last);
    return reports;
  }
  std::pair<Report, Vector*> fused_step(const Operator<B, T>& A, FusedStep<B, T> step,
                                        Vector& spare) override {
    return fused_step(A, step, spare, Report{});
  }
  /// `report`: of those that could not.
  std::pair<Report, Vector*> fused_step(const Operator<B, T>& A, FusedStep<B, T> step, Vector& spare,
                                        Report report) {
    Vector* latest = nullptr;
    do {  // u and p are as they were
      asked_ = false;
      if (attempt(A, report, [&](Made& m) {
            const auto [r, where] = m.solver->fused()->fused_step(A, step, spare);
            latest = where;
            return r;
          }))
        break;
    } while (takes_fused_steps(A, form_));
    return {report, latest};
  }

  void archive(Archive& a, const Operator<B, T>& A) override {
    a.number("solves", done_);
    a.list("earlier decisions", earlier_);
    bool has_chosen = selector_.has_value(), of_this_matrix = A.version() == version_;
    a.number("has chosen", has_chosen);
    if (!has_chosen) return;
    a.number("knows the matrix", of_this_matrix);
    a.number("asked for fused steps", facts_.fused_steps);
    if (a.loading()) facts_ = facts_of(be_, A, facts_.fused_steps);
    a.number("least eigenvalue", facts_.bounds.least);
    a.number("largest eigenvalue", facts_.bounds.largest);
    a.number("transforms are loaded", facts_.transforms_loaded);
    long first = selector_ ? selector_->first() : 0;
    a.number("first solve", first);
    if (a.loading()) {
      version_ = of_this_matrix ? A.version() : -1;
      begin_to_choose(first);
    }
    const std::string own = names_of(selector_->candidates());
    std::string saved = own;
    a.text("chooses among", saved);
    if (saved != own) return begin_to_choose(done_ + 1);  // saved by one rank and continued by several, or so
    const auto candidates = a.part("candidates");
    selector_->archive(a);
    std::vector<int> known;
    for (const auto& [k, m] : made_) known.push_back(k);
    a.list("made", known);
    for (const int k : known) {
      if (k < 0 || k >= int(selector_->candidates().size()))
        throw InputError("saved state: method: auto had made a candidate " + std::to_string(k) +
                         ", which there is not; go on from another checkpoint");
      const auto part = a.part(std::to_string(k));
      if (a.loading()) make(k, A);
      made_.at(k).solver->archive(a, A);
    }
  }

  std::string describe() const override {
    std::string text;
    const auto line = [&](const std::string& s) { text += (text.empty() ? "" : "\n") + s; };
    if (!selector_) return text;
    std::vector<std::string> all = earlier_;
    all.insert(all.end(), selector_->decisions().begin(), selector_->decisions().end());
    constexpr std::size_t most = 12;  // the first and the last of many
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all.size() <= most || k < most / 2 || k >= all.size() - most / 2) line(all[k]);
      if (all.size() > most && k == most / 2)
        line("... " + std::to_string(all.size() - most) + " changes more ...");
    }
    if (const auto m = made_.find(selector_->chosen()); m != made_.end())
      if (const std::string own = wavesim::describe(candidate(m->first).options, *m->second.solver,
                                                    m->second.preconditioner.get());
          !own.empty())
        line(own);
    if (options_.prices && !facts_.gpu) line("prices: " + wavesim::text(*options_.prices));
    return text;
  }
  long recordings() const override {
    long n = retired_;
    for (const auto& [k, m] : made_) n += m.solver->recordings();
    return n;
  }
  std::vector<double> history() const override {
    const auto m = made_.find(last_);
    return m == made_.end() ? std::vector<double>{0} : m->second.solver->history();
  }

 private:
  using clock = std::chrono::steady_clock;
  static std::string names_of(const std::vector<MethodCandidate>& candidates) {
    std::string names;
    for (const MethodCandidate& c : candidates) names += (names.empty() ? "" : ", ") + c.name;
    return names;
  }
  struct Made {
    std::unique_ptr<Solver<B, T>> solver;
    std::unique_ptr<Preconditioner<B, T>> preconditioner;
  };
  const MethodCandidate& candidate(int k) const { return selector_->candidates()[std::size_t(k)]; }

  /// Looks at the system where it may be another than the last. `whole`: steps may be taken as a whole.
  void follow(const Operator<B, T>& A, bool whole) {
    if (selector_ && selector_->now() >= 0 && A.version() == version_ && whole == facts_.fused_steps) return;
    const SystemFacts facts = facts_of(be_, A, whole);
    const bool alike = selector_ && selector_->now() >= 0 && facts.alike(facts_);
    version_ = A.version();
    if (alike) return;
    facts_ = facts;
    if (selector_)
      earlier_.insert(earlier_.end(), selector_->decisions().begin(), selector_->decisions().end());
    release([](int) { return false; });
    begin_to_choose(done_ + 1);
    if (selector_->now() < 0) throw InputError("method: auto knows no method for this system");
  }
  /// Between the candidates for the system of facts_, from solve number `first` on.
  void begin_to_choose(long first) {
    const long expected = options_.expected_solves;
    selector_.emplace(candidates_for(options_, facts_), expected > 0 ? std::max(1L, expected - first + 1) : 0,
                      first);
  }

  Made& made(const Operator<B, T>& A) {
    const int now = selector_->now();
    release([&](int k) { return k == now || k == selector_->chosen(); });
    if (const auto m = made_.find(now); m != made_.end()) return m->second;
    return make(now, A);
  }
  Made& make(int k, const Operator<B, T>& A) {
    const auto begin = clock::now();
    const SolverOptions& o = candidate(k).options;
    Made m;
    m.solver = make_solver<B, T>(o, be_, A);
    m.preconditioner = make_outer_preconditioner<B, T>(o, be_, A);
    set_up_seconds_ += std::chrono::duration<double>(clock::now() - begin).count();
    return made_[k] = std::move(m);
  }
  template <class Keep>
  void release(Keep keep) {
    std::erase_if(made_, [&](const auto& m) {
      if (keep(m.first)) return false;
      retired_ += m.second.solver->recordings();
      return true;
    });
  }

  /// Lets the current candidate do it. False: it could not, and another one may. `all`: the report, with the
  /// seconds of those that could not.
  template <class F>
  bool attempt(const Operator<B, T>& A, Report& all, F f) {
    std::string why;
    try {
      Made& m = made(A);
      last_ = selector_->now();
      Report r = f(m);
      r.seconds += all.seconds;
      r.bytes += all.bytes;
      r.setup_seconds += all.setup_seconds + std::exchange(set_up_seconds_, 0);
      all = r;
      if (r.converged() || !IterationState::finite(r.reference)) {
        count_solve(r);
        return true;
      }
      why = word(r.status);
    } catch (...) {
      why = why_it_cannot(facts_.on_ranks);
      if (is_last()) throw;
    }
    give_up(why);
    if (selector_->now() >= 0) return false;
    ++done_;
    return true;
  }
  void count_solve(const Report& r) {
    ++done_;
    last_iterations_ = r.iterations;
    selector_->solved(r.iterations);
  }
  bool is_last() const { return selector_->left() == 1; }
  void give_up(const std::string& why) {
    be_.guard(nullptr, 0);  // a solve that was left in the middle may have left its own
    selector_->failed(why);
  }

  B& be_;
  SolverOptions options_;
  SystemFacts facts_;
  std::optional<Selector> selector_;
  std::map<int, Made> made_;
  std::vector<std::string> earlier_;
  int last_ = -1, last_iterations_ = 0;
  long done_ = 0, version_ = -1, retired_ = 0;
  bool asked_ = false;                       // whether steps may be taken as a whole, since the last
  FusedForm form_ = FusedForm::first_order;  // of such steps
  double set_up_seconds_ = 0;
};

}  // namespace wavesim
