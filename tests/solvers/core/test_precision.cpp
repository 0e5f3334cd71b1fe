// Compensated sums (solver.accurate) and solves in single precision refined to double (precision: mixed).
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "kernels/formats/host_csr.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/solve_system.hpp"
#include "tests/solvers/core/list_fields.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {

struct Plus {
  template <class T>
  HD Sum<1> operator()(const T& v) const {
    return {{double(v)}};
  }
};
struct PlusInRow {
  HD Sum<1> operator()(Row, const double& v) const { return {{v}}; }
};

namespace {

SystemResult solve_here(const HostCsr& A, const std::vector<double>& b, const SolverOptions& o,
                        const std::string& format = "csr") {
#ifdef __CUDACC__
  return solve_system_on_cuda(A, b, o, format, false);
#else
  return solve_system_on_host(A, b, o, format, false);
#endif
}

HostCsr from_rows(const std::vector<std::vector<std::pair<int, double>>>& rows) {
  HostCsr A;
  A.rows = int(rows.size());
  for (const auto& row : rows) {
    for (auto [j, v] : row) {
      A.column.push_back(j);
      A.value.push_back(v);
    }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

/// Each row is c, 1 and -c, in an order in which a plain sum loses the 1.
HostCsr cancelling(int n, double c) {
  std::vector<std::vector<std::pair<int, double>>> rows(n);
  for (int i = 0; i < n; ++i) {
    std::array<int, 3> j{i, (i + 1) % n, (i + 2) % n};
    std::sort(j.begin(), j.end());
    rows[i] = {{j[0], c}, {j[1], 1}, {j[2], -c}};
  }
  return from_rows(rows);
}

/// b - A x in any format, and the norms.
template <class T>
std::pair<std::vector<double>, Norms> residual(Backend& be, const HostCsr& matrix,
                                               const std::vector<double>& b, const std::vector<double>& x,
                                               const std::string& format, bool accurate) {
  const auto A = make_operator<Backend, T>(format, be, matrix);
  const auto bs = to_list<T>(be, A->extent(), b), xs = to_list<T>(be, A->extent(), x);
  Field<Backend, T> r(be, A->extent());
  Buffer<Backend, Norms> norms(be, 2);
  be.compensate(accurate);
  A->residual(bs, xs, &r, norms.data());
  A->residual(bs, xs, nullptr, norms.data() + 1);
  be.compensate(false);
  const std::vector<Norms> both = norms.download();
  EXPECT_EQ(both[0].largest, both[1].largest);
  return {from_list(r, matrix.rows), both[0]};
}

std::vector<std::string> formats() {
  std::vector<std::string> names;
  for (const Format& f : formats_of_rows())
    if (f.any_matrix) names.emplace_back(f.name);
  return names;
}

TEST(Accurate, SumsAreRightWherePlainOnesLoseEverything) {
  Backend be;
  for (int n : {64, 64 * 100, 64 * 20000}) {
    const Extent e = vector_extent(n);
    std::vector<double> v(n, 0.0);
    double exact = 0;
    for (int k = 0; k + 2 < n; k += 3) {
      const double large = std::ldexp(1.0, 53 + k % 7);
      v[k] = large;
      v[k + 1] = 1 + k % 5;
      v[k + 2] = -large;
      exact += v[k + 1];
    }
    const auto f = to_list<double>(be, e, v);
    Buffer<Backend, Sum<1>> sum(be, 1);
    const auto by_map = [&] {
      be.map_sum("sum", e, sum.data(), Plus{}, NoEpilogue{}, f.in());
      return sum.download()[0].v[0];
    };
    const auto by_rows = [&] {
      be.rows_sum("sum", e, 0, sum.data(), PlusInRow{}, NoEpilogue{}, f.in());
      return sum.download()[0].v[0];
    };
    EXPECT_NE(by_map(), exact) << n;
    EXPECT_NE(by_rows(), exact) << n;
    EXPECT_FALSE(be.compensate(true));
    EXPECT_EQ(by_map(), exact) << n;
    EXPECT_EQ(by_rows(), exact) << n;
    EXPECT_TRUE(be.compensate(false));
  }
}

TEST(Accurate, InnerProductsOfAPassAreRight) {
  Backend be;
  const int n = 3000;
  std::vector<std::vector<std::pair<int, double>>> rows(n);
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i) {
    rows[i] = {{i, 1.0}};
    x[i] = i % 3 == 0 ? 0x1p60 : i % 3 == 1 ? 1 : -0x1p60;
  }
  const auto A = make_operator<Backend, double>("csr", be, from_rows(rows));
  const auto xs = to_list<double>(be, A->extent(), x),
             w = to_list<double>(be, A->extent(), std::vector(n, 1.0));
  Field<Backend, double> y(be, A->extent());
  Buffer<Backend, double> wy(be, 1);
  const auto product = [&] {
    A->apply(xs, y, {w.data(), wy.data(), nullptr});
    return wy.download()[0];
  };
  EXPECT_NE(product(), n / 3);
  be.compensate(true);
  EXPECT_EQ(product(), n / 3);
}

template <class T>
class AccurateIn : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(AccurateIn, Precisions);

TYPED_TEST(AccurateIn, ResidualIsRightWhereThePlainOneIsNot) {
  using T = TypeParam;
  Backend be;
  const int n = 200;
  const HostCsr A = cancelling(n, sizeof(T) == 8 ? 0x1p60 : 0x1p30);
  const std::vector<double> ones(n, 1.0), b(n, 3.0);
  for (const std::string& format : formats()) {
    const auto [plain, plain_norms] = residual<T>(be, A, b, ones, format, false);
    const auto [r, norms] = residual<T>(be, A, b, ones, format, true);
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(plain[i], 3) << format;  // by a factor of 1.5
      EXPECT_EQ(r[i], 2) << format;
    }
    EXPECT_EQ(norms.squares, 4.0 * n);
    EXPECT_EQ(norms.largest, 2);
  }
}

/// Hilbert's matrix in whole numbers, so that the residual is known exactly: what is left of a right-hand
/// side that is A x rounded.
TEST(Accurate, ResidualOfHilbertsMatrixIsRightToTheLastBit) {
  Backend be;
  const int n = 12;
  std::vector<std::vector<std::pair<int, double>>> rows(n);
  std::vector<double> x(n), b(n), exact(n);
  for (int j = 0; j < n; ++j) x[j] = (j % 2 ? -1 : 1) * double((1 << 20) - 977 * j);
  for (int i = 0; i < n; ++i) {
    __int128 sum = 0;
    for (int j = 0; j < n; ++j) {
      rows[i].push_back({j, std::round(0x1p52 / (i + j + 1))});
      sum += __int128((long long)rows[i].back().second) * (long long)x[j];
    }
    b[i] = double(sum);
    exact[i] = double(__int128(b[i]) - sum);
  }
  const HostCsr A = from_rows(rows);
  double largest = 0, wrong = 0;
  for (const std::string& format : formats()) {
    const auto [r, norms] = residual<double>(be, A, b, x, format, true);
    const auto plain = residual<double>(be, A, b, x, format, false).first;
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(r[i], exact[i]) << format << " " << i;
      largest = std::max(largest, std::abs(exact[i]));
      wrong = std::max(wrong, std::abs(plain[i] - exact[i]));
    }
  }
  EXPECT_GT(largest, 0);
  EXPECT_GT(wrong, largest / 2);                 // no digit of the plain one is right
  EXPECT_EQ(accurate_residual(A, b, x), exact);  // on the host
}

