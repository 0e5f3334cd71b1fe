// Fields that ranks share out: what one rank's part of them costs.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/backend/backend.hpp"
#include "kernels/memory/field.hpp"
#include "tests/process_memory.hpp"

namespace wavesim {
namespace {

/// Bytes of the backend's memory in use by this process.
double memory_in_use() {
#ifdef __CUDACC__
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  return double(total - free);
#else
  return process_memory("self", "VmRSS");
#endif
}

TEST(RowsOfARank, CostTheirOwnMemoryAndHoldZerosAtFirst) {
  Backend be;
  Extent e = make_extent(8000, 100000);  // 6.4 GB in all
  e.shared = true, e.first_own = 40000, e.own_end = 40100;
  const double before = memory_in_use();
  {
    Field<Backend, double> f(be, e);
    const std::vector<double> ones(std::size_t(e.pitch) * 100, 1.0);
    const std::vector<double> rows = f.own_rows();
    EXPECT_TRUE(std::all_of(rows.begin(), rows.end(), [](double v) { return v == 0; }));
    f.upload_own_rows(ones.data());
    EXPECT_EQ(f.own_rows(), ones);
    EXPECT_LT(memory_in_use() - before, 64e6);  // 100 rows, ghost rows, and their copies on the host
    // rows beyond the ends of the grid are there, and ghost rows
    std::vector<double> row(std::size_t(e.pitch), 1);
    for (const int k : {-1, e.first_own - most_ghosts, e.end_own() + most_ghosts - 1, e.ny}) {
      f.memory().download(std::size_t(k + 1) * row.size(), row.size(), row.data());
      EXPECT_TRUE(std::all_of(row.begin(), row.end(), [](double v) { return v == 0; })) << k;
    }
  }
  Field<Backend, double> again(be, e);  // memory that was released serves again
  const std::vector<double> rows = again.own_rows();
  EXPECT_TRUE(std::all_of(rows.begin(), rows.end(), [](double v) { return v == 0; }));
}

HD double number_of(int row, int col) { return 1e4 * row + col; }

/// This rank's rows of y = x of the row below, where x is number_of in them and 1 beside them.
std::vector<double> rows_below(Backend& be, const Extent& e) {
  Field<Backend, double> x(be, e), y(be, e);
  be.map_ghosts(
      "ones", e, 1, [] KERNEL(double& v) { v = 1; }, x.out());
  be.rows(
      "x", e, 0, [=] KERNEL(Row r, double& v) { v = number_of(r.row, r.col); }, x.out());
  const double* const from = x.data();
  be.rows(
      "y", e, 0, [=] KERNEL(Row r, double& v) { v = from[r.i - r.pitch]; }, y.out());
  return y.own_rows();
}

/// Of a field of 64 GB.
TEST(RowsOfARank, OfMoreElementsThanAnIntCounts) {
  Backend be;
  Extent e = make_extent(8000, 1000000);
  e.shared = true, e.first_own = 900000, e.own_end = 900100, e.base = e.first_own - 2 * most_ghosts;
  const std::vector<double> rows = rows_below(be, e);
  for (int row = e.first_own; row < e.own_end; ++row)
    for (const int col : {0, 1, 4711, e.nx - 1})
      EXPECT_EQ(rows[std::size_t(row - e.first_own) * std::size_t(e.pitch) + std::size_t(col)],
                row == e.first_own ? 1 : number_of(row - 1, col))
          << row << " " << col;
  EXPECT_EQ(e.row_of(e.number(900099, 7)), 900099);
  EXPECT_EQ(e.index(e.number(900099, 7)), e.index(900099, 7));
}

}  // namespace
}  // namespace wavesim
