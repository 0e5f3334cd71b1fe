// Compiled twice: by the host compiler for OpenMP, and through solve_system.cu for CUDA.
#include "solvers/solve_system.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/make.hpp"

namespace wavesim {

namespace {

/// The largest power of two that is not above the largest magnitude, as its exponent; 0 without any.
int exponent_of(const std::vector<double>& v) {
  double largest = 0;
  for (double x : v) largest = std::max(largest, std::abs(x));
  return largest > 0 ? std::ilogb(largest) : 0;
}
std::vector<double> scaled(std::vector<double> v, int exponent) {
  for (double& x : v) x = std::ldexp(x, exponent);
  return v;
}

/// b - A x in doubles.
std::vector<double> host_residual(const HostCsr& A, const std::vector<double>& b,
                                  const std::vector<double>& x, bool accurate) {
  if (accurate) return accurate_residual(A, b, x);
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

/// What the doubles of the host say to the claim of the precision that was computed in.
Status judged(const SystemResult& r) {
  const Report& report = r.report;
  if (!report.converged()) return report.status;
  if (!IterationState::finite(r.residual)) return Status::not_finite;
  return measure(r.residual, report.norm) <= 2 * report.goal ? Status::converged : Status::stagnated;
}

void check_finite(const std::vector<double>& b) {
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!std::isfinite(b[i]))
      throw InputError("the right-hand side is not finite in row " + std::to_string(i + 1));
}

template <class T>
Field<Backend, T> field_of(Backend& be, Extent e, const std::vector<double>& v) {
  Field<Backend, T> f(be, e);
  std::vector<T> all(f.memory().size(), T(0));
  for (std::size_t i = 0; i < v.size(); ++i) all[std::size_t(e.pitch) + i] = T(v[i]);
  f.memory().upload(all);
  return f;
}

template <class T>
SystemResult solve(const HostCsr& A, const std::vector<double>& b, const SolverOptions& o,
                   const std::string& format) {
  check_finite(b);
  const int of_A = exponent_of(A.value), of_b = exponent_of(b);
  HostCsr unit_A = A;
  unit_A.value = scaled(std::move(unit_A.value), -of_A);

  Backend be;
  const auto op = make_operator<Backend, T>(format, be, unit_A);
  const auto solver = make_solver<Backend, T>(o, be, *op);
  const auto M = make_outer_preconditioner<Backend, T>(o, be, *op);
  const auto rhs = field_of<T>(be, op->extent(), scaled(b, -of_b));
  Field<Backend, T> x(be, op->extent());

  SystemResult r;
  r.report = solver->solve(*op, M.get(), rhs, x, true);
  r.report.history = solver->history();
  r.unit = std::ldexp(1.0, of_b);
  r.matrix_bytes = op->matrix_bytes();
  r.set_up = describe(o, *solver, M.get());
  const std::vector<T> all = x.memory().download();
  r.x.reserve(b.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    r.x.push_back(std::ldexp(double(all[std::size_t(op->extent().pitch) + i]), of_b - of_A));
  r.residual = norms_of(host_residual(A, b, r.x, o.accurate), of_b);
  r.report.status = judged(r);
  const double own = measure(r.report.recurrence, r.report.norm), truth = measure(r.residual, r.report.norm);
  r.parted = !(own <= 10 * truth && truth <= 10 * own);
  return r;
}

}  // namespace

#ifdef __CUDACC__
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

SystemResult solve_system_on_host(const HostCsr& A, const std::vector<double>& b, const SolverOptions& o,
                                  const std::string& format, bool single) {
#endif
  return single ? solve<float>(A, b, o, format) : solve<double>(A, b, o, format);
}

}  // namespace wavesim
