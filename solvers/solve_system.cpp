// Compiled twice: by the host compiler for OpenMP, and through solve_system.cu for CUDA.
#include "solvers/solve_system.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/matrices/powers_of_two.hpp"

namespace wavesim {

namespace {

/// b - A x in doubles.
std::vector<double> host_residual(const HostCsr& A, const std::vector<double>& b,
                                  const std::vector<double>& x) {
  std::vector<double> r = multiply(A, x);
  for (std::size_t i = 0; i < b.size(); ++i) r[i] = b[i] - r[i];
  return r;
}

/// Norms of r / 2^exponent.
Norms norms_of(const std::vector<double>& r, int exponent) {
  Norms n;
  for (double v : r) n.join(Norms::of(std::ldexp(v, -exponent)));
  return n;
}

double measure(const Norms& n, Norm norm) { return norm == Norm::max ? n.largest : std::sqrt(n.squares); }

/// |A' r| to |A| |r| in doubles; 0 without a residual.
double gradient_of(const HostCsr& A, const std::vector<double>& r, int of_A, int of_r) {
  std::vector<double> g(r.size(), 0);
  double of_matrix = 0;
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
      const double a = std::ldexp(A.value[k], -of_A);
      of_matrix = std::fma(a, a, of_matrix);
      g[A.column[k]] = std::fma(a, std::ldexp(r[i], -of_r), g[A.column[k]]);
    }
  const double all = norms_of(r, of_r).squares * of_matrix;
  return all > 0 ? std::sqrt(norms_of(g, 0).squares / all) : 0;
}

/// What the doubles of the host say to the claim of the precision that was computed in.
Status judged(const SystemResult& r) {
  const Report& report = r.report;
  if (!report.converged()) return report.status;
  if (!IterationState::finite(r.residual)) return Status::not_finite;
  return r.least_squares || measure(r.residual, report.norm) <= 2 * report.goal ? Status::converged
                                                                                : Status::stagnated;
}

void check_finite(const std::vector<double>& b) {
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!std::isfinite(b[i]))
      throw InputError("the right-hand side is not finite in row " + std::to_string(i + 1));
}

template <class T>
class System final : public LinearSystem {
 public:
  System(const HostCsr& A, const SolverOptions& o, const std::string& format)
      : A_(A), o_(o), of_A_(exponent_of(A.value)) {
    HostCsr unit = A;
    unit.value = scaled(std::move(unit.value), -of_A_);
    op_ = make_operator<Backend, T>(format, be_, unit);
    solver_ = make_solver<Backend, T>(o, be_, *op_);
    M_ = make_outer_preconditioner<Backend, T>(o, be_, *op_);
    x_ = Field<Backend, T>(be_, op_->extent());
  }

  SystemResult solve(const std::vector<double>& b) override {
    check_finite(b);
    const int of_b = exponent_of(b);
    const auto rhs = field_of_list<Backend, T>(be_, op_->extent(), scaled(b, -of_b));
    x_.clear();
    Report report = solver_->solve(*op_, M_.get(), rhs, x_, true);
    report.history = solver_->history();
    return result_of(b, of_b, std::move(report), x_);
  }