TEST(Accurate, ASolveSeesThatItsGuessIsTheSolution) {
  const int n = 100;
  const HostCsr matrix = cancelling(n, 0x1p60);
  for (const bool accurate : {false, true}) {
    Backend be;
    const auto A = make_operator<Backend, double>("csr", be, matrix);
    SolverOptions o;
    o.method = "bicgstab";
    o.norm = "relative-2";
    o.accurate = accurate;
    o.max_iterations = 3;
    const auto solver = make_solver<Backend, double>(o, be, *A);
    const auto ones = to_list<double>(be, A->extent(), std::vector(n, 1.0));
    auto x = to_list<double>(be, A->extent(), std::vector(n, 1.0));
    const Report r = solver->solve(*A, nullptr, ones, x, false);
    EXPECT_FALSE(be.compensates());
    EXPECT_EQ(r.initial.squares, accurate ? 0.0 : double(n));
    EXPECT_EQ(r.status == Status::converged, accurate);
  }
}

TEST(Accurate, EveryMethodConvergesAndRepeats) {
  const HostProblem host(shapes().back());
  const std::vector<double> b = random_values(host.e.points(), 5);
  for (const Method& method : solver_methods()) {
    if (method.structure == Structure::rectangle || method.triangular) continue;  // the medium varies
    std::vector<double> first;
    for (int run = 0; run < 2; ++run) {
      Backend be;
      const Problem<double> problem(be, host);
      const auto A = make_operator<Backend, double>("dia", be, host.e, problem.coefficients);
      A->assemble(0.5, 0.75);
      SolverOptions o;
      o.method = method.name;
      o.norm = "relative-2";
      o.tolerance = 1e-10;
      o.accurate = true;
      const auto solver = make_solver<Backend, double>(o, be, *A);
      const auto rhs = to_field<double>(be, host.e, b);
      Field<Backend, double> x(be, host.e);
      EXPECT_EQ(solver->solve(*A, nullptr, rhs, x, true).status, Status::converged) << method.name;
      if (run == 0) first = from_field(x);
      if (method.repeatable) {
        EXPECT_EQ(from_field(x), first) << method.name;
      }
    }
  }
}

