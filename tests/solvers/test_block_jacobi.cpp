#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/errors.hpp"
#include "solvers/preconditioners/block_jacobi.hpp"
#include "solvers/registry.hpp"
#include "tests/solvers/problems.hpp"

namespace wavesim::test {
namespace {

using Dense = std::vector<std::vector<double>>;
using Real = long double;

PreconditionerOptions block_jacobi(int size, const std::string& variant = "gauss-jordan",
                                   const std::string& storage = "double",
                                   const std::string& blocks = "fixed") {
  PreconditionerOptions o;
  o.type = "block-jacobi";
  o.choices.numbers["block"] = size;
  o.choices.words["variant"] = variant;
  o.choices.words["storage"] = storage;
  o.choices.words["blocks"] = blocks;
  return o;
}

/// Blocks along the diagonal, with all their entries.
HostCsr block_diagonal(const std::vector<Dense>& blocks) {
  HostCsr A;
  for (const Dense& block : blocks) {
    const int first = A.rows;
    for (const auto& row : block) {
      for (std::size_t j = 0; j < row.size(); ++j) {
        A.column.push_back(first + int(j));
        A.value.push_back(row[j]);
      }
      A.start.push_back(int(A.column.size()));
      ++A.rows;
    }
  }
  return A;
}

Dense random_block(int n, unsigned seed) {
  const std::vector<double> v = random_values(std::size_t(n) * n, seed);
  Dense B(n, std::vector<double>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) B[i][j] = v[i * n + j] + (i == j ? 2 : 0);
  return B;
}
/// Rows and columns scaled by powers of ten.
Dense badly_scaled(int n, unsigned seed) {
  Dense B = random_block(n, seed);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) B[i][j] *= std::pow(10.0, (i * 7 + int(seed)) % 5 - 2 + (j * 3) % 4);
  return B;
}
/// Zeros, or next to nothing, where elimination in the order of rows and columns would look for its pivots.
Dense without_diagonal(int n, unsigned seed) {
  Dense B = random_block(n, seed);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (j == (i + 1) % n)
        B[i][j] = 3 + B[i][j] / 4;
      else
        B[i][j] = i == j ? 0 : B[i][j] * (j < i ? 1e-13 : 0.25);
    }
  return B;
}
Dense symmetric_definite(int n, unsigned seed, double condition) {
  Dense B = random_block(n, seed), S(n, std::vector<double>(n, 0));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) S[i][j] += B[i][k] * B[j][k] * std::pow(condition, -double(k) / n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) S[i][j] = S[j][i];
  return S;
}

/// In extended precision, by elimination with pivots from all of what is left.
Dense inverse(const Dense& B) {
  const int n = int(B.size());
  std::vector<std::vector<Real>> a(n, std::vector<Real>(2 * n, 0));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) a[i][j] = B[i][j];
    a[i][n + i] = 1;
  }
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[p][k])) p = i;
    std::swap(a[k], a[p]);
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const Real factor = a[i][k] / a[k][k];
      for (int j = k; j < 2 * n; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  Dense X(n, std::vector<double>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) X[i][j] = double(a[i][n + j] / a[i][i]);
  return X;
}
double one_norm(const Dense& B) {
  double norm = 0;
  for (std::size_t j = 0; j < B.size(); ++j) {
    double sum = 0;
    for (const auto& row : B) sum += std::abs(row[j]);
    norm = std::max(norm, sum);
  }
  return norm;
}
template <class T>
Dense rounded(Dense B) {
  for (auto& row : B)
    for (double& v : row) v = double(T(v));
  return B;
}

/// M^-1 as a dense matrix: its products with unit vectors.
template <class T>
struct Inverse {
  Backend be;
  std::unique_ptr<Operator<Backend, T>> A;
  BlockJacobiPreconditioner<Backend, T> M;
  Dense values;

  Inverse(const HostCsr& matrix, const PreconditionerOptions& o, bool transposed = false)
      : A(make_operator<Backend, T>("csr", be, matrix)), M(be, *A, o) {
    M.prepare(*A);
    Field<Backend, T> r(be, A->extent()), z(be, A->extent());
    Buffer<Backend, double> rz(be, 1);
    values.assign(matrix.rows, std::vector<double>(matrix.rows));
    for (int j = 0; j < matrix.rows; ++j) {
      std::vector<double> unit(A->extent().count(), 0);
      unit[j] = 1;
      r = to_field<T>(be, A->extent(), unit);
      transposed ? M.apply_transposed(r, z, rz.data(), {}) : M.apply(r, z, rz.data(), {});
      const std::vector<double> column = from_field(z);
      for (int i = 0; i < matrix.rows; ++i) values[i][j] = column[i];
      EXPECT_EQ(rz.download()[0], column[j]);  // <e_j, z>
    }
  }
  /// The block of n rows from `first` on.
  Dense block(int first, int n) const {
    Dense B(n, std::vector<double>(n));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) B[i][j] = values[first + i][first + j];
    return B;
  }
};

