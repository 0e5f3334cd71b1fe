#pragma once
// Matrices that are not symmetric, and a solve of any of them.

#include <cmath>
#include <numbers>

#include "kernels/formats/five_point_csr.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/catalogue/make.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test::krylov {

/// Upwind differences of -laplace u + wind . grad u on n x n points of the unit square, u = 0 on its rim.
inline HostCsr convection_diffusion(int n, double wind_x, double wind_y) {
  const double h = 1.0 / (n + 1);
  return five_point_matrix(n, {-1 - h * wind_y, -1 - h * wind_x, 4 + h * (wind_x + wind_y), -1, -1});
}
inline HostCsr unsymmetric() { return convection_diffusion(32, 40, 25); }
inline HostCsr laplace(int n) { return convection_diffusion(n, 0, 0); }

inline HostCsr from_dense(const std::vector<std::vector<double>>& dense) {
  HostCsr A;
  for (const auto& row : dense) {
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0) {
        A.column.push_back(int(j));
        A.value.push_back(row[j]);
      }
    A.start.push_back(int(A.column.size()));
    ++A.rows;
  }
  return A;
}

struct Solved {
  Report report;
  std::vector<double> x, history;
  OperationCounts counts;
};

inline SolverOptions options(std::string_view method, double tolerance = 1e-10) {
  SolverOptions o;
  o.method = method;
  o.tolerance = tolerance;
  o.norm = "relative-2";
  return o;
}

inline std::vector<double> rhs_for(const HostCsr& A, unsigned seed = 7) {
  return random_values(A.rows, seed);
}

/// Of `times` solves the last one. A GPU enqueues as many iterations as the last solve took: what a second one counts is what the
/// iterations take.
template <class T = double>
Solved solve(Backend& be, const HostCsr& matrix, const SolverOptions& o, std::vector<double> b,
             int times = 1) {
  const auto A = make_operator<Backend, T>("csr", be, matrix);
  const auto M = make_preconditioner<Backend, T>(o.preconditioner, be, *A);
  const auto solver = make_solver<Backend, T>(o, be, *A);
  b.resize(std::size_t(A->extent().points()), 0);
  const auto rhs = to_field<T>(be, A->extent(), b);
  Field<Backend, T> x(be, A->extent());
  if (M) M->prepare(*A);
  Solved s;
  for (int k = 0; k < times; ++k) {
    be.zero(x.memory().data(), x.memory().size());
    be.counts().clear();
    s.report = solver->solve(*A, M.get(), rhs, x, true);
    s.counts = be.counts();
  }
  s.x = from_field(x);
  s.history = solver->history();
  return s;
}

/// With counts that are the same on both backends.
inline Solved counted(Backend& be, const HostCsr& matrix, const SolverOptions& o,
                      const std::vector<double>& b) {
  return solve(be, matrix, o, b, 2);
}

inline double true_residual(const HostCsr& A, const std::vector<double>& b, const std::vector<double>& x) {
  double rr = 0, bb = 0;
  for (int i = 0; i < A.rows; ++i) {
    double r = b[i];
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) r -= A.value[k] * x[A.column[k]];
    rr += r * r;
    bb += b[i] * b[i];
  }
  return std::sqrt(rr / bb);
}

/// Methods for any non-singular matrix, but for the stationary ones.
inline std::vector<const Method*> methods_for_unsymmetric() {
  std::vector<const Method*> methods;
  for (const char* name : {"bicgstab", "bicg", "qmr", "gmres", "fgmres", "idr", "cgs", "tfqmr"})
    methods.push_back(find_method(name));
  return methods;
}

/// GMRES without restart.
inline SolverOptions full_gmres(double tolerance = 1e-10) {
  SolverOptions o = options("gmres", tolerance);
  o.choices.numbers["restart"] = 200;
  return o;
}

/// Vectors that a solver keeps beside its scalars.
inline double vectors_kept(Backend& be, const HostCsr& matrix, const SolverOptions& o) {
  const auto A = make_operator<Backend, double>("csr", be, matrix);
  const Extent e = A->extent();
  const double before = be.counts().allocated;
  const auto solver = make_solver<Backend, double>(o, be, *A);
  return (be.counts().allocated - before) / (8.0 * double(e.pitch) * (e.ny + 2));
}

}  // namespace wavesim::test::krylov
