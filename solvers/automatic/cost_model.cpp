#include "solvers/automatic/cost_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "kernels/temporal/blocked_sweeps.hpp"
#include "solvers/automatic/cpu_costs.hpp"
#include "solvers/automatic/machine_costs.hpp"
#include "solvers/catalogue/option_list.hpp"

namespace wavesim {

namespace {

/// Reduction of the residual by n Chebyshev sweeps: 1 / T_n((k + 1) / (k - 1)).
double after_sweeps(int n, double condition) {
  return 1 / std::cosh(n * std::acosh((condition + 1) / (condition - 1)));
}

/// Iterations after which the bound of conjugate gradients and of Chebyshev is below the tolerance.
double bound_on_iterations(double tolerance, double condition) {
  if (condition <= 1 + 1e-9) return 1;
  return std::ceil(std::acosh(1 / tolerance) / std::acosh((condition + 1) / (condition - 1)));
}

/// What rows of the catalogue say of `auto`, in the order of their places.
struct Considered {
  const Method* method;
  Candidacy as;
};
std::vector<Considered> considered(std::vector<Candidacy> Method::*candidacies) {
  std::vector<Considered> all;
  for (const Method& m : solver_methods())
    for (const Candidacy& c : m.*candidacies) all.push_back({&m, c});
  std::stable_sort(all.begin(), all.end(),
                   [](const Considered& a, const Considered& b) { return a.as.place < b.as.place; });
  return all;
}

MethodCandidate candidate(const SolverOptions& wanted, const Method& method, const PreconditionerOptions& M) {
  MethodCandidate c;
  c.options = wanted;
  c.options.method = method.name;
  c.options.preconditioner = M;
  c.name = c.options.method + (c.options.preconditioned() ? " + " + M.type : "");
  return c;
}

/// Of a caller who knows none: for the same number of threads always.
const Prices& usual_prices() {
  static const Prices prices = built_in_prices(16);
  return prices;
}

// Of nine points on a CPU: factors of solves by words, of a pass of six sweeps in place of eight (in a constant and in a
// varying medium), of a cycle of multigrid.
constexpr double cpu_nine_points = 1.5, cpu_pass_of_nine_points = 0.75, cpu_pass_of_varying_nine_points = 1.5,
                 cpu_cycle_of_nine_points = 1.2;
// Multigrid is that of five points beside them: 7 cycles where five points take 5 (256^2, tolerance 1e-8).
constexpr double cycles_of_nine_points = 1.3;

class Wave {
 public:
  Wave(const SolverOptions& wanted, const SystemFacts& facts)
      : wanted_(wanted), f_(facts), vector_(f_.points * f_.word) {
    if (!facts.gpu) cpu_.emplace(wanted.prices ? *wanted.prices : usual_prices(), facts);
    bound_ = bound_on_iterations(wanted.tolerance, f_.condition());
  }

  std::vector<MethodCandidate> all() {
    for (const Considered& c : considered(&Method::for_wave)) {
      if (f_.on_ranks && !(c.method->on_ranks && find_preconditioner(c.as.preconditioner)->on_ranks))
        continue;
      fused_steps_ = f_.fused_steps && c.method->fused_steps;
      estimate(*c.method, PreconditionerOptions{std::string(c.as.preconditioner), {}}, c.as.cost);
    }
    return std::move(all_);
  }

 private:
  void estimate(const Method& method, const PreconditionerOptions& M, CostModel cost) {
    switch (cost) {
      case CostModel::unknown:
        return;
      case CostModel::krylov:
        return krylov(method, M, 1);
      case CostModel::scaled_krylov:
        if (f_.row_bytes > 0) krylov(method, M, varies() ? 0.9 : 1);
        return;
      case CostModel::multigrid_krylov:
        return multigrid_krylov(method, M);
      case CostModel::on_chip:
        if (f_.gpu && f_.on_chip) on_chip(method, M);
        return;
      case CostModel::blocked_sweeps:
        return blocked_sweeps(method, M);
      case CostModel::transform:
        if (f_.matrix.fits(Structure::rectangle)) transform(method, M);
        return;
    }
  }

  CostEstimate& add(const Method& method, const PreconditionerOptions& M) {
    MethodCandidate c = candidate(wanted_, method, M);
    Work work = work_of(c.options);
    work += entry_of(M).work;
    CostEstimate& q = c.estimate;
    q.set_up = p_.made + p_.memory * work.kept * vector_;
    if (f_.stored) work += method.stored;
    if (cpu_) {
      q.set_up = cpu_->set_up(cpu_->cg());
      q.solve = cpu_->solve(cpu_->cg());
      q.each = cpu_->words(work.moved * vector_ + work.products * rows());
      if (nine_points()) q.solve *= cpu_nine_points, q.each *= cpu_nine_points;
      all_.push_back(std::move(c));
      return all_.back().estimate;
    }
    // b is made, a guess of zero, the first and the last residual, u and p: words of a solve and of the step
    // around it
    q.solve = p_.solve + (12 * vector_ + 2 * rows()) / p_.rate;
    q.each = work.kernels * p_.launch + (work.moved * vector_ + work.products * rows()) / p_.rate;
    all_.push_back(std::move(c));
    return all_.back().estimate;
  }
  double rows() const { return f_.points * f_.row_bytes; }
  bool nine_points() const { return f_.matrix.structure == Structure::nine_points; }
  bool varies() const { return !f_.matrix.fits(Structure::rectangle); }

