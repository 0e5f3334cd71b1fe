// lobpcg on matrices of which the eigenvalues are known.

#include "solvers/eigenpairs/matrix_eigenpairs.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <numbers>
#include <random>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/eigenpairs/orthonormal.hpp"
#include "tests/solvers/core/list_fields.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {
namespace {

/// With bounds for matrices that are not diagonally dominant, where a preconditioner asks for them.
PreconditionerOptions options_of(const std::string& name) {
  PreconditionerOptions o{name, {}};
  if (name == "polynomial") o.choices.words["bounds"] = "lanczos";
  return o;
}

MatrixEigenpairs lowest(const HostCsr& K, const HostCsr* M, const EigenOptions& o,
                        const std::string& preconditioner = "", const std::string& format = "csr") {
  const PreconditionerOptions named = options_of(preconditioner);
  const PreconditionerOptions* const p = preconditioner.empty() ? nullptr : &named;
#ifdef __CUDACC__
  return eigenpairs_on_cuda(K, M, o, p, format);
#else
  return eigenpairs_on_host(K, M, o, p, format);
#endif
}

HostCsr from_dense(const std::vector<std::vector<double>>& A) {
  HostCsr csr;
  csr.rows = int(A.size());
  for (const auto& row : A) {
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0) csr.column.push_back(int(j)), csr.value.push_back(row[j]);
    csr.start.push_back(int(csr.column.size()));
  }
  return csr;
}

/// 2, -1 of a string with n masses; `ring`: its ends are joined.
HostCsr string_of(int n, bool ring = false, double shift = 0) {
  std::vector<std::vector<double>> A(std::size_t(n), std::vector<double>(std::size_t(n), 0));
  for (int i = 0; i < n; ++i) {
    A[i][i] = 2 + shift;
    if (i + 1 < n) A[i][i + 1] = A[i + 1][i] = -1;
  }
  if (ring) A[0][n - 1] = A[n - 1][0] = -1;
  return from_dense(A);
}
double of_string(int n, int k) {
  const double s = std::sin(std::numbers::pi * k / (2 * (n + 1)));
  return 4 * s * s;
}

/// Five points on n x n fixed masses.
HostCsr square_of(int n) {
  std::vector<std::vector<double>> A(std::size_t(n * n), std::vector<double>(std::size_t(n * n), 0));
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const int i = y * n + x;
      A[i][i] = 4;
      if (x + 1 < n) A[i][i + 1] = A[i + 1][i] = -1;
      if (y + 1 < n) A[i][i + n] = A[i + n][i] = -1;
    }
  return from_dense(A);
}
std::vector<double> of_square(int n, int count) {
  std::vector<double> all;
  for (int k = 1; k <= n; ++k)
    for (int l = 1; l <= n; ++l) all.push_back(of_string(n, k) + of_string(n, l));
  std::sort(all.begin(), all.end());
  all.resize(std::size_t(count));
  return all;
}

HostCsr diagonal_of(const std::vector<double>& d) {
  HostCsr M;
  M.rows = int(d.size());
  for (int i = 0; i < M.rows; ++i) M.column.push_back(i), M.value.push_back(d[i]), M.start.push_back(i + 1);
  return M;
}

