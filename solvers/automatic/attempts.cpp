#include "solvers/automatic/attempts.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <optional>
#include <set>

#include "kernels/backend/errors.hpp"
#include "solvers/automatic/cannot.hpp"
#include "solvers/automatic/zeros.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/direct/sparse_factors.hpp"
#include "solvers/matrices/matching.hpp"

namespace wavesim {

namespace {

enum class For { any, symmetric, unsymmetric, not_square, tall };

/// A member of the list. `number` is an option of the method, `of_factors` are options of the preconditioner.
struct Way {
  const char *method, *preconditioner;
  For matrices = For::any;
  bool match = false;
  int round = 0;  // the first in which it is tried
  std::pair<const char*, double> number = {nullptr, 0};
  std::vector<std::pair<const char*, double>> of_factors = {};
  int only_after_failure = 0;  // of the way so many before it; 0: in any case
};

/// In the order of the first round. Shifts are tried where factors without one do not exist; a pattern that grows in one
/// round is cheap, where it fails as well.
const std::vector<Way>& ways() {
  using enum For;
  static const std::vector<Way> all{
      {"cg", "jacobi", symmetric},
      {"cg", "ic0", symmetric},
      {"cg", "ic0", symmetric, false, 0, {}, {{"shift", 0.01}}, 1},
      {"cg", "parict", symmetric, false, 0, {}, {{"rounds", 1}}, 1},
      {"cg", "ic0", symmetric, false, 0, {}, {{"shift", 0.2}}, 2},
      {"minres", "none", symmetric},
      {"bicgstab", "ilu0", unsymmetric},
      {"bicgstab", "ilu0", any, true},
      {"gmres", "ilu0", any, false, 0, {"restart", 60}},
      {"gmres", "ilu0", any, true, 1, {"restart", 100}, {{"shift", 0.01}}},
      {"idr", "parilut", any, true, 1, {"subspace", 8}, {{"fill", 3}}},
      {"idr", "parilut", any, true, 1, {"subspace", 8}, {{"fill", 3}, {"shift", 0.01}}, 1},
      {"bicgstab", "jacobi", unsymmetric, false, 1},
      {"idr", "block-jacobi", any, false, 1, {"subspace", 8}},
      {"gmres", "parilut", any, true, 2, {"restart", 200}, {{"fill", 8}, {"rounds", 5}}},
      {"gmres", "parilut", any, true, 2, {"restart", 200}, {{"fill", 8}, {"rounds", 5}, {"shift", 0.001}}, 1},
      {"gmres", "jacobi", any, true, 2, {"restart", 1000}},
      {"lsmr", "none", not_square},
      {"lsmr", "column-scaling", tall},  // where x is the only one: scaling changes which is the shortest
      {"lsqr", "none", not_square, false, 1},
  };
  return all;
}
bool fits(For matrices, const AttemptRules& rules) {
  if (matrices == For::not_square || matrices == For::tall)
    return !rules.square && (matrices == For::not_square || rules.tall);
  return rules.square && (matrices == For::any || (matrices == For::symmetric) == rules.symmetric);
}

/// Iterations in each round; the last allows all that were asked for.
constexpr double budgets[] = {150, 1500, std::numeric_limits<double>::infinity()};

/// One of the list as it stands after the rounds so far.
struct Candidate {
  const Way* way;
  SolverOptions options;
  bool match, out = false;
  bool fails = false;  // as zeros of the matrix say
  double residual = std::numeric_limits<double>::infinity();
};

SolverOptions options_of(const Way& w, const SolverOptions& wanted) {
  SolverOptions o = wanted;
  o.method = w.method;
  o.max_iterations = 0;
  o.choices = {};
  o.preconditioner = {w.preconditioner, {}};
  if (w.number.first) o.choices.numbers[w.number.first] = w.number.second;
  for (const auto& [name, value] : w.of_factors) o.preconditioner.choices.numbers[name] = value;
  return o;
}

std::string name_of(const SolverOptions& o, bool match) {
  std::string text = o.method;
  char number[40];
  const auto add = [&](const Choices& choices) {
    for (const auto& [name, value] : choices.numbers) {
      std::snprintf(number, sizeof number, " %g", value);
      text += ", " + name + number;
    }
  };
  add(o.choices);
  if (o.preconditioned()) text += " with " + o.preconditioner.type;
  add(o.preconditioner.choices);
  return text + (match ? ", matched" : "");
}

/// The first clause of a sentence.
std::string clause(const std::string& sentence) { return sentence.substr(0, sentence.find(';')); }

class Attempts {
 public:
  Attempts(
      const HostCsr& A, const std::vector<double>& b, const SolverOptions& wanted, const AttemptRules& rules,
      const std::function<SystemResult(const HostCsr&, const std::vector<double>&, const SolverOptions&)>& f)
      : A_(A), b_(b), wanted_(wanted), rules_(rules), solve_(f) {
    for (const Way& w : ways()) {
      const bool match = w.match || rules.always_match;
      const bool symmetric = rules.symmetric && !match;
      SolverOptions o = options_of(w, wanted);
      if (fits(w.matrices, rules) && incompatibility(o, facts(symmetric)).empty())
        candidates_.push_back({&w, std::move(o), match});
    }
    if (rules.square) foresee(zeros_of(A));
  }

  SystemResult run() {
    for (int number = 0; number < int(std::size(budgets)); ++number) {
      if (round(number)) return finished();
      if (number < 2 && direct_costs_at_most(number == 0 ? budgets[1] : budgets[2]) && direct())
        return finished();
      std::stable_sort(candidates_.begin(), candidates_.end(),
                       [](const Candidate& a, const Candidate& c) { return a.residual < c.residual; });
    }
    if (!best_) std::rethrow_exception(refusal_);
    return finished();
  }

