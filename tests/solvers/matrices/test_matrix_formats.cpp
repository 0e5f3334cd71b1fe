#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/matrices/choose_format.hpp"
#include "tests/solvers/core/list_fields.hpp"
#include "tests/solvers/core/problems.hpp"
#include "tests/solvers/matrices/random_matrix.hpp"

namespace wavesim::test {
namespace {

std::vector<HostCsr> matrices() {
  HostCsr tridiagonal;
  tridiagonal.rows = 70;
  for (int i = 0; i < 70; ++i) {
    for (int j : {i - 1, i, i + 1})
      if (j >= 0 && j < 70)
        tridiagonal.column.push_back(j), tridiagonal.value.push_back(j == i ? 2.5 : -1 - 0.01 * j);
    tridiagonal.start.push_back(int(tridiagonal.column.size()));
  }
  return {{1, {0, 1}, {0}, {2}},
          tridiagonal,
          random_matrix(64, 3, 5, 1),
          random_matrix(200, 4, 120, 2),
          random_matrix(333, 1, 2, 3)};
}

template <class T>
class MatrixFormats : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(MatrixFormats, Precisions);

TYPED_TEST(MatrixFormats, EachGivesTheProductsOfAnyMatrixAndOfItsTranspose) {
  using T = TypeParam;
  Backend be;
  for (const HostCsr& A : matrices()) {
    const std::vector<double> x = random_values(std::size_t(A.rows), 5);
    std::vector<double> y(x.size(), 0), z(x.size(), 0);
    for (int i = 0; i < A.rows; ++i)
      for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
        y[i] += A.value[k] * x[A.column[k]];
        z[A.column[k]] += A.value[k] * x[i];
      }
    for (const Format& format : formats_of_rows()) {
      const std::string name(format.name);
      if (!format.any_matrix) {
        EXPECT_THROW((make_operator<Backend, T>(name, be, A)), InputError) << name;
        continue;
      }
      const auto op = make_operator<Backend, T>(name, be, A);
      const Extent e = op->extent();
      Field<Backend, T> result(be, e);
      op->apply(to_list<T>(be, e, x), result);
      const std::vector<double> product = from_list(result, A.rows);
      op->apply_transposed(to_list<T>(be, e, x), result);
      const std::vector<double> transposed = from_list(result, A.rows);
      for (int i = 0; i < A.rows; ++i) {
        EXPECT_NEAR(product[i], y[i], 200 * std::numeric_limits<T>::epsilon()) << name << " row " << i;
        EXPECT_NEAR(transposed[i], z[i], 200 * std::numeric_limits<T>::epsilon()) << name << " row " << i;
      }
    }
  }
}

TEST(MatrixFormats, GiveBackTheMatrixAsRows) {
  Backend be;
  for (const HostCsr& A : matrices())
    for (const Format& format : formats_of_rows()) {
      if (!format.any_matrix) continue;
      const auto op = make_operator<Backend, double>(std::string(format.name), be, A);
      const HostCsr back = op->csr().download();
      EXPECT_EQ(std::vector<int>(back.start.begin(), back.start.begin() + A.rows + 1), A.start)
          << format.name;
      EXPECT_TRUE(std::equal(A.column.begin(), A.column.end(), back.column.begin())) << format.name;
      EXPECT_TRUE(std::equal(A.value.begin(), A.value.end(), back.value.begin())) << format.name;
    }
}

TEST(MatrixFormats, OfAWaveSystemGiveBackTheSameRows) {
  Backend be;
  for (const Shape& shape : shapes()) {
    const HostProblem host(shape);
    const Problem<double> problem(be, host);
    HostCsr first;
    for (const Format& format : formats_of_rows()) {
      const auto op =
          make_operator<Backend, double>(std::string(format.name), be, host.e, problem.coefficients);
      op->assemble(0.5, 0.75);
      const HostCsr sorted = transpose(op->csr().download());  // A is symmetric: columns in order
      if (first.rows == 0) first = sorted;
      EXPECT_EQ(sorted.start, first.start) << format.name;
      EXPECT_EQ(sorted.column, first.column) << format.name;
      EXPECT_EQ(sorted.value, first.value) << format.name;
    }
  }
}

TEST(MatrixFormats, ThatCannotHoldAMatrixSensiblyRefuseWithANumber) {
  Backend be;
  const int n = 20000;
  HostCsr scattered;  // a diagonal for each entry
  scattered.rows = n;
  for (int i = 0; i < n; ++i) {
    const int j = int((long(i) * i) % n);
    for (int k : j<i ? std::vector<int>{j, i} : j> i ? std::vector<int>{i, j} : std::vector<int>{i})
      scattered.column.push_back(k), scattered.value.push_back(1);
    scattered.start.push_back(int(scattered.column.size()));
  }
  try {
    make_operator<Backend, double>("dia", be, scattered);
    ADD_FAILURE() << "dia took it";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("for the 4.01e+04 entries"), std::string::npos) << e.what();
  }
  EXPECT_EQ(choose_format(scattered).name, "ellpack-r");
}

TEST(MatrixFormats, AutoChoosesByTheRows) {
  EXPECT_EQ(choose_format(matrices()[1]).name, "dia");
  EXPECT_EQ(choose_format(random_matrix(400, 4, 300, 7)).name, "csr-merge");
  EXPECT_NE(choose_format(matrices()[1]).why, "");
}

}  // namespace
}  // namespace wavesim::test