double dot(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

void expect_values(const MatrixEigenpairs& found, const std::vector<double>& expected, double accuracy,
                   const std::string& what) {
  EXPECT_EQ(found.pairs.status, Status::converged) << what;
  ASSERT_EQ(found.pairs.value.size(), expected.size()) << what;
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(found.pairs.value[k], expected[k], accuracy) << what << ", value " << k;
}

TEST(Lobpcg, FindsTheLowestTonesOfAString) {
  const int n = 100;
  std::vector<double> expected;
  for (int k = 1; k <= 5; ++k) expected.push_back(of_string(n, k));
  for (const char* preconditioner : {"", "none", "jacobi"})
    expect_values(lowest(string_of(n), nullptr, {5, 7, 1e-8, 2000}, preconditioner), expected, 1e-12,
                  preconditioner);
}

TEST(Lobpcg, FindsMultipleEigenvaluesOfASquareWithAnyBlock) {
  const int n = 24;
  const std::vector<double> expected =
      of_square(n, 6);  // the second and third are one, and so are the fifth and sixth
  for (int block : {6, 7, 8, 12, 20})
    for (const char* preconditioner : {"none", "ic0", "direct"})
      expect_values(lowest(square_of(n), nullptr, {6, block, 1e-8, 1000}, preconditioner), expected, 1e-11,
                    std::string(preconditioner) + ", block " + std::to_string(block));
}

TEST(Lobpcg, FindsEigenvectors) {
  const int n = 20;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0.5, 3);
  std::vector<double> masses(std::size_t(n * n));
  for (double& m : masses) m = uniform(random);
  const HostCsr K = square_of(n), M = diagonal_of(masses);
  const MatrixEigenpairs found = lowest(K, &M, {5, 8, 1e-9, 1000});
  ASSERT_TRUE(found.pairs.converged());
  for (int k = 0; k < 5; ++k) {
    const std::vector<double>& x = found.vectors[std::size_t(k)];
    const std::vector<double> Kx = multiply(K, x), Mx = multiply(M, x);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      worst = std::max(worst, std::abs(Kx[i] - found.pairs.value[std::size_t(k)] * Mx[i]));
    EXPECT_LT(worst, 1e-9) << k;
    EXPECT_GT(*std::max_element(x.begin(), x.end()), -*std::min_element(x.begin(), x.end())) << k;
    for (int l = 0; l < 5; ++l)
      EXPECT_NEAR(dot(multiply(M, found.vectors[std::size_t(l)]), x), k == l, 1e-11) << k << " " << l;
  }
}

TEST(Lobpcg, FindsAllEigenvaluesOfASmallMatrix) {
  for (int n = 1; n <= 7; ++n) {
    std::vector<double> expected;
    for (int k = 1; k <= n; ++k) expected.push_back(of_string(n, k));
    expect_values(lowest(string_of(n), nullptr, {n, n, 1e-9, 100}), expected, 1e-12, std::to_string(n));
    expect_values(lowest(string_of(n), nullptr, {1, usual_block(1, n), 1e-9, 100}), {expected[0]}, 1e-12,
                  "one of " + std::to_string(n));
  }
}

TEST(Lobpcg, FindsZeroAndNegativeEigenvalues) {
  const int n = 60;
  const auto of_ring = [&](int k) { return 4 * std::pow(std::sin(std::numbers::pi * k / n), 2); };
  expect_values(lowest(string_of(n, true), nullptr, {5, 8, 1e-8, 2000}),
                {0, of_ring(1), of_ring(1), of_ring(2), of_ring(2)}, 1e-12, "ring");
  expect_values(lowest(string_of(n, false, -1), nullptr, {3, 6, 1e-8, 2000}, "none"),
                {of_string(n, 1) - 1, of_string(n, 2) - 1, of_string(n, 3) - 1}, 1e-12, "below zero");
}

TEST(Lobpcg, TakesMatricesInAnyUnits) {
  HostCsr K = square_of(10), M = diagonal_of(std::vector<double>(100, 1e-150));
  for (double& v : K.value) v *= 1e-200;
  const MatrixEigenpairs found = lowest(K, &M, {3, 5, 1e-8, 500});
  const std::vector<double> expected = of_square(10, 3);
  ASSERT_TRUE(found.pairs.converged());
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(found.pairs.value[std::size_t(k)] * 1e50, expected[std::size_t(k)], 1e-11);
  EXPECT_NEAR(dot(multiply(M, found.vectors[0]), found.vectors[0]), 1, 1e-12);
}

TEST(Lobpcg, SaysWhatKeepsItFromAnEnd) {
  EXPECT_EQ(lowest(square_of(24), nullptr, {6, 8, 1e-8, 3}, "none").pairs.status, Status::max_iterations);
  std::vector<double> masses(100, 1);
  masses[17] = -2;
  const HostCsr M = diagonal_of(masses);
  EXPECT_EQ(lowest(square_of(10), &M, {3, 5, 1e-8, 100}).pairs.status, Status::indefinite);
}

