// An operator that is composed of a product (solvers/formats/product_operator.hpp), here of one over the rows of `csr`.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/formats/format.hpp"
#include "tests/solvers/core/product_problems.hpp"

namespace wavesim::test {

/// y <- A x row by row, as a library would: knowing no guards.
template <class T>
class PlainProduct {
 public:
  PlainProduct(Backend& be, const Csr<Backend, T>& A) : be_(be), A_(A.view()), rows_(A.rows()) {}
  void operator()(const T* x, T* y, const T* scale) const {
    const CsrView<T> A = A_;
    be_.guard(nullptr, 0);
    be_.rows(
        "plain product", make_extent(rows_, 1), A.bytes,
        [=] KERNEL(Row r, T & yi) {
          const T product = A.row(r, Gather<T>{x});
          yi = scale ? std::fma(scale[0], product, scale[1] * y[r.i]) : product;
        },
        Out<T>{y});
    be_.unguard();
  }

 private:
  Backend& be_;
  CsrView<T> A_;
  int rows_;
};

namespace {

template <class T>
using MultipliedByUs = MultipliedRows<Backend, T, PlainProduct<T>>;

template <class T>
class ProductOperators : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(ProductOperators, Precisions);

std::vector<HostCsr> symmetric_and_unsymmetric() {
  return {five_point_matrix(13, {-1, -1, 4.5, -1, -1}), five_point_matrix(13, {-1.2, -1.1, 4.5, -0.9, -0.8})};
}

TYPED_TEST(ProductOperators, OfAnyMatrixHaveThePassesAndSolutionsOfCsr) {
  using T = TypeParam;
  Backend be;
  for (const HostCsr& matrix : symmetric_and_unsymmetric()) {
    const auto A = stored_matrix<MultipliedByUs<T>, Backend, T>(be, matrix);
    const auto csr = make_operator<Backend, T>("csr", be, matrix);
    expect_the_same_passes<T>(be, *A, *csr);
    expect_the_same_solutions<T>(be, *A, *csr, false);
  }
}

TYPED_TEST(ProductOperators, OfTheWaveSystemFollowEachAssembly) {
  using T = TypeParam;
  Backend be;
  for (const Shape& shape : shapes()) {
    const HostProblem host(shape);
    const Problem<T> problem(be, host);
    const auto A =
        stored_rows<MultipliedByUs<T>, Backend, T, VariableCoefficients<T>>(be, host.e, problem.coefficients);
    const auto csr = make_operator<Backend, T>("csr", be, host.e, problem.coefficients);
    for (const double weight : {0.75, 0.3}) {
      A->assemble(0.5, weight);
      csr->assemble(0.5, weight);
      expect_the_same_passes<T>(be, *A, *csr);
    }
    if (&shape == &shapes().back()) continue;
    expect_the_same_solutions<T>(be, *A, *csr, true);
  }
}

TYPED_TEST(ProductOperators, LeaveTheResultAloneUnderAClosedGuard) {
  using T = TypeParam;
  if (!Backend::asynchronous) GTEST_SKIP() << "the CPU has no guards";
  Backend be;
  const auto A = stored_matrix<MultipliedByUs<T>, Backend, T>(be, symmetric_and_unsymmetric()[0]);
  expect_guards_hold<T>(be, *A);
}

TYPED_TEST(ProductOperators, RefuseWhatReadsTheirRows) {
  using T = TypeParam;
  Backend be;
  const HostCsr matrix = symmetric_and_unsymmetric()[0];
  const auto A = stored_matrix<MultipliedByUs<T>, Backend, T>(be, matrix);
  Field<Backend, T> v(be, A->extent());
  EXPECT_FALSE(A->facts().readable);
  EXPECT_THROW(A->csr(), InputError);
  EXPECT_THROW(A->inverse_diagonal(v), InputError);
  for (const Method& method : solver_methods()) {
    if (!method.reads_rows || method.structure != Structure::any || method.triangular) continue;
    SolverOptions o;
    o.method = method.name;
    try {
      make_solver<Backend, T>(o, be, *A);
      ADD_FAILURE() << method.name;
    } catch (const InputError& e) {
      EXPECT_NE(
          std::string(e.what()).find("method: " + std::string(method.name) + " reads rows of the matrix"),
          std::string::npos)
          << e.what();
    }
  }
}

/// What the catalogue says of rows is so: who is said to read none solved above; who is said to read them does.
TEST(ReadsRows, IsSaidOfThoseThatDo) {
  Backend be;
  const HostCsr matrix = symmetric_and_unsymmetric()[0];
  const auto A = stored_matrix<MultipliedByUs<double>, Backend, double>(be, matrix);
  const auto b = to_field<double>(be, A->extent(), random_values(std::size_t(A->extent().points()), 5));
  for (const PreconditionerEntry& entry : solver_preconditioners()) {
    if (!entry.reads_rows) continue;
    const auto M = make_preconditioner<Backend, double>({std::string(entry.name), {}}, be, *A);
    EXPECT_THROW(M->prepare(*A), InputError) << entry.name;
  }
  for (const auto& method : methods_on<Backend, double>()) {
    if (!method.row.reads_rows || method.row.structure != Structure::any || method.row.triangular) continue;
    if (method.row.automatic) continue;  // it reads those of the wave system
    SolverOptions o;
    o.method = method.row.name;
    Field<Backend, double> x(be, A->extent());
    EXPECT_THROW(method.make(o, be, *A)->solve(*A, nullptr, b, x, true), InputError) << method.row.name;
  }
}

}  // namespace
}  // namespace wavesim::test
