// Solves with triangular matrices.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "solvers/triangular/triangular_solve.hpp"
#include "tests/solvers/stationary/sweep_problems.hpp"

namespace wavesim::test {
namespace {

using namespace sweeps;

template <class T>
class Triangles : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(Triangles, Precisions);

TYPED_TEST(Triangles, UndoTheProductWithTheDenseTriangle) {
  using T = TypeParam;
  Backend be;
  const int n = 300, count = 3, stride = 320;
  const HostCsr A = random_matrix(n, 5);
  const auto D = dense(A);
  for (const Triangle side : {Triangle::lower, Triangle::upper})
    for (const bool unit : {false, true}) {
      const Triangular<Backend, T> solver(be, A, side, unit);
      EXPECT_GT(solver.levels(), 3);
      EXPECT_LT(solver.levels(), n / 4);
      const std::vector<double> x = random_values(std::size_t(count) * stride, 6);
      std::vector<T> b(x.size(), T(0));
      for (int s = 0; s < count; ++s)
        for (int i = 0; i < n; ++i) {
          double sum = (unit ? 1 : D[i][i]) * x[std::size_t(s) * stride + i];
          for (int j = 0; j < n; ++j)
            if (side == Triangle::lower ? j < i : j > i) sum += D[i][j] * x[std::size_t(s) * stride + j];
          b[std::size_t(s) * stride + i] = T(sum);
        }
      Buffer<Backend, T> from(be, b.size()), to(be, b.size());
      from.upload(b);
      be.counts().clear();
      solver.solve(from.data(), to.data(), count, stride);
      EXPECT_EQ(be.counts().count("x = triangle^-1 b"), 1);
      EXPECT_LE(be.counts().passes, 2);  // a GPU marks what is not there yet
      const std::vector<T> apart = to.download();
      // with ones for 8 on the diagonal the solution grows along a chain of rows, and errors with it
      const double tolerance = (unit ? 1e4 : 50) * std::numeric_limits<T>::epsilon();
      for (int s = 0; s < count; ++s)
        for (int i = 0; i < n; ++i) {
          const std::size_t at = std::size_t(s) * stride + i;
          ASSERT_NEAR(apart[at], x[at], tolerance) << "row " << i;
        }
      solver.solve(from.data(), from.data(), count, stride);
      EXPECT_EQ(std::vector<T>(from.download()), apart);  // in place
    }
}

TEST(TriangularSolves, RefuseAZeroDiagonalAndNameTheRow) {
  Backend be;
  HostCsr A = laplacian(5);
  A.value[std::find(A.column.begin() + A.start[7], A.column.end(), 7) - A.column.begin()] = 0;
  try {
    const Triangular<Backend, double> solver(be, A, Triangle::lower, false);
    ADD_FAILURE() << "it took it";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("row 7"), std::string::npos) << e.what();
  }
  EXPECT_EQ((Triangular<Backend, double>(be, A, Triangle::lower, true).levels()), 9);
}

}  // namespace
}  // namespace wavesim::test