double largest(const Dense& B) {
  double most = 0;
  for (const auto& row : B)
    for (double v : row) most = std::max(most, std::abs(v));
  return most;
}
/// Of the entries, relative to the largest.
double error(const Dense& X, const Dense& exact) {
  double most = 0;
  for (std::size_t i = 0; i < X.size(); ++i)
    for (std::size_t j = 0; j < X.size(); ++j) {
      if (!std::isfinite(X[i][j])) return std::numeric_limits<double>::infinity();
      most = std::max(most, std::abs(X[i][j] - exact[i][j]));
    }
  return most / largest(exact);
}

constexpr const char* variants[] = {"gauss-jordan", "lu", "gauss-huard"};

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
  EXPECT_EQ(M.M.distribution().half, 3 + 23);  // and unit rows up to 64
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
    Inverse<double>(matrix, block_jacobi(2, "gauss-jordan", "half"));
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

/// What set-up says of a matrix of three blocks, of which the second is `bad`.
std::string complaint(const Dense& bad, const char* variant) {
  try {
    Inverse<double>(block_diagonal({random_block(5, 1), bad, random_block(5, 2)}), block_jacobi(5, variant));
  } catch (const SolveError& e) {
    return e.what();
  }
  return "";
}

TEST(BlockJacobiSetUp, NamesABlockThatIsSingularOrNotFinite) {
  Dense nan = random_block(5, 4), inf = nan, column = nan;
  const Dense zero(5, std::vector<double>(5, 0)), ones(5, std::vector<double>(5, 1));
  for (auto& row : column) row[3] = 0;
  Dense overflows = random_block(5, 5);  // to infinity, and then to what is no number
  for (auto& row : overflows)
    for (double& v : row) v *= 8e307;
  overflows[0][0] = overflows[1][1] = 1e-300;
  nan[2][3] = std::nan("");
  inf[4][0] = std::numeric_limits<double>::infinity();
  for (const char* variant : variants) {
    for (const Dense& bad : {zero, ones, column}) {
      const std::string s = complaint(bad, variant);
      EXPECT_NE(s.find("block 1, of rows 5 to 9, is singular"), std::string::npos) << variant << ": " << s;
    }
    for (const Dense& bad : {nan, inf, overflows}) {
      const std::string s = complaint(bad, variant);
      EXPECT_NE(s.find("block 1, of rows 5 to 9, or its inverse has entries that are not finite"),
                std::string::npos)
          << variant << ": " << s;
    }
  }
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

/// I - a * Laplacian on n x n points.
HostCsr five_point(int n, double a) {
  HostCsr A;
  A.rows = n * n;
  for (int row = 0; row < n; ++row)
    for (int col = 0; col < n; ++col) {
      const auto push = [&](int c, int r, double v) {
        if (c < 0 || r < 0 || c >= n || r >= n) return;
        A.column.push_back(r * n + c);
        A.value.push_back(v);
      };
      push(col, row - 1, -a);
      push(col - 1, row, -a);
      push(col, row, 1 + 4 * a);
      push(col + 1, row, -a);
      push(col, row + 1, -a);
      A.start.push_back(int(A.column.size()));
    }
  return A;
}

int iterations(Backend& be, const Operator<Backend, double>& A, const PreconditionerOptions& M) {
  SolverOptions o;
  o.preconditioner = M;
  o.norm = "relative-2";
  o.tolerance = 1e-8;
  const auto precondition = make_preconditioner<Backend, double>(M, be, A);
  const auto solver = make_solver<Backend, double>(o, be, A);
  const auto b = to_field<double>(be, A.extent(), random_values(A.extent().count(), 8));
  Field<Backend, double> x(be, A.extent());
  const Report report = solver->solve(A, precondition.get(), b, x, true);
  EXPECT_EQ(report.status, Status::converged);
  return report.iterations;
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
  if (Backend::asynchronous) GTEST_SKIP() << "a GPU enqueues iterations that may do nothing";
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
    be.tally().clear();
    Field<Backend, double> x(be, host.e);
    const Report report = solver->solve(*A, M.get(), b, x, true);
    const long k = report.iterations;
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_EQ(be.tally().count("z = M^-1 r in blocks"), k + 1) << variant;
    EXPECT_EQ(be.tally().count("<r, z>"), k + 1) << variant;
    EXPECT_EQ(be.tally().passes, 4 * k + 4) << variant;
    EXPECT_EQ(be.tally().reductions, 3 * k + 3) << variant;
  }
}

}  // namespace
}  // namespace wavesim::test
