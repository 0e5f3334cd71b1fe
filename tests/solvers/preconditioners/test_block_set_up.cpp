// How block-jacobi finds its blocks, what it replaces and what it refuses.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "tests/solvers/preconditioners/block_problems.hpp"

namespace wavesim::test {
namespace {

using namespace blocks;

/// What set-up says of a matrix of three blocks, of which the second is `bad`.
std::string complaint(const Dense& bad, const char* variant) {
  try {
    Inverse<double>(block_diagonal({random_block(5, 1), bad, random_block(5, 2)}), block_jacobi(5, variant));
  } catch (const SolveError& e) {
    return e.what();
  }
  return "";
}

TEST(BlockJacobiSetUp, NamesABlockThatIsNotFinite) {
  Dense nan = random_block(5, 4), inf = nan;
  Dense overflows = random_block(5, 5);  // to infinity, and then to what is no number
  for (auto& row : overflows)
    for (double& v : row) v *= 8e307;
  overflows[0][0] = overflows[1][1] = 1e-300;
  nan[2][3] = std::nan("");
  inf[4][0] = std::numeric_limits<double>::infinity();
  for (const char* variant : variants)
    for (const Dense& bad : {nan, inf, overflows}) {
      const std::string s = complaint(bad, variant);
      EXPECT_NE(s.find("block 1, of rows 5 to 9, or its inverse has entries that are not finite"),
                std::string::npos)
          << variant << ": " << s;
    }
}

/// The diagonal of a block, with ones for zeros.
Dense diagonal_of(const Dense& block) {
  Dense D(block.size(), std::vector<double>(block.size(), 0));
  for (std::size_t i = 0; i < block.size(); ++i) D[i][i] = block[i][i] == 0 ? 1 : block[i][i];
  return D;
}

TEST(BlockJacobiSetUp, ReplacesASingularBlockByItsDiagonal) {
  Dense column = random_block(5, 4);
  for (auto& row : column) row[3] = 0;
  const Dense zero(5, std::vector<double>(5, 0)), twos(5, std::vector<double>(5, 2));
  for (const char* variant : variants)
    for (const Dense& bad : {zero, twos, column}) {
      const Dense first = random_block(5, 1), last = random_block(5, 2);
      const Inverse<double> replaced(block_diagonal({first, bad, last}), block_jacobi(5, variant));
      const Inverse<double> wanted(block_diagonal({first, diagonal_of(bad), last}), block_jacobi(5, variant));
      EXPECT_EQ(replaced.M.distribution().singular, 1) << variant;
      EXPECT_EQ(wanted.M.distribution().singular, 0) << variant;
      EXPECT_NE(replaced.M.describe().find("; 1 singular block is replaced by its diagonal"),
                std::string::npos)
          << replaced.M.describe();
      EXPECT_EQ(replaced.values, wanted.values) << variant;
    }
  const Inverse<double> both(block_diagonal({twos, random_block(5, 1), zero}), block_jacobi(5));
  EXPECT_NE(both.M.describe().find("; 2 singular blocks are replaced by their diagonals"), std::string::npos);
}

/// A matrix with blocks of n rows along its diagonal and entries everywhere else, whose rows are in the order
/// that `shuffle` says, with entries there `copies` times, all of which add up.
HostCsr scattered(const std::vector<Dense>& blocks, int n, bool shuffle, int copies) {
  HostCsr A;
  A.rows = int(blocks.size()) * n;
  const std::vector<double> far = random_values(std::size_t(A.rows) * A.rows, 8);
  for (int i = 0; i < A.rows; ++i) {
    for (int k = 0; k < A.rows * copies; ++k) {
      const int j = (shuffle ? k * (A.rows - 1) + i : k / copies) % A.rows;
      const double a = i / n == j / n ? blocks[i / n][i % n][j % n] : far[std::size_t(i) * A.rows + j];
      A.column.push_back(j);
      A.value.push_back(a / copies);
    }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

TEST(BlockJacobiSetUp, FindsTheEntriesOfABlockWhereverTheyAreInTheirRows) {
  for (int n : {1, 2, 3, 4, 5, 8, 9, 13, 16, 17, 31, 32}) {
    std::vector<Dense> blocks;
    for (int b = 0; b < 3; ++b) blocks.push_back(random_block(n, 100 * b + n));
    for (const char* variant : variants) {
      const Inverse<double> expected(block_diagonal(blocks), block_jacobi(n, variant));
      for (const bool shuffle : {false, true})
        for (int copies : {1, 2, 4}) {  // of which each is exact
          const Inverse<double> M(scattered(blocks, n, shuffle, copies), block_jacobi(n, variant));
          for (int b = 0; b < 3; ++b)
            EXPECT_EQ(M.block(b * n, n), expected.block(b * n, n))
                << variant << ", size " << n << (shuffle ? ", shuffled, " : ", in order, ") << copies;
        }
    }
  }
}

TEST(BlockJacobiSetUp, SeesThatARowIsOutOfOrderWhereTheLanesStartAgain) {
  // Rows of 35 entries: the first 32 are in order, and so are the others, which are there before as well.
  const Dense block = random_block(32, 3);
  HostCsr A = block_diagonal({block});
  HostCsr twice;
  twice.rows = 32;
  for (int i = 0; i < 32; ++i) {
    for (int j = 0; j < 35; ++j) {
      twice.column.push_back(j % 32);
      twice.value.push_back(j < 3 || j >= 32 ? block[i][j % 32] / 2 : block[i][j]);
    }
    twice.start.push_back(int(twice.column.size()));
  }
  for (const char* variant : variants)
    EXPECT_EQ(Inverse<double>(twice, block_jacobi(32, variant)).values,
              Inverse<double>(A, block_jacobi(32, variant)).values)
        << variant;
}

TEST(BlockJacobiSetUp, TakesARowWithoutEntriesAsTheIdentity) {
  HostCsr matrix = block_diagonal({random_block(6, 1)});
  for (int k = 0; k < 3; ++k) matrix.start.push_back(matrix.start.back());
  matrix.rows += 3;
  for (const char* variant : variants) {
    const Inverse<double> M(matrix, block_jacobi(32, variant));
    EXPECT_LE(error(M.block(0, 6), inverse(random_block(6, 1))), 1e-14);
    for (int i = 6; i < 9; ++i)
      for (int j = 0; j < 9; ++j) EXPECT_EQ(M.values[i][j], i == j) << variant;
    EXPECT_EQ(M.M.distribution().identity, 1);
  }
}

TEST(Blocks, OfFixedSizeEndAtRowsWithoutEntries) {
  HostCsr A;
  A.rows = 12;
  A.start = {0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 9, 10};  // rows 7 and 8 are empty
  const Blocks blocks = fixed_blocks(A, 4);
  EXPECT_EQ(blocks.first, (std::vector<int>{0, 4, 7, 9, 12}));
  EXPECT_EQ(blocks.empty, (std::vector<char>{0, 0, 1, 0}));
}

/// A mesh of nodes in a chain, with so many variables each: rows of a node have the same pattern.
HostCsr chain(const std::vector<int>& variables) {
  std::vector<int> first{0};
  for (int n : variables) first.push_back(first.back() + n);
  HostCsr A;
  for (int node = 0; node < int(variables.size()); ++node)
    for (int v = 0; v < variables[node]; ++v) {
      const int from = first[std::max(node - 1, 0)], to = first[std::min(node + 2, int(variables.size()))];
      // not in the same order in each row
      for (int k = 0; k < to - from; ++k) A.column.push_back(from + (k + v) % (to - from));
      A.start.push_back(int(A.column.size()));
      A.value.resize(A.column.size(), 1);
      ++A.rows;
    }
  return A;
}

TEST(Blocks, OfSupervariablesAreTheNodesOfAMesh) {
  const std::vector<int> nodes{3, 5, 2, 6, 6, 1, 4};
  const HostCsr A = chain(nodes);
  EXPECT_EQ(supervariables(A, 32).first, (std::vector<int>{0, 3, 8, 10, 16, 22, 23, 27}));
}

TEST(Blocks, OfSupervariablesAreJoinedUpToTheBound) {
  const std::vector<int> nodes{3, 3, 3, 3, 3, 3, 3};
  const HostCsr A = chain(nodes);
  EXPECT_EQ(supervariable_blocks(A, 7).first, (std::vector<int>{0, 6, 12, 18, 21}));
  EXPECT_EQ(supervariable_blocks(A, 32).first, (std::vector<int>{0, 21}));
  EXPECT_EQ(supervariable_blocks(A, 2).first.size(), 15u);  // 2 and 1 of each node
}

}  // namespace
}  // namespace wavesim::test
