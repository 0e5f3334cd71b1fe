#include "library/solve_on.hpp"

#include <cmath>
#include <iterator>
#include <memory>

#include "kernels/backend/errors.hpp"
#include "library/system_sentence.hpp"
#include "solvers/automatic/attempts.hpp"
#include "solvers/matrices/matching.hpp"

namespace wavesim {

namespace {

/// What was set up for one right-hand side serves the next.
class System {
 public:
  System(const DeviceFacts& device, const MatrixOfAnyShape& A, const MatrixFacts& facts,
         const SolverOptions& o, const SolveOptions& words)
      : on_cuda_(device.kind == "cuda"),
        single_(words.precision == "single"),
        A_(A.square),
        o_(o),
        words_(words),
        rules_{.symmetric = facts.symmetric,
               .single = single_,
               .always_match = words.match,
               .direct = !words.no_direct,
               .square = facts.square,
               .tall = A.rows > A.columns} {}

  SystemResult solve(const std::vector<double>& b) {
    if (!find_method(o_.method)->automatic) return solve_by(o_, words_.match, b);
    if (found_) {
      SystemResult r = by_what_was_found(b);
      if (r.report.converged()) return r;
    }
    SystemResult r = solve_by_attempts(
        A_, b, o_, rules_,
        [&](const HostCsr& A, const auto& c, const SolverOptions& o) { return make(A, o)->solve(c); });
    found_ = r.report.converged();
    way_ = r.way;
    way_.max_iterations = o_.max_iterations;
    matched_ = r.matched;
    system_.reset();
    return r;
  }

  /// Whether solve_all may be asked: what is to be done is known, and done to the matrix as it is.
  bool takes_all() const { return find_method(o_.method)->automatic ? found_ && !matched_ : !words_.match; }
  std::vector<SystemResult> solve_all(const std::vector<std::vector<double>>& b) {
    const bool automatic = find_method(o_.method)->automatic;
    if (!system_) system_ = make(A_, automatic ? way_ : o_);
    std::vector<SystemResult> results = system_->solve_all(b);
    for (std::size_t k = 0; k < b.size(); ++k)
      if (automatic && !results[k].report.converged()) results[k] = solve(b[k]);  // by attempts
    return results;
  }

 private:
  std::unique_ptr<LinearSystem> make(const HostCsr& A, const SolverOptions& o) const {
#ifdef WAVESIM_HAVE_CUDA
    if (on_cuda_) return make_system_on_cuda(A, o, words_.format, single_);
#endif
    return make_system_on_host(A, o, words_.format, single_);
  }
  /// With one system for all: the matched matrix is the same each time.
  SystemResult solve_by(const SolverOptions& o, bool match, const std::vector<double>& b) {
    const auto solve = [&](const HostCsr& A, const std::vector<double>& c) {
      if (!system_) system_ = make(A, o);
      return system_->solve(c);
    };
    return match ? solve_matched(A_, b, o, solve) : solve(A_, b);
  }
  /// By the way that solved the system before; a result that has not converged if it cannot.
  SystemResult by_what_was_found(const std::vector<double>& b) {
    try {
      return solve_by(way_, matched_, b);
    } catch (const InputError&) {  // a pivot, now and then; the attempts say more
      return {};
    }
  }

  [[maybe_unused]] bool on_cuda_;
  bool single_;
  const HostCsr& A_;
  const SolverOptions& o_;
  const SolveOptions& words_;
  AttemptRules rules_;
  bool found_ = false, matched_ = false;
  SolverOptions way_;
  std::unique_ptr<LinearSystem> system_;
};

/// Others are refused one by one, with their number.
bool all_finite(const std::vector<std::vector<double>>& columns) {
  for (const auto& column : columns)
    for (const double v : column)
      if (!std::isfinite(v)) return false;
  return true;
}

}  // namespace

std::vector<SystemResult> solve_on(const DeviceFacts& device, const MatrixOfAnyShape& A,
                                   const MatrixFacts& facts,
                                   const std::vector<std::vector<double>>& right_sides,
                                   const SolverOptions& o, const SolveOptions& words,
                                   const std::string& name) {
  System system(device, A, facts, o, words);
  std::vector<SystemResult> results;
  std::vector<std::vector<double>> left(right_sides.rbegin(), right_sides.rend());  // the next is the last
  for (std::vector<double>& b : left) b.resize(std::size_t(A.square.rows), 0);
  while (!left.empty()) {
    try {
      if (left.size() > 1 && system.takes_all() && all_finite(left)) {
        std::vector<SystemResult> all = system.solve_all({left.rbegin(), left.rend()});
        std::move(all.begin(), all.end(), std::back_inserter(results));
        left.clear();
      } else {
        results.push_back(system.solve(left.back()));
        left.pop_back();
      }
    } catch (const InputError& e) {  // of a layer that knows no file, and no command line
      const std::string where =
          name + (right_sides.size() > 1 ? ", right-hand side " + std::to_string(results.size() + 1) : "");
      const bool helps = !words.match && A.square.square && !find_method(o.method)->triangular &&
                         row_without_diagonal(A.square) > 0;
      throw InputError(where + ": " + e.what() +
                       (helps ? "; --match permutes the rows so that none lacks its diagonal" : ""));
    }
  }
  for (SystemResult& r : results) r.x.resize(std::size_t(A.columns));
  return results;
}

}  // namespace wavesim
