// The preconditioner block-jacobi: its inverses and factors, and what they save.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "tests/solvers/preconditioners/block_problems.hpp"

namespace wavesim::test {
namespace {

using namespace blocks;

template <class T>
class BlockJacobi : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(BlockJacobi, Precisions);

TYPED_TEST(BlockJacobi, InEveryVariantInvertsBlocksOfEverySize) {
  using T = TypeParam;
  for (int n = 1; n <= 32; ++n) {
    const std::vector<Dense> blocks{rounded<T>(random_block(n, n)), rounded<T>(badly_scaled(n, n + 100)),
                                    rounded<T>(without_diagonal(n, n + 200)),
                                    n == 1 ? Dense{{-3}} : rounded<T>(random_block(n, n + 300))};
    for (const char* variant : variants) {
      const Inverse<T> M(block_diagonal(blocks), block_jacobi(n, variant));
      for (int b = 0; b < int(blocks.size()); ++b) {
        const Dense exact = inverse(blocks[b]);
        const double condition = one_norm(blocks[b]) * one_norm(exact);
        ASSERT_LT(condition, 1e10);
        EXPECT_LE(error(M.block(b * n, n), exact), 1e-16 * n * condition + std::numeric_limits<T>::epsilon())
            << variant << ", block " << b << " of size " << n << ", condition " << condition;
      }
      // and nothing outside the blocks
      for (int i = 0; i < 4 * n; ++i)
        for (int j = 0; j < 4 * n; ++j)
          ASSERT_TRUE(i / n == j / n || M.values[i][j] == 0) << variant << " " << n;
    }
  }
}

TYPED_TEST(BlockJacobi, InEveryVariantAppliesItsTranspose) {
  using T = TypeParam;
  for (int n : {1, 2, 7, 16, 29, 32}) {
    const Dense block = rounded<T>(badly_scaled(n, n));
    Dense transposed = block;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) transposed[i][j] = block[j][i];
    const Dense exact = inverse(transposed);
    const double condition = one_norm(transposed) * one_norm(exact);
    for (const char* variant : variants) {
      const Inverse<T> M(block_diagonal({block, random_block(n, 1)}), block_jacobi(n, variant), true);
      EXPECT_LE(error(M.block(0, n), exact), 1e-16 * n * condition + std::numeric_limits<T>::epsilon())
          << variant << " " << n;
    }
  }
}

TYPED_TEST(BlockJacobi, TakesBlocksOfDifferentSizesTogether) {
  using T = TypeParam;
  // Supervariables of these sizes, none of which fits into a block with its neighbour.
  const std::vector<int> sizes{9, 4, 8, 6, 7, 5, 9, 2};
  std::vector<Dense> blocks;
  for (int n : sizes) blocks.push_back(rounded<T>(random_block(n, 40 + n)));
  for (const char* variant : variants) {
    const Inverse<T> M(block_diagonal(blocks), block_jacobi(10, variant, "double", "supervariable"));
    for (int b = 0, first = 0; b < int(sizes.size()); first += sizes[b++]) {
      const Dense exact = inverse(blocks[b]);
      EXPECT_LE(error(M.block(first, sizes[b]), exact),
                1e-15 * one_norm(blocks[b]) * one_norm(exact) + std::numeric_limits<T>::epsilon())
          << variant << " " << b;
    }
  }
}

TYPED_TEST(BlockJacobi, WithBlocksOfOneRowIsJacobi) {
  using T = TypeParam;
  Backend be;
  for (const Shape& shape : shapes()) {
    const HostProblem host(shape);
    const Problem<T> problem(be, host);
    const auto A = make_operator<Backend, T>("stencil", be, host.e, problem.coefficients);
    A->assemble(0.5, 0.75);
    PreconditionerOptions jacobi;
    jacobi.type = "jacobi";
    const auto M = make_preconditioner<Backend, T>(block_jacobi(1), be, *A);
    const auto D = make_preconditioner<Backend, T>(jacobi, be, *A);
    M->prepare(*A);
    D->prepare(*A);
    const auto r = to_field<T>(be, host.e, random_values(host.e.points(), 5));
    Field<Backend, T> z(be, host.e), expected(be, host.e);
    Buffer<Backend, double> rz(be, 2);
    M->apply(r, z, rz.data());
    D->apply(r, expected, rz.data() + 1);
    const auto got = z.memory().download(), wanted = expected.memory().download();
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_NEAR(double(got[i]), double(wanted[i]), sizeof(T) == 8 ? 0 : 1.2e-7 * std::abs(wanted[i]));
    EXPECT_NEAR(rz.download()[0], rz.download()[1], sizeof(T) == 8 ? 0 : 1e-6 * rz.download()[1]);
  }
}

TYPED_TEST(BlockJacobi, OfTheWholeMatrixSolvesAtOnce) {
  using T = TypeParam;
  Backend be;
  for (int n : {1, 2, 13, 31, 32}) {
    const HostCsr matrix = block_diagonal({random_block(n, n + 1)});
    const auto A = make_operator<Backend, T>("csr", be, matrix);
    for (const char* variant : variants) {
      SolverOptions o;
      o.method = "bicgstab";
      o.norm = "relative-2";
      o.tolerance = sizeof(T) == 8 ? 1e-12 : 1e-5;
      o.preconditioner = block_jacobi(n, variant);
      const auto M = make_preconditioner<Backend, T>(o.preconditioner, be, *A);
      const auto solver = make_solver<Backend, T>(o, be, *A);
      std::vector<double> b = random_values(A->extent().count(), 6);
      std::fill(b.begin() + n, b.end(), 0);
      Field<Backend, T> x(be, A->extent());
      const Report report = solver->solve(*A, M.get(), to_field<T>(be, A->extent(), b), x, true);
      EXPECT_EQ(report.status, Status::converged) << variant << " " << n;
      EXPECT_EQ(report.iterations, 1) << variant << " " << n;
    }
  }
}

TYPED_TEST(BlockJacobi, SetsUpAgainWhenTheCoefficientsChange) {
  using T = TypeParam;
  Backend be;
  const HostProblem host(shapes().back());
  const Problem<T> problem(be, host);
  const auto b = to_field<T>(be, host.e, random_values(host.e.points(), 7));
  SolverOptions o;
  o.preconditioner = block_jacobi(16);
  o.tolerance = 1e-5;
  const auto A = make_operator<Backend, T>("dia", be, host.e, problem.coefficients);
  const auto again = make_preconditioner<Backend, T>(o.preconditioner, be, *A);
  const auto solver = make_solver<Backend, T>(o, be, *A);
  for (double weight : {0.75, 30.0, 0.01}) {
    A->assemble(0.5, weight);
    const auto fresh = make_preconditioner<Backend, T>(o.preconditioner, be, *A);
    Field<Backend, T> x(be, host.e), y(be, host.e);
    solver->solve(*A, again.get(), b, x, true);
    solver->solve(*A, fresh.get(), b, y, true);
    EXPECT_EQ(from_field(x), from_field(y)) << weight;
  }
}

TYPED_TEST(BlockJacobi, HelpsCgOnTheWaveSystemWithEveryChoice) {
  using T = TypeParam;
  Backend be;
  struct Choice {
    const char *variant, *storage, *blocks;
    int block;
  };
  for (const Shape& shape : shapes()) {
    const HostProblem host(shape);
    const Problem<T> problem(be, host);
    const auto b = to_field<T>(be, host.e, random_values(host.e.points(), 10));
    for (const char* format : {"stencil", "dia", "csr"})
      for (const Choice& choice : {Choice{"gauss-jordan", "double", "supervariable", 32},
                                   {"gauss-jordan", "single", "fixed", 5},
                                   {"gauss-jordan", "adaptive", "supervariable", 11},
                                   {"lu", "double", "fixed", 7},
                                   {"lu", "double", "supervariable", 4},
                                   {"gauss-huard", "double", "fixed", 17},
                                   {"gauss-huard", "double", "supervariable", 32}}) {
        SolverOptions o;
        o.preconditioner = block_jacobi(choice.block, choice.variant, choice.storage, choice.blocks);
        o.tolerance = sizeof(T) == 8 ? 1e-10 : 1e-5;
        const auto A = make_operator<Backend, T>(format, be, host.e, problem.coefficients);
        A->assemble(0.5, 5);
        const auto M = make_preconditioner<Backend, T>(o.preconditioner, be, *A);
        const auto solver = make_solver<Backend, T>(o, be, *A);
        Field<Backend, T> x(be, host.e);
        const Report report = solver->solve(*A, M.get(), b, x, true);
        EXPECT_EQ(report.status, Status::converged)
            << choice.variant << " " << choice.storage << " " << format;
        EXPECT_LE(report.iterations, 60) << choice.variant << " " << choice.storage << " " << format;
        for (double v : x.memory().download()) ASSERT_TRUE(std::isfinite(v));
      }
  }
}

TEST(BlockJacobiIterations, OnFivePointsAreThoseOfGinkgo) {
  Backend be;
  const auto A = make_operator<Backend, double>("csr", be, five_point(256, 50));
  PreconditionerOptions jacobi;
  jacobi.type = "jacobi";
  EXPECT_NEAR(iterations(be, *A, jacobi), 175, 3);
  EXPECT_NEAR(iterations(be, *A, block_jacobi(32)), 126, 3);
}

TEST(BlockJacobiIterations, AreFewerWithLargerBlocksWhateverTheVariantAndStorage) {
  Backend be;
  const auto A = make_operator<Backend, double>("csr", be, five_point(64, 50));
  PreconditionerOptions jacobi;
  jacobi.type = "jacobi";
  const int scalar = iterations(be, *A, jacobi), small = iterations(be, *A, block_jacobi(8)),
            blocks = iterations(be, *A, block_jacobi(32));
  EXPECT_LT(small, scalar);
  EXPECT_LT(blocks, small);
  EXPECT_EQ(iterations(be, *A, block_jacobi(32, "gauss-jordan", "double", "supervariable")), blocks);
  EXPECT_NEAR(iterations(be, *A, block_jacobi(32, "lu")), blocks, 1);
  EXPECT_NEAR(iterations(be, *A, block_jacobi(32, "gauss-huard")), blocks, 1);
  EXPECT_NEAR(iterations(be, *A, block_jacobi(32, "gauss-jordan", "adaptive")), blocks, 1);
}

TEST(OperationCounts, BlockJacobiAddsTwoPassesAndOneReductionToCg) {
  Backend be;
  const HostProblem host(shapes().back());
  const Problem<double> problem(be, host);
  const auto A = make_operator<Backend, double>("stencil", be, host.e, problem.coefficients);
  A->assemble(0.5, 0.75);
  const auto b = to_field<double>(be, host.e, random_values(host.e.points(), 9));
  for (const char* variant : variants) {
    SolverOptions o;
    o.preconditioner = block_jacobi(20, variant);
    const auto M = make_preconditioner<Backend, double>(o.preconditioner, be, *A);
    const auto solver = make_solver<Backend, double>(o, be, *A);
    M->prepare(*A);
    be.counts().clear();
    Field<Backend, double> x(be, host.e);
    const Report report = solver->solve(*A, M.get(), b, x, true);
    const long k = report.iterations;
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_EQ(be.counts().count("z = M^-1 r in blocks"), k + 1) << variant;
    EXPECT_EQ(be.counts().count("<r, z>"), k + 1) << variant;
    EXPECT_EQ(be.counts().passes, 4 * k + 4) << variant;
    EXPECT_EQ(be.counts().reductions, 3 * k + 3) << variant;
  }
}

}  // namespace
}  // namespace wavesim::test