  /// `of_cg`: of the iterations of conjugate gradients.
  void krylov(const Method& method, const PreconditionerOptions& M, double of_cg) {
    CostEstimate& q = add(method, M);
    q.of_cg = of_cg;
    q.likely = std::max(2.0, 0.5 * bound_ * q.of_cg);
    q.least = 2;
  }
  void on_chip(const Method& method, const PreconditionerOptions& M) {
    krylov(method, M, 1);
    all_.back().estimate.each = p_.on_chip_turn + f_.points * p_.on_chip * f_.word / 8 + rows() / p_.media;
  }
  void multigrid_krylov(const Method& method, PreconditionerOptions M) {
    if (f_.word == 8 && f_.gpu) M.choices.words[std::string(option::arithmetic.name)] = "single";
    CostEstimate& q = add(method, M);
    const double k = std::max(1.0, f_.condition()),
                 each = 0.05 * k / (k + 20);  // what an iteration leaves of a residual
    q.likely = std::max(1.0, 0.7 * std::ceil(std::log(wanted_.tolerance) / std::log(each)));
    if (nine_points()) q.likely *= cycles_of_nine_points;
    if (cpu_) {
      q.set_up = cpu_->set_up(cpu_->multigrid());
      q.solve = cpu_->solve(cpu_->multigrid());
      q.each = cpu_->each(cpu_->multigrid());
      if (nine_points()) q.each *= cpu_cycle_of_nine_points;
      return;
    }
    // grids are made coarser until their rows are dominated by the diagonal
    const double levels =
        std::min(2 + std::log2(std::sqrt(k)), std::max(1.0, std::log2(std::min(f_.nx, f_.ny)) - 1));
    const Work cycle = entry_of(M).work, own = method.work;
    q.each = own.kernels * p_.launch + levels * p_.level +
             ((own.moved + cycle.moved) * vector_ + (own.products + cycle.products) * rows()) /
                 (p_.rate * p_.cycle);
    if (f_.row_bytes > 0) q.each *= p_.cycle_media;
    q.set_up += p_.made + 10 * levels * p_.launch;
  }
  /// A pass is bound by its operations rather than by words.
  void blocked_sweeps(const Method& method, const PreconditionerOptions& M) {
    CostEstimate& q = add(method, M);
    const double k = std::max(1.0, f_.condition());
    if (f_.blocked_sweeps == 0) {
      q.likely = q.least = 8 * std::ceil(bound_ / 8);
      return;
    }
    q.pass = f_.blocked_sweeps;
    const double reduces = k > 1 + 1e-9 ? after_sweeps(q.pass, k) : 0;
    const double tail = k > 1 + 1e-9 ? 2 * std::pow((std::sqrt(k) - 1) / (std::sqrt(k) + 1), q.pass) : 0;
    // passes begin anew where that costs little (restarts() of chebyshev.hpp), and then steps can be taken
    // whole
    const bool anew = reduces <= 0 || std::log(reduces) < 0.75 * std::log(tail / 2);
    const double passes = std::ceil(reduces <= 0 ? 1
                                    : anew       ? std::log(wanted_.tolerance) / std::log(reduces)
                                                 : bound_ / q.pass);
    q.likely = q.least = q.pass * passes;
    const bool whole = fused_steps_ && anew;
    pass_seconds(q, whole);
    if (whole) {
      q.likely = q.pass * (1 + passes) / 2;  // one is enough for a smooth wave
      q.least = q.pass;
    }
  }
  /// `whole`: the pass takes a step in time.
  void pass_seconds(CostEstimate& q, bool whole) const {
    if (cpu_) {
      const PriceCurve& c = whole ? cpu_->steps() : cpu_->sweeps();
      q.set_up = cpu_->set_up(c);
      q.solve = cpu_->solve(c);
      q.each = cpu_->blocked_pass(c) * (!nine_points()     ? 1
                                        : f_.row_bytes > 0 ? cpu_pass_of_varying_nine_points
                                                           : cpu_pass_of_nine_points);
      return;
    }
    if (nine_points() && f_.row_bytes > 0) return composed_pass(q, whole);
    const double rows = blocked_rows() * (f_.word == 4 ? p_.single : 1);
    const bool reads_medium = f_.row_bytes > 0;
    if (whole) q.solve = p_.whole_step;
    q.each = p_.pass + (nine_points() ? p_.nine_points : 1) * rows *
                           (whole ? p_.whole * (reads_medium ? p_.whole_media : 1)
                                  : p_.sweep * (reads_medium ? p_.sweep_media : 1));
  }
  /// Sweep by sweep (solvers/stationary/composed_sweeps.hpp): the first reads no matrix, and then come the residual and,
  /// of steps in time, the right-hand side, all of which do.
  void composed_pass(CostEstimate& q, bool whole) const {
    const double kernels = f_.blocked_sweeps + 1 + whole, read = f_.blocked_sweeps + whole;
    q.each = kernels * p_.launch + (read * rows() + (4 * f_.blocked_sweeps + 5 * whole) * vector_) / p_.rate;
  }
  /// Rows that the blocks of a pass on a GPU go through, one beside the other. Neighbouring blocks overlap. (Slices of sums
  /// make a chunk of a small grid 2 rows higher, or fewer blocks are beside one another: that changes the time by a tenth.)
  double blocked_rows() const {
    const Extent e = make_extent(int(f_.nx), int(f_.ny), f_.word);
    const BlockPlan p =
        f_.word == 4 ? plan_blocks<float>(e, f_.blocked_sweeps) : plan_blocks<double>(e, f_.blocked_sweeps);
    const double each = p.rows + 2 * (f_.blocked_sweeps + 1) + 1;
    return each * std::ceil(double(p.blocks()) / blocks_at_once);
  }
  void transform(const Method& method, const PreconditionerOptions& M) {
    CostEstimate& q = add(method, M);
    if (cpu_) {
      q.set_up = cpu_->set_up(cpu_->transform());
      q.each = cpu_->each(cpu_->transform()) * lengths();
      if (fused_steps_) q.solve = 0;
      return;
    }
    const Work work = work_of(all_.back().options);
    q.each = p_.transform + work.moved * vector_ / p_.rate * lengths();
    if (fused_steps_) {  // with half a word more than a solve (docs/notes/auto.md)
      q.solve = p_.whole_step;
      q.each += 0.5 * vector_ / p_.rate;
    }
    q.set_up = p_.made + (f_.transforms_loaded ? 0 : p_.library) + p_.memory * work.kept * vector_;
  }
  /// How much longer transforms take that are not of small factors.
  double lengths() const {
    long n = std::lround(f_.transformed);
    if (n <= 0) return 1;
    const double halved = f_.transformed <= f_.nx ? 1 : 2;
    for (long prime : {2, 3, 5, 7})
      while (n % prime == 0) n /= prime;
    return halved * (n == 1 ? 1 : n <= 13 ? 1.5 : 4);
  }

