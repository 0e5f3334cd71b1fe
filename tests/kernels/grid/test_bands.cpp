// Bands of rows, and the chunks of blocked sweeps that are made of them.

#include <gtest/gtest.h>

#include "kernels/reduce/sum_order.hpp"
#include "kernels/temporal/block_plan.hpp"

namespace wavesim {
namespace {

TEST(Bands, HaveEachRowOnceAndWholeTiles) {
  for (const int rows : {1, 7, 8, 9, 64, 300, 511, 1023, 1024, 1025, 8191, 8193, 65535, 1000003})
    for (const int nx : {1, 128, 300, 8191, 100000})
      for (const int word : {4, 8}) {
        const Bands bands = bands_of(make_extent(nx, rows, word));
        SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(rows));
        ASSERT_GE(bands.count, 1);
        ASSERT_LE(bands.count, Bands::most);
        EXPECT_EQ(bands.first_row(0), 0);
        EXPECT_EQ(bands.first_row(bands.count), rows);
        int least = rows, most = 0;
        for (int k = 0; k < bands.count; ++k) {
          const int height = bands.first_row(k + 1) - bands.first_row(k);
          EXPECT_EQ(bands.first_row(k) % Bands::tile_height, 0);
          if (k + 1 < bands.count) least = std::min(least, height);
          most = std::max(most, height);
        }
        EXPECT_GT(least, 0);
        EXPECT_TRUE(bands.count <= 2 || most - least <= Bands::tile_height);
      }
}

TEST(Bands, AreSoManyThatChunksOfBlockedSweepsAreAlikeOnOneTwoAndFourRanks) {
  for (const int word : {4, 8}) {
    const Extent e = make_extent(8191, 8191, word);
    const SweepPlan p = word == 4 ? plan_sweeps<float>(e, 8) : plan_sweeps<double>(e, 8);
    EXPECT_EQ(p.chunks, blocks_at_once / p.strips);
    for (const int ranks : {1, 2, 4}) EXPECT_EQ(p.bands.count % (ranks * p.chunks), 0) << ranks;
    EXPECT_LE(p.rows, 1.01 * e.ny / p.chunks + Bands::tile_height);
  }
}

TEST(Slices, HaveEachRowOnceAndLieInOneBand) {
  for (const int rows : {1, 3, 8, 30, 100, 511, 1023, 2047, 8191, 65535})
    for (const int nx : {1, 300, 1023, 8191, 100000}) {
      const SweepPlan p = plan_sweeps<double>(make_extent(nx, rows), 8);
      SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(rows));
      ASSERT_LE(p.slices() * p.leaves_of_slice.count(), temporal::lanes);
      EXPECT_EQ(p.first_row(0), 0);
      EXPECT_EQ(p.first_row(p.chunks), rows);
      for (int s = 0; s < p.slices(); ++s) {
        EXPECT_LT(p.first_row_of(s), p.first_row_of(s + 1));
        EXPECT_EQ(p.first_row_of(s) % SweepPlan::step, 0);
      }
      for (int band = 0; band < p.bands.count; ++band)
        EXPECT_EQ(p.first_row_of(band * p.slices_of_band), p.bands.first_row(band));
      // a chunk is hardly higher than it would be without slices, but in narrow grids: there are no more slices than lanes
      if (p.strips > 2) {
        EXPECT_LE(p.rows, 1.05 * plan_blocks<double>(make_extent(nx, rows), 8).rows + Bands::tile_height);
      }
    }
}

TEST(Bands, GiveReductionsNoMorePartsThanThereArePlaces) {
  for (const int rows : {1, 100, 1023, 8191, 200000, 10000000})
    for (const int nx : {1, 511, 8191, 60000, 10000000}) {
      if (double(rows) * nx > 2e9) continue;
      const Extent e = make_extent(nx, rows);
      for (const sum_order::Cut& cut : {sum_order::cut_rows(e), sum_order::cut_elements<2>(e)}) {
        SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(rows));
        EXPECT_GE(cut.blocks_per_band, 1);
        EXPECT_LT(cut.part(cut.bands.count - 1, cut.blocks_per_band - 1), sum_order::most_blocks);
        int parts = 0;
        for (int leaf = 0; leaf < sum_order::lanes; ++leaf) parts += cut.parts_of_leaf(leaf);
        EXPECT_EQ(parts, cut.blocks());
      }
    }
}

}  // namespace
}  // namespace wavesim