TEST(Lobpcg, TakesEachSymmetricPreconditionerAndRefusesOthers) {
  const HostCsr K = square_of(12);
  const std::vector<double> expected = of_square(12, 4);
  int taken = 0;
  for (const PreconditionerEntry& e : solver_preconditioners()) {
    const std::string name(e.name);
    const PreconditionerOptions o = options_of(name);
    const std::string why = unfit_for_eigenpairs(o, facts_of(K, false));
    EXPECT_EQ(why.empty(), entry_of(o).symmetric && e.structure == Structure::any) << name << ": " << why;
    if (why.empty()) {
      expect_values(lowest(K, nullptr, {4, 6, 1e-8, 1000}, name), expected, 1e-11, name);
      ++taken;
    } else {
      EXPECT_THROW(lowest(K, nullptr, {4, 6, 1e-8, 1000}, name), InputError) << name;
    }
  }
  EXPECT_GT(taken, 6);
}

TEST(Lobpcg, GivesTheSameResultWithEachFormat) {
  for (const Format& f : formats_of_rows())
    if (f.any_matrix)
      expect_values(lowest(square_of(12), nullptr, {4, 6, 1e-8, 1000}, "jacobi", std::string(f.name)),
                    of_square(12, 4), 1e-11, std::string(f.name));
}

#ifndef __CUDACC__
TEST(Lobpcg, GivesTheSameBitsWithAnyNumberOfThreads) {
  const int before = omp_get_max_threads();
  std::vector<MatrixEigenpairs> found;
  for (int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    found.push_back(lowest(square_of(40), nullptr, {4, 6, 1e-8, 1000}, "ic0"));
  }
  omp_set_num_threads(before);
  for (const MatrixEigenpairs& f : found) {
    EXPECT_EQ(f.pairs.iterations, found[0].pairs.iterations);
    EXPECT_EQ(f.pairs.value, found[0].pairs.value);
    EXPECT_EQ(f.vectors, found[0].vectors);
  }
}
#endif

TEST(Orthonormaliser, DropsWhatDependsOnOthers) {
  const int n = 300;
  const Extent e = vector_extent(n);
  Backend be;
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> y(6, std::vector<double>(std::size_t(n)));
  for (auto& column : y)
    for (double& v : column) v = normal(random);
  y[3] = y[1];                                                        // one of the others
  for (int i = 0; i < n; ++i) y[4][i] = y[0][i] + 1e-14 * y[4][i];    // almost
  for (int i = 0; i < n; ++i) y[5][i] = 1e5 * y[2][i] - 3 * y[0][i];  // two of them
  FieldBlock<Backend, double> block(be, e, 6), none;
  for (int k = 0; k < 6; ++k) block.fields[std::size_t(k)] = to_list<double>(be, e, y[std::size_t(k)]);
  BlockPasses<Backend, double> passes(be, e, 12);
  Orthonormaliser<Backend, double> orthonormalise(be, e, nullptr, passes, 6);
  const int left = orthonormalise({}, {}, block, none, 6);
  EXPECT_EQ(left, 3);
  const auto deviation = [&](const FieldBlock<Backend, double>& x, const FieldBlock<Backend, double>& z,
                             int m, int l, bool same) {
    const SmallMatrix G = passes.inner_products(x.first(m), z.first(l));
    double worst = 0;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < l; ++j) worst = std::max(worst, std::abs(G(i, j) - (same && i == j)));
    return worst;
  };
  EXPECT_LT(deviation(block, block, left, left, true), 1e-13);
  // All of what is in that space already is dropped; what is not is orthogonal to it.
  FieldBlock<Backend, double> more(be, e, 6);
  for (int k = 0; k < 3; ++k) more.fields[std::size_t(k)] = to_list<double>(be, e, y[std::size_t(k)]);
  for (double& v : y[3]) v = 1 + normal(random);
  more.fields[3] = to_list<double>(be, e, y[3]);
  EXPECT_EQ(orthonormalise(block.first(left), block.first(left), more, none, 4), 1);
  EXPECT_LT(deviation(block, more, left, 1, false), 1e-13);
}

}  // namespace
}  // namespace wavesim::test
