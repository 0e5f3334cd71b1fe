// Products with several vectors at once have the bits of the products with each.

#include <gtest/gtest.h>

#include <cstring>
#include <span>

#include "kernels/backend/backend.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "kernels/formats/scattered_entries.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/formats/block_product.hpp"
#include "tests/solvers/core/list_fields.hpp"
#include "tests/solvers/core/problems.hpp"
#include "tests/solvers/matrices/random_matrix.hpp"

namespace wavesim::test {
namespace {

/// The same with every third row empty, the first and the last among them.
HostCsr with_empty_rows(const HostCsr& A) {
  HostCsr B;
  B.rows = A.rows;
  for (int i = 0; i < A.rows; ++i) {
    if (i % 3 != 0 && i + 1 != A.rows)
      for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
        B.column.push_back(A.column[k]), B.value.push_back(A.value[k]);
    B.start.push_back(int(B.column.size()));
  }
  return B;
}

/// Of which rows have four entries far from each other's, from which vectors are gathered interleaved.
HostCsr scattered_matrix(int n) {
  HostCsr A;
  A.rows = n;
  for (int i = 0; i < n; ++i) {
    std::vector<int> columns{i};
    for (int k = 1; k < 5; ++k) columns.push_back(int((long(i) * 7919 * k + 3 * n / 4) % n));
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const int j : columns) A.column.push_back(j), A.value.push_back(i == j ? 4 : 1.0 / (1 + j % 13));
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

std::vector<HostCsr> matrices() {
  return {{1, {0, 1}, {0}, {2}},
          random_matrix(64, 3, 5, 1),
          random_matrix(200, 4, 190, 2),  // a long row
          random_matrix(333, 1, 2, 3),    // padding, in lists and in rows of formats
          with_empty_rows(random_matrix(130, 3, 40, 4)),
          five_point_matrix(40, {{-1, -1.5, 5, -1.25, -1}}),
          scattered_matrix(8000)};
}

constexpr int counts[] = {1, 2, 3, 4, 5, 8, 50, 70};

/// Of every element, ghost rows and padding included, as bits.
template <class T>
bool same_bits(const Field<Backend, T>& a, const Field<Backend, T>& b) {
  const std::vector<T> x = a.memory().download(), y = b.memory().download();
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

template <class T>
void expect_products_of_each(Backend& be, const Operator<Backend, T>& A, const std::string& what,
                             bool a_list) {
  const Extent e = A.extent();
  using Vector = Field<Backend, T>;
  std::vector<Vector> x, expected;
  for (unsigned k = 0; k < 70; ++k) {
    const std::vector<double> values = random_values(std::size_t(a_list ? e.count() : e.nx * e.ny), 100 + k);
    x.push_back(a_list ? to_list<T>(be, e, values) : to_field<T>(be, e, values));
    expected.emplace_back(be, e);
    A.apply(x.back(), expected.back());
  }
  for (const int count : counts) {
    std::vector<Vector> y;
    for (int k = 0; k < count; ++k) {
      y.push_back(a_list ? to_list<T>(be, e, std::vector<double>(std::size_t(e.count()), 7))
                         : Vector(be, e));  // what was there does not matter
    }
    A.apply_all(std::span<const Vector>(x).first(std::size_t(count)), y);
    for (int k = 0; k < count; ++k)
      EXPECT_TRUE(same_bits(y[std::size_t(k)], expected[std::size_t(k)]))
          << what << ", vector " << k + 1 << " of " << count;
  }
}

template <class T>
class BlockProducts : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(BlockProducts, Precisions);

TYPED_TEST(BlockProducts, HaveTheBitsOfProductsWithEachVectorInEveryFormat) {
  using T = TypeParam;
  Backend be;
  for (const HostCsr& A : matrices())
    for (const Format& format : solver_formats()) {
      if (!format.any_matrix || !format.library.empty() || (format.name == "dia" && A.rows > 5000)) continue;
      const std::string name(format.name);
      const auto op = make_operator<Backend, T>(name, be, A);
      expect_products_of_each<T>(be, *op, name + ", " + std::to_string(A.rows) + " rows", true);
    }
}

TYPED_TEST(BlockProducts, OfAWaveSystemHaveTheBitsOfProductsWithEachVectorInEveryFormat) {
  using T = TypeParam;
  Backend be;
  for (const Shape& shape : shapes()) {
    const HostProblem host(shape);
    const Problem<T> problem(be, host);
    for (const Format& format : solver_formats()) {
      if (!format.library.empty()) continue;  // its bits are its own
      const std::string name(format.name);
      const auto op = make_operator<Backend, T>(name, be, host.e, problem.coefficients);
      op->assemble(0.5, 0.75);
      expect_products_of_each<T>(be, *op, name + ", " + std::to_string(shape.nx) + " points", false);
    }
  }
}

TYPED_TEST(BlockProducts, OfInterleavedVectorsHaveTheBitsOfProductsWithEachVector) {
  using T = TypeParam;
  using Vector = Field<Backend, T>;
  Backend be;
  for (const HostCsr& A : matrices()) {
    const Extent e = vector_extent(A.rows);
    const auto op = make_operator<Backend, T>("csr", be, A);
    const Csr<Backend, T> rows(be, padded_to(A, e));
    Buffer<Backend, T> room;
    for (const int count : {1, 3, 5, 50}) {
      std::vector<Vector> x, y;
      for (int k = 0; k < count; ++k)
        x.push_back(to_list<T>(be, e, random_values(std::size_t(e.count()), unsigned(k)))),
            y.emplace_back(be, e);
      each_launch<Backend, T>(x, y, [&](const auto& columns) {
        product_of_interleaved(be, e, rows.view(), rows.view().bytes, columns, room);
      });
      for (int k = 0; k < count; ++k) {
        Vector expected(be, e);
        op->apply(x[std::size_t(k)], expected);
        EXPECT_TRUE(same_bits(y[std::size_t(k)], expected))
            << A.rows << " rows, vector " << k + 1 << " of " << count;
      }
    }
  }
}

TEST(BlockProducts, OfNoVectorsAreNothing) {
  Backend be;
  const auto op = make_operator<Backend, double>("csr", be, random_matrix(20, 2, 3, 1));
  be.counts().clear();
  op->apply_all({}, {});
  EXPECT_EQ(be.counts().passes, 0);
}

TEST(BlockProducts, ReadTheMatrixOnceForEightVectors) {
  Backend be;
  const HostCsr A = five_point_matrix(64, {{-1, -1.5, 5, -1.25, -1}});
  const auto op = make_operator<Backend, double>("csr", be, A);
  const Extent e = op->extent();
  std::vector<Field<Backend, double>> x, y;
  for (int k = 0; k < 24; ++k) x.emplace_back(be, e), y.emplace_back(be, e);
  be.counts().clear();
  op->apply_all(x, y);
#ifdef __CUDACC__
  const int readings = 1;  // the groups of a launch share what they read
#else
  const int readings = 3;
#endif
  EXPECT_EQ(be.counts().count("Y = A X"), readings);
  EXPECT_NEAR(be.counts().bytes,
              readings * op->matrix_bytes() + 24.0 * 2 * sizeof(double) * double(e.points()), 1);
}

TEST(BlockProducts, InterleaveWhereColumnsAreScattered) {
  EXPECT_EQ(scattered_entries(five_point_matrix(100, {{-1, -1, 4, -1, -1}})), 0);
  EXPECT_GT(scattered_entries(scattered_matrix(8000)), 2);
  EXPECT_EQ(scattered_entries(scattered_matrix(900)), 0);  // all of it is near
  EXPECT_EQ(scattered_entries({1, {0, 1}, {0}, {2}}), 0);
  HostCsr coupled;  // row i with i and i + 20000: far away, and so are its neighbours'
  coupled.rows = 40000;
  for (int i = 0; i < coupled.rows; ++i) {
    for (const int j : {i, i + 20000})
      if (j < coupled.rows) coupled.column.push_back(j), coupled.value.push_back(1);
    coupled.start.push_back(int(coupled.column.size()));
  }
  EXPECT_EQ(scattered_entries(coupled), 0);

  const auto passes = [](int rows, const char* label, int vectors) {
    Backend be;
    const auto op = make_operator<Backend, double>("csr", be, scattered_matrix(rows));
    std::vector<Field<Backend, double>> x, y;
    for (int k = 0; k < vectors; ++k) x.emplace_back(be, op->extent()), y.emplace_back(be, op->extent());
    be.counts().clear();
    op->apply_all(x, y);
    const double allocated = be.counts().allocated;
    op->apply_all(x, y);
    EXPECT_EQ(be.counts().allocated, allocated);  // the room is kept
    return be.counts().count(label) / 2;
  };
  EXPECT_EQ(passes(300000, "interleave X", 4), 1);
  EXPECT_EQ(passes(300000, "Y = A X, interleaved", 4), 1);
  EXPECT_EQ(passes(300000, "q = A p", 2), 2);
#ifndef __CUDACC__
  EXPECT_EQ(passes(8000, "q = A p", 8), 8);  // in a core's cache
#endif
}

}  // namespace
}  // namespace wavesim::test