 private:
  MatrixFacts facts(bool symmetric) const {
    return {.symmetric = symmetric, .single = rules_.single, .square = rules_.square};
  }
  /// If no way is left, the first to be tried says what the matter is.
  void foresee(const Zeros& zeros) {
    const auto fails = [&](const Candidate& c) { return fails_on(zeros, c.options.preconditioner, c.match); };
    if (std::all_of(candidates_.begin(), candidates_.end(), fails)) return;
    for (Candidate& c : candidates_) c.fails = fails(c);
    direct_tried_ = zeros.line;  // which makes A singular
  }
  /// Whether one solved it.
  bool round(int number) {
    for (Candidate& c : candidates_) {
      if (c.out || c.way->round > number || c.options.max_iterations >= wanted_.max_iterations) continue;
      if (const int before = c.way->only_after_failure; before > 0 && !failed_.contains(c.way - before))
        continue;
      c.options.max_iterations = int(std::min<double>(budgets[number], wanted_.max_iterations));
      const std::optional<Report> r = c.fails ? std::nullopt : attempt(c.options, c.match, c.residual);
      if (r && r->converged()) return true;
      if (!r || r->status != Status::max_iterations) {
        c.out = true;  // more iterations would not help
        failed_.insert(c.way);
        if (r && r->status == Status::indefinite) leave_out_definite();
      }
      if (is_small() && direct_costs_at_most(2 * budgets[0]) && direct()) return true;
    }
    return false;
  }
  /// So that even a host's factors take no longer than a GPU's launches for some hundred iterations, and what they will take is
  /// known soon.
  bool is_small() const { return A_.value.size() <= 1 << 16; }
  /// Whether there is a direct method that was not tried, and it takes no longer than so many iterations, by the entries of its
  /// factors.
  bool direct_costs_at_most(double iterations) {
    if (!rules_.direct || !rules_.square || direct_tried_) return false;
    const auto affordable = [&](double n) { return std::sqrt(n * double(A_.value.size()) * A_.rows / 2); };
    if (entries_of_factors_ < 0) entries_of_factors_ = expected_entries(A_, affordable(budgets[1]));
    return entries_of_factors_ <= affordable(iterations);
  }
  bool direct() {
    direct_tried_ = true;
    SolverOptions o = wanted_;
    o.method = "direct";
    o.choices = {};
    o.preconditioner = {};
    double residual = nothing;
    if (!have_sparse_factors() || !incompatibility(o, facts(true)).empty()) return false;
    o.max_iterations = std::min(wanted_.max_iterations, 50);
    const std::optional<Report> r = attempt(o, rules_.always_match, residual);
    return r && r->converged();
  }
  void leave_out_definite() {
    for (Candidate& c : candidates_) {
      const Method& m = *find_method(c.options.method);
      if (m.symmetric && !m.indefinite) c.out = true;
    }
  }

  std::optional<Report> attempt(const SolverOptions& o, bool match, double& residual) {
    const auto begin = std::chrono::steady_clock::now();
    Attempt made{name_of(o, match), o.method, o.preconditioner.type, "", 0, 0};
    std::optional<Report> report;
    try {
      const auto one = [&](const HostCsr& A, const std::vector<double>& b) { return solve_(A, b, o); };
      SystemResult r = match ? solve_matched(A_, b_, o, one) : one(A_, b_);
      report = r.report;
      made.ending = std::string(word(r.report.status));
      made.iterations = r.report.iterations;
      residual = std::isfinite(r.relative_2()) ? r.relative_2() : nothing;
      if (r.report.converged() || !best_ || residual < least_) {
        least_ = residual;
        solved_by_ = made.name;
        r.way = o;
        r.matched = match;
        best_ = std::move(r);
      }
    } catch (...) {
      refusal_ = std::current_exception();
      made.ending = clause(why_it_cannot(false));
    }
    made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    log_.push_back(std::move(made));
    return report;
  }

  SystemResult finished() {
    SystemResult r = std::move(*best_);
    if (r.set_up.rfind(solved_by_ + ":", 0) != 0)
      r.set_up = solved_by_ + (r.set_up.empty() ? "" : ": " + r.set_up);
    r.attempts = std::move(log_);
    return r;
  }

  static constexpr double nothing = std::numeric_limits<double>::infinity();
  const HostCsr& A_;
  const std::vector<double>& b_;
  const SolverOptions& wanted_;
  const AttemptRules& rules_;
  const std::function<SystemResult(const HostCsr&, const std::vector<double>&, const SolverOptions&)>& solve_;
  std::vector<Candidate> candidates_;
  std::set<const Way*> failed_;
  std::optional<SystemResult> best_;
  double least_ = nothing;
  std::string solved_by_;
  std::vector<Attempt> log_;
  std::exception_ptr refusal_;
  bool direct_tried_ = false;
  double entries_of_factors_ = -1;  // not known yet
};

}  // namespace

SystemResult solve_by_attempts(const HostCsr& A, const std::vector<double>& b, const SolverOptions& wanted,
                               const AttemptRules& rules,
                               const std::function<SystemResult(const HostCsr&, const std::vector<double>&,
                                                                const SolverOptions&)>& solve) {
  return Attempts(A, b, wanted, rules, solve).run();
}

std::string text(const std::vector<Attempt>& attempts) {
  std::string lines;
  char numbers[80];
  for (const Attempt& a : attempts) {
    if (a.iterations > 0)
      std::snprintf(numbers, sizeof numbers, " after %d iterations, %.3g s", a.iterations, a.seconds);
    else
      std::snprintf(numbers, sizeof numbers, ", %.3g s", a.seconds);
    lines += (lines.empty() ? "" : "\n") + a.name + ": " + a.ending + numbers;
  }
  return lines;
}

}  // namespace wavesim