  std::vector<SystemResult> solve_all(const std::vector<std::vector<double>>& b) override {
    for (const std::vector<double>& column : b) check_finite(column);
    std::vector<SystemResult> results;
    const std::size_t most = columns_at_once();
    const std::size_t blocks = (b.size() + most - 1) / most;  // of sizes that differ by one at most
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t first = b.size() * block / blocks, end = b.size() * (block + 1) / blocks;
      std::vector<Field<Backend, T>> rhs, x;
      for (std::size_t k = first; k < end; ++k) {
        rhs.push_back(field_of_list<Backend, T>(be_, op_->extent(), scaled(b[k], -exponent_of(b[k]))));
        x.emplace_back(be_, op_->extent());
      }
      std::vector<Report> reports = solver_->solve_all(*op_, M_.get(), rhs, x);
      for (std::size_t k = first; k < end; ++k)
        results.push_back(result_of(b[k], exponent_of(b[k]), std::move(reports[k - first]), x[k - first]));
    }
    return results;
  }

 private:
  /// Right-hand sides of a block: products of vectors, which grow with its square, cost as much as products with a sparse
  /// matrix then.
  static constexpr std::size_t at_once = 8;
  /// Fewer of large systems: a block has seven or eight vectors a column.
  std::size_t columns_at_once() const {
    constexpr double most_bytes = 8e9;
    const double column = 7.5 * sizeof(T) * double(op_->extent().count());
    return std::clamp<std::size_t>(std::size_t(most_bytes / column), 1, at_once);
  }

  SystemResult result_of(const std::vector<double>& b, int of_b, Report report, const Field<Backend, T>& x) {
    SystemResult r;
    r.report = std::move(report);
    r.unit = std::ldexp(1.0, of_b);
    r.matrix_bytes = op_->matrix_bytes();
    r.set_up = describe(o_, *solver_, M_.get());
    const std::vector<T> all = x.memory().download();
    r.x.reserve(b.size());
    for (std::size_t i = 0; i < b.size(); ++i)
      r.x.push_back(std::ldexp(double(all[std::size_t(op_->extent().pitch) + i]), of_b - of_A_));
    std::vector<double> residual = o_.accurate ? accurate_residual(A_, b, r.x) : host_residual(A_, b, r.x);
    r.residual = norms_of(residual, of_b);
    if (r.report.converged() && !o_.accurate && measure(r.residual, r.report.norm) > 2 * r.report.goal) {
      residual = accurate_residual(A_, b, r.x);  // of long rows plain sums may be further off than x
      r.residual = norms_of(residual, of_b);
    }
    const double own = measure(r.report.recurrence, r.report.norm),
                 truth = measure(r.residual, r.report.norm);
    if (find_method(o_.method)->least_squares) {
      r.gradient = gradient_of(A_, residual, of_A_, of_b);
      r.least_squares = r.report.converged() && truth > 2 * r.report.goal && r.gradient <= 2 * o_.tolerance;
    }
    r.report.status = judged(r);
    r.parted = !(own <= 10 * truth && truth <= 10 * own);
    return r;
  }

  HostCsr A_;
  SolverOptions o_;
  int of_A_;
  Backend be_;
  std::unique_ptr<Operator<Backend, T>> op_;
  std::unique_ptr<Solver<Backend, T>> solver_;
  std::unique_ptr<Preconditioner<Backend, T>> M_;
  Field<Backend, T> x_;
};

std::unique_ptr<LinearSystem> make_system(const HostCsr& A, const SolverOptions& o, const std::string& format,
                                          bool single) {
  if (single) return std::make_unique<System<float>>(A, o, format);
  return std::make_unique<System<double>>(A, o, format);
}

}  // namespace

#ifdef __CUDACC__
std::unique_ptr<LinearSystem> make_system_on_cuda(const HostCsr& A, const SolverOptions& o,
                                                  const std::string& format, bool single) {
  return make_system(A, o, format, single);
}
SystemResult solve_system_on_cuda(const HostCsr& A, const std::vector<double>& b, const SolverOptions& o,
                                  const std::string& format, bool single) {
#else
double SystemResult::relative_2() const {
  const double b = report.reference.squares;
  return std::sqrt(b > 0 ? residual.squares / b : residual.squares);
}
double SystemResult::relative_max() const {
  const double b = report.reference.largest;
  return b > 0 ? residual.largest / b : residual.largest;
}

std::unique_ptr<LinearSystem> make_system_on_host(const HostCsr& A, const SolverOptions& o,
                                                  const std::string& format, bool single) {
  return make_system(A, o, format, single);
}
SystemResult solve_system_on_host(const HostCsr& A, const std::vector<double>& b, const SolverOptions& o,
                                  const std::string& format, bool single) {
#endif
  return make_system(A, o, format, single)->solve(b);
}

}  // namespace wavesim
