// The precision in which inverses of blocks are stored.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "tests/solvers/matrices/matrix_problems.hpp"
#include "tests/solvers/preconditioners/block_problems.hpp"

namespace wavesim::test {
namespace {

using namespace blocks;

TEST(BlockStorage, RoundsInversesWithinTheBoundOfTheFormat) {
  std::vector<Dense> blocks;
  for (double scale : {1.0, 1e-30, 1e30, 3e5}) {
    Dense B = random_block(12, 50);
    for (int i = 0; i < 12; ++i)  // well enough conditioned for half precision
      for (int j = 0; j < 12; ++j) B[i][j] = (B[i][j] + (i == j ? 5 : 0)) * scale;
    blocks.push_back(B);
  }
  const HostCsr matrix = block_diagonal(blocks);
  const Inverse<double> exact(matrix, block_jacobi(12));
  struct Bound {
    const char* storage;
    double relative, absolute;  // the latter to the largest entry, below the normal numbers of the format
  };
  for (const Bound& bound :
       {Bound{"single", 0x1p-24, 0}, {"half", 0x1p-11, 0x1p-24}, {"adaptive", 0x1p-11, 0x1p-24}}) {
    const Inverse<double> M(matrix, block_jacobi(12, "gauss-jordan", bound.storage));
    bool differs = false;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const Dense X = exact.block(int(b) * 12, 12), R = M.block(int(b) * 12, 12);
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) {
          EXPECT_LE(std::abs(R[i][j] - X[i][j]),
                    bound.relative * std::abs(X[i][j]) + bound.absolute * largest(X))
              << bound.storage << " " << b;
          differs |= R[i][j] != X[i][j];
        }
    }
    EXPECT_TRUE(differs) << bound.storage;  // it was rounded
  }
}

TEST(BlockStorage, AdaptiveChoosesByTheConditionOfEachBlock) {
  const auto with_condition = [](double k) { return Dense{{1, 0}, {0, k}}; };  // in the 1-norm, exactly
  std::vector<Dense> blocks;
  for (double k : {1.0, 50.0, 100.0}) blocks.push_back(with_condition(k));
  for (double k : {101.0, 1e-4, 5e5, 1e6}) blocks.push_back(with_condition(k));
  for (double k : {1.001e6, 1e-9}) blocks.push_back(with_condition(k));
  const Inverse<double> M(block_diagonal(blocks), block_jacobi(2, "gauss-jordan", "adaptive"));
  EXPECT_EQ(M.M.distribution().half, 3 + 55);  // and unit rows up to 128
  EXPECT_EQ(M.M.distribution().single, 4);
  EXPECT_EQ(M.M.distribution().full, 2);

  // Full blocks, in both triangles, by the condition number of the inverse made here.
  int half = 0, single = 0, full = 0;
  blocks.clear();
  for (int b = 0; b < 12; ++b) {
    Dense B = random_block(8, 60 + b);
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) B[i][j] = (B[i][j] + (i == j ? 3 : 0)) * std::pow(10.0, double(i * b) / 10);
    const double condition = one_norm(B) * one_norm(inverse(B));
    ++(condition <= 1e2 ? half : condition <= 1e6 ? single : full);
    blocks.push_back(B);
  }
  EXPECT_GT(half, 0);
  EXPECT_GT(single, 0);
  EXPECT_GT(full, 0);
  const Inverse<double> F(block_diagonal(blocks), block_jacobi(8, "gauss-jordan", "adaptive"));
  EXPECT_EQ(F.M.distribution().half, half + 4);
  EXPECT_EQ(F.M.distribution().single, single);
  EXPECT_EQ(F.M.distribution().full, full);
}

TEST(BlockStorage, IsRefusedWhereTheRoundedInverseMayBeSingular) {
  const HostCsr matrix = block_diagonal({{{1, 0}, {0, 1}}, {{1, 0}, {0, 1e5}}});
  EXPECT_NO_THROW(Inverse<double>(matrix, block_jacobi(2, "gauss-jordan", "single")));
  try {
    const Inverse<double> in_half(matrix, block_jacobi(2, "gauss-jordan", "half"));
    FAIL() << "half precision for a condition number of 1e5";
  } catch (const SolveError& e) {
    EXPECT_NE(std::string(e.what()).find("block 1, of rows 2 to 3"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("storage: adaptive"), std::string::npos) << e.what();
  }
}

TEST(BlockStorage, IsForExplicitInverses) {
  EXPECT_THROW(Inverse<double>(block_diagonal({random_block(4, 1)}), block_jacobi(4, "lu", "half")),
               InputError);
  EXPECT_THROW(
      Inverse<double>(block_diagonal({random_block(4, 1)}), block_jacobi(4, "gauss-huard", "adaptive")),
      InputError);
}

TEST(BlockJacobiInverses, OfASymmetricMatrixAreSymmetricToTheBit) {
  std::vector<Dense> blocks;
  for (int b = 0; b < 4; ++b) blocks.push_back(symmetric_definite(17, 70 + b, std::pow(10.0, b)));
  for (const char* storage : {"double", "single", "adaptive"}) {
    const Inverse<double> M(block_diagonal(blocks), block_jacobi(17, "gauss-jordan", storage));
    for (std::size_t i = 0; i < M.values.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) ASSERT_EQ(M.values[i][j], M.values[j][i]) << storage;
  }
}

TEST(BlockStorage, InHalfServesTheInnerSolveOfRefinementToAllDigitsOfDoubles) {
  const HostCsr A = beam(60);
  SolverOptions o;
  o.preconditioner = block_jacobi(4, "gauss-jordan", "half");
  o.norm = "relative-2";
  o.tolerance = 1e-12;
  o.mixed = true;
  const SystemResult r = solve_system(A, o);
  EXPECT_EQ(r.report.status, Status::converged) << word(r.report.status);
  EXPECT_EQ(r.set_up, "in single precision: blocks of 4 rows at most: 32 in half");
}

}  // namespace
}  // namespace wavesim::test