  const SolverOptions& wanted_;
  const SystemFacts& f_;
  const MachineCosts& p_ = h200;
  std::optional<CpuCosts> cpu_;  // in place of p_
  double vector_, bound_;
  bool fused_steps_ = false;  // of the method that is looked at
  std::vector<MethodCandidate> all_;
};

/// For a matrix of which nothing is known but its symmetry, in the order in which they are tried.
std::vector<MethodCandidate> for_any_matrix(const SolverOptions& wanted, bool symmetric) {
  std::vector<MethodCandidate> all;
  for (const Considered& c : considered(&Method::for_any_matrix))
    if (symmetric || !c.method->symmetric)
      all.push_back(candidate(wanted, *c.method, {std::string(c.as.preconditioner), {}}));
  return all;
}

}  // namespace

bool SystemFacts::alike(const SystemFacts& o) const {
  const double a = condition(), b = o.condition();
  return fused_steps == o.fused_steps && blocked_sweeps == o.blocked_sweeps && points == o.points &&
         matrix.structure == o.matrix.structure && a < 1.2 * b && b < 1.2 * a;
}

std::string MethodCandidate::text(double iterations) const {
  char t[120];
  const bool passes = estimate.pass > 1;
  const double n = iterations / estimate.pass, ms = 1000 * estimate.cost(iterations);
  std::snprintf(t, sizeof t, "%.3g %s%s, %.*f ms", n, passes ? "pass" : "iteration",
                n == 1   ? ""
                : passes ? "es"
                         : "s",
                ms < 0.995 ? 3 : 2, ms);
  return t;
}

std::vector<MethodCandidate> candidates_for(const SolverOptions& wanted, const SystemFacts& facts) {
  const bool of_wave = facts.matrix.structure != Structure::any;
  std::vector<MethodCandidate> all =
      of_wave ? Wave(wanted, facts).all() : for_any_matrix(wanted, facts.matrix.symmetric);
  for (MethodCandidate& c : all) c.options.choices = {};
  std::erase_if(all,
                [&](const MethodCandidate& c) { return !incompatibility(c.options, facts.matrix).empty(); });
  return all;
}

}  // namespace wavesim
