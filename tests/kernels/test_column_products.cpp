// Inner products of the columns of tall matrices.

#include "kernels/backend/column_products.hpp"

#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"

namespace wavesim::test {
namespace {

/// Columns that are zero in padding, as those of fields are.
template <class T>
std::vector<Field<Backend, T>> columns_of(Backend& be, const Extent& e, int count) {
  std::vector<Field<Backend, T>> columns;
  for (int k = 0; k < count; ++k) {
    std::vector<T> own(std::size_t(e.pitch) * std::size_t(e.ny), T(0));
    for (int row = 0; row < e.ny; ++row)
      for (int col = 0; col < e.nx; ++col)
        own[std::size_t(row) * std::size_t(e.pitch) + std::size_t(col)] =
            T(std::sin(1 + 0.7 * k + 1.3 * col + 0.1 * row * (k + 1)));
    columns.emplace_back(be, e).upload_own_rows(own.data());
  }
  return columns;
}

template <class T>
void expect_the_bits_of_rows_sum(const Extent& e) {
  Backend be;
  const auto x = columns_of<T>(be, e, 2 * block_tile);
  std::vector<BlockTile<T>> tiles;
  for (int m = 1; m <= block_tile; ++m)
    for (int n = 1; n <= block_tile; ++n) {
      BlockTile<T>& tile = tiles.emplace_back();
      tile.of_x = m;
      tile.of_y = n;
      for (int k = 0; k < block_tile; ++k) {
        tile.x[k] = x[std::size_t(std::min(k, m - 1))].data();
        tile.y[k] = x[std::size_t(block_tile) + std::size_t(std::min(k, n - 1))].data();
      }
    }
  Buffer<Backend, TileSums> sums(be, tiles.size()), by_rows(be, 1);
  column_products(be, "X' Y", e, tiles, sums.data());
  const std::vector<TileSums> found = sums.download();
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    be.rows_sum("X' Y", e, 0, by_rows.data(), tiles[k], NoEpilogue{});
    const TileSums wanted = by_rows.download()[0];
    for (int i = 0; i < tiles[k].of_x; ++i)
      for (int j = 0; j < tiles[k].of_y; ++j)
        EXPECT_EQ(found[k].v[i * block_tile + j], wanted.v[i * block_tile + j])
            << e.nx << " x " << e.ny << ", tile " << k << ", " << i << " " << j;
  }
}

TEST(ColumnProducts, HaveTheBitsOfSumsRowByRow) {
  for (const Extent& e :
       {vector_extent(1), vector_extent(300), vector_extent(65025), vector_extent(3'000'000),
        make_extent(1, 1), make_extent(37, 19), make_extent(130, 9), make_extent(600, 517)}) {
    expect_the_bits_of_rows_sum<double>(e);
    expect_the_bits_of_rows_sum<float>(e);
  }
}

}  // namespace
}  // namespace wavesim::test
