// The product of `csr-merge`, whose rows are cut into tiles on a GPU, beside the same rows one after the other on the host.

#include <gtest/gtest.h>

#include <random>

#include "kernels/backend/backend.hpp"
#include "kernels/formats/row_tiles.hpp"
#include "solvers/catalogue/make.hpp"
#include "tests/solvers/core/list_fields.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {
namespace {

/// Rows of these lengths, over and over, with random entries; zeros where rows are empty.
HostCsr rows_of_lengths(const std::vector<int>& lengths, int rows, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  HostCsr A;
  A.rows = rows;
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < lengths[std::size_t(i) % lengths.size()]; ++k) {
      A.column.push_back(int(random() % unsigned(rows)));
      A.value.push_back(uniform(random));
    }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

std::vector<HostCsr> matrices() {
  using namespace row_tiles;
  return {rows_of_lengths({0, 1, 5, serial - 1, serial, serial + 1, 7 * lanes_of_row + 3}, 700, 1),
          rows_of_lengths({longest - 1, 2, longest, longest + 1, 0, capacity, capacity + 1}, 300, 2),
          rows_of_lengths({0, 0, 0, 1}, 5000, 3),  // more rows in a tile than it has threads
          rows_of_lengths({300}, 200, 4), rows_of_lengths({3 * piece, 4, 4, 4, 260 * piece + 17}, 10, 5)};
}

template <class T>
std::vector<double> row_by_row(const HostCsr& A, const std::vector<double>& x) {
  std::vector<int> start = A.start, column = A.column;
  std::vector<T> value(A.value.begin(), A.value.end());
  TiledRowsView<T> rows;
  rows.start = start.data(), rows.column = column.data(), rows.value = value.data();
  std::vector<double> y;
  for (int i = 0; i < A.rows; ++i) {
    Row r{};
    r.i = i;
    y.push_back(double(rows.row(r, [&](int j) { return T(x[std::size_t(j)]); })));
  }
  return y;
}

template <class T>
class RowTilesOf : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(RowTilesOf, Precisions);

TYPED_TEST(RowTilesOf, AnyLengthHaveTheBitsOfRowsOneAfterTheOther) {
  using T = TypeParam;
  Backend be;
  for (const HostCsr& A : matrices()) {
    const auto op = make_operator<Backend, T>("csr-merge", be, A);
    std::vector<double> x = random_values(std::size_t(A.rows), 7);
    for (double& v : x) v = double(T(v));
    const std::vector<double> expected = row_by_row<T>(A, x);
    Field<Backend, T> y(be, op->extent());
    for (int repetition = 0; repetition < 3; ++repetition) {  // counters of pieces begin anew
      op->apply(to_list<T>(be, op->extent(), x), y);
      ASSERT_EQ(from_list(y, A.rows), expected) << A.rows << " rows, " << A.column.size() << " entries";
    }
  }
}

TYPED_TEST(RowTilesOf, SeveralVectorsHaveTheBitsOfEach) {
  using T = TypeParam;
  Backend be;
  for (const HostCsr& A : matrices()) {
    const auto op = make_operator<Backend, T>("csr-merge", be, A);
    for (const int vectors : {2, 5, row_tiles::most_vectors + 3}) {
      std::vector<Field<Backend, T>> x, y;
      std::vector<std::vector<double>> expected;
      for (int v = 0; v < vectors; ++v) {
        std::vector<double> values = random_values(std::size_t(A.rows), 11 + unsigned(v) % 5);
        for (double& value : values) value = double(T(value));
        if (v < 5) expected.push_back(row_by_row<T>(A, values));
        x.push_back(to_list<T>(be, op->extent(), values));
        y.emplace_back(be, op->extent());
      }
      for (int repetition = 0; repetition < 2; ++repetition) {
        op->apply_all(x, y);
        for (int v = 0; v < vectors; ++v) {
          ASSERT_EQ(from_list(y[std::size_t(v)], A.rows), expected[std::size_t(v) % 5])
              << "vector " << v << " of " << vectors << ", " << A.rows << " rows";
        }
      }
    }
  }
}

TEST(RowTiles, AreCutSoThatEachHasWorkForABlock) {
  for (const HostCsr& A : matrices()) {
    const RowCuts cuts(A.start);
    int next = 0, pieces = 0;
    for (const RowTile& t : cuts.tiles) {
      EXPECT_LE(t.end - t.first, row_tiles::capacity);
      EXPECT_EQ(t.first, next);
      next = t.end;
      pieces += t.end_row < 0;
    }
    EXPECT_EQ(next, int(A.column.size()));
    EXPECT_EQ(pieces, cuts.pieces);
  }
}

}  // namespace
}  // namespace wavesim::test