TEST(OperationCounts, AccurateSumsTakeNoPassOrWordMore) {
  const HostProblem host(shapes().back());
  for (const char* method : {"cg", "bicgstab"}) {
    OperationCounts counts[2];
    for (const bool accurate : {false, true}) {
      Backend be;
      const Problem<double> problem(be, host);
      const auto A = make_operator<Backend, double>("dia", be, host.e, problem.coefficients);
      A->assemble(0.5, 0.75);
      SolverOptions o;
      o.method = method;
      o.accurate = accurate;
      o.tolerance = 1e-15;
      o.max_iterations = 5;
      const auto solver = make_solver<Backend, double>(o, be, *A);
      const auto rhs = to_field<double>(be, host.e, random_values(host.e.points(), 6));
      Field<Backend, double> x(be, host.e);
      be.counts().clear();
      EXPECT_EQ(solver->solve(*A, nullptr, rhs, x, true).iterations, 5);
      counts[accurate] = be.counts();
    }
    EXPECT_EQ(counts[0].passes, counts[1].passes);
    EXPECT_EQ(counts[0].reductions, counts[1].reductions);
    EXPECT_EQ(counts[0].bytes, counts[1].bytes);
  }
}

HostCsr laplacian(int n) {
  std::vector<std::vector<std::pair<int, double>>> rows(n * n);
  for (int i = 0; i < n * n; ++i) {
    const int x = i % n, y = i / n;
    if (y > 0) rows[i].push_back({i - n, -1});
    if (x > 0) rows[i].push_back({i - 1, -1});
    rows[i].push_back({i, 4.01 + 0.3 * (i % 7)});
    if (x < n - 1) rows[i].push_back({i + 1, -1});
    if (y < n - 1) rows[i].push_back({i + n, -1});
  }
  return from_rows(rows);
}

TEST(Mixed, EveryMethodThatCanIsRefinedToDouble) {
  const HostCsr A = laplacian(24);
  const std::vector<double> b = random_values(A.rows, 7);
  int methods = 0;
  for (const Method& method : solver_methods())
    for (const char* preconditioner : {"none", "jacobi", "ic0"}) {
      SolverOptions o;
      o.method = method.name;
      o.preconditioner.type = preconditioner;
      o.norm = "relative-2";
      o.tolerance = 1e-12;
      o.mixed = true;
      if (!incompatibility(o, {Structure::any, true}).empty()) {
        EXPECT_THROW(solve_here(A, b, o), InputError);
        continue;
      }
      ++methods;
      const SystemResult r = solve_here(A, b, o);
      EXPECT_EQ(r.report.status, Status::converged) << method.name << " " << preconditioner;
      EXPECT_LE(r.relative_2(), 1.1e-12) << method.name;
      EXPECT_LE(r.report.iterations, 8) << method.name;  // solves of four digits each
    }
  EXPECT_GE(methods, 30);
}

TEST(Mixed, TakesThePreconditionerInside) {
  Backend be;
  const HostProblem host(shapes().back());
  const Problem<double> problem(be, host);
  const auto A = make_operator<Backend, double>("stencil", be, host.e, problem.coefficients);
  A->assemble(0.5, 20);
  SolverOptions o;
  o.preconditioner.type = "jacobi";
  o.tolerance = 1e-10;
  o.mixed = true;
  EXPECT_EQ((make_outer_preconditioner<Backend, double>(o, be, *A)), nullptr);
  const auto solver = make_solver<Backend, double>(o, be, *A);
  const auto rhs = to_field<double>(be, host.e, random_values(host.e.points(), 8));
  Field<Backend, double> x(be, host.e);
  be.counts().clear();
  const Report r = solver->solve(*A, nullptr, rhs, x, true);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(be.counts().count("z to double, <r, z>"), r.iterations);
  EXPECT_GT(be.counts().count("z = D^-1 r, <r, z>"), 3 * r.iterations);
}

TEST(Mixed, SaysThatItStagnatesWhereSinglePrecisionHoldsNoDigit) {
  // Hilbert's matrix: as good as singular to single precision
  const int n = 16;
  std::vector<std::vector<std::pair<int, double>>> rows(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) rows[i].push_back({j, 1.0 / (i + j + 1)});
  SolverOptions o;
  o.method = "bicgstab";
  o.norm = "relative-2";
  o.tolerance = 1e-14;
  o.mixed = true;
  o.max_iterations = 1000000;
  const SystemResult r = solve_here(from_rows(rows), random_values(n, 9), o);
  EXPECT_NE(r.report.status, Status::converged);
  EXPECT_LT(r.report.iterations, 1000);
}

TEST(Mixed, IsNothingToWrapARefinementIn) {
  SolverOptions o;
  o.method = "refinement";
  o.mixed = true;
  EXPECT_NE(incompatibility(o).find("write precision: double"), std::string::npos);
  o.method = "fgmres";
  o.preconditioner.type = "single";
  EXPECT_NE(incompatibility(o).find("preconditioner: single"), std::string::npos);
}

}  // namespace
}  // namespace wavesim::test
