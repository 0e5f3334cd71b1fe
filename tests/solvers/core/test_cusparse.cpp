// `cusparse` beside `csr`, on a GPU. Elsewhere it is refused.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "tests/solvers/core/product_problems.hpp"
#include "tests/solvers/stationary/varying_nine_points.hpp"

namespace wavesim::test {
namespace {

template <class T>
class CusparseFormat : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(CusparseFormat, Precisions);

const HostCsr& small_matrix() {
  static const HostCsr A = five_point_matrix(3, {-1, -1, 4.5, -1, -1});
  return A;
}

/// Why the format is refused; empty if it is there.
std::string why_no_cusparse() {
  Backend be;
  try {
    make_operator<Backend, double>("cusparse", be, small_matrix());
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(CusparseRefusal, NamesWhatIsMissing) {
  const std::string why = why_no_cusparse();
  if (Backend::asynchronous)
    EXPECT_TRUE(why.empty() || why.find("this program was built without cuSPARSE") == 0) << why;
  else
    EXPECT_EQ(
        why,
        "format: cusparse takes products by cuSPARSE, which works on a GPU only; write device: cuda, or "
        "another format, as csr");
}

TYPED_TEST(CusparseFormat, HasThePassesAndSolutionsOfCsrForAnyMatrix) {
  using T = TypeParam;
  if (const std::string why = why_no_cusparse(); !why.empty()) GTEST_SKIP() << why;
  Backend be;
  for (const HostCsr& matrix :
       {five_point_matrix(1, {-1, -1, 4.5, -1, -1}), five_point_matrix(70, {-1, -1, 4.5, -1, -1}),
        five_point_matrix(70, {-1.2, -1.1, 4.5, -0.9, -0.8})}) {
    const auto A = make_operator<Backend, T>("cusparse", be, matrix),
               csr = make_operator<Backend, T>("csr", be, matrix);
    expect_the_same_passes<T>(be, *A, *csr);
    if (matrix.rows > 1) expect_the_same_solutions<T>(be, *A, *csr, false);
  }
}

TYPED_TEST(CusparseFormat, FollowsEachAssemblyOfFivePoints) {
  using T = TypeParam;
  if (const std::string why = why_no_cusparse(); !why.empty()) GTEST_SKIP() << why;
  Backend be;
  for (const Shape& shape : shapes()) {
    const HostProblem host(shape);
    const Problem<T> problem(be, host);
    const auto A = make_operator<Backend, T>("cusparse", be, host.e, problem.coefficients),
               csr = make_operator<Backend, T>("csr", be, host.e, problem.coefficients);
    for (const double weight : {0.75, 0.3}) {
      A->assemble(0.5, weight);
      csr->assemble(0.5, weight);
      expect_the_same_passes<T>(be, *A, *csr);
      expect_the_same_solutions<T>(be, *A, *csr, true);
    }
  }
}

TYPED_TEST(CusparseFormat, FollowsEachAssemblyOfNinePoints) {
  using T = TypeParam;
  using enum Side;
  if (const std::string why = why_no_cusparse(); !why.empty()) GTEST_SKIP() << why;
  Backend be;
  const auto compare = [&](Extent e, const auto& view) {
    const auto A = make_operator<Backend, T>("cusparse", be, e, view),
               csr = make_operator<Backend, T>("csr", be, e, view);
    for (const double weight : {0.1, 0.05}) {
      A->assemble(0.5, weight);
      csr->assemble(0.5, weight);
      expect_the_same_passes<T>(be, *A, *csr);
    }
  };
  const CornerEntries<double> of_mass{0.17, 0.021, 0.018, 0.002}, of_stiffness{0.8, -0.25, -0.3, -0.25};
  for (const std::array<Side, 4>& sides : {std::array<Side, 4>{fixed, free, free, fixed},
                                           std::array<Side, 4>{periodic, periodic, periodic, periodic}}) {
    const Extent e = make_extent(45, 37);
    const int wrap = sides[0] == periodic;
    const Topology topology{e.nx, e.ny, wrap * e.nx, wrap * e.ny * e.pitch};
    const MatrixOnBackend<T> M(be, e, CellSum(e, sides, of_mass, 1)),
        K(be, e, CellSum(e, sides, of_stiffness, 2));
    compare(e, NinePointCoefficients<T>{topology, M.view(), nullptr, K.view()});
    UniformNinePointCoefficients<T> constant;
    constant.topology = topology;
    constant.mass = {T(0.17), T(0.021), T(0.018), T(0.002)};
    constant.stiffness = {T(0.8), T(-0.25), T(-0.3), T(-0.25)};
    for (int side = 0; side < 4; ++side) constant.cells_beyond[side] = sides[std::size_t(side)] != free;
    compare(e, constant);
  }
}

TYPED_TEST(CusparseFormat, LeavesTheResultAloneUnderAClosedGuard) {
  using T = TypeParam;
  if (const std::string why = why_no_cusparse(); !why.empty()) GTEST_SKIP() << why;
  Backend be;
  const auto A = make_operator<Backend, T>("cusparse", be, five_point_matrix(20, {-1, -1, 4.5, -1, -1}));
  expect_guards_hold<T>(be, *A);
}

/// A solve by conjugate gradients is one graph, as with formats of our own.
TEST(CusparseSolve, IsRecorded) {
  if (const std::string why = why_no_cusparse(); !why.empty()) GTEST_SKIP() << why;
  Backend be;
  const auto A = make_operator<Backend, double>("cusparse", be, five_point_matrix(40, {-1, -1, 4.5, -1, -1}));
  SolverOptions o;
  o.norm = "relative-2";
  const auto solver = make_solver<Backend, double>(o, be, *A);
  const auto b = to_field<double>(be, A->extent(), random_values(std::size_t(A->extent().points()), 3));
  Field<Backend, double> x(be, A->extent());
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(solver->solve(*A, nullptr, b, x, true).converged());
  EXPECT_EQ(solver->recordings(), 1);
}

}  // namespace
}  // namespace wavesim::test
