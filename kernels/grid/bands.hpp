#pragma once
// Bands of rows: what the sums over a field are cut into, and what the ranks of a run share out among them. They depend on
// the size only, so sums have the same bits however many ranks, threads or blocks work on them.

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "kernels/grid/extent.hpp"

namespace wavesim {

/// Blocks of a pass of blocked sweeps that are at work at once on an H100 or H200: two on a multiprocessor, for registers
/// hold no more. A constant, because the order of the sums follows it.
inline constexpr int blocks_at_once = 2 * 132;
/// Columns of a block that are its own in such a pass of eight sweeps, where values have `word` bytes.
constexpr int strip_columns(int word) { return word == 4 ? 488 : 236; }

/// `rows` rows in `count` bands, each of whole tiles (sum_order.hpp) but for the last tile.
struct Bands {
  static constexpr int most = 64, tile_height = 8;
  int rows = 0, count = 1;
  std::uint64_t tiles_of_band = 0;  // in units of 2^-32, rounded up: a product, for a GPU divides slowly

  Bands(int all_rows, int all) : rows(all_rows), count(all) {
    tiles_of_band = ((std::uint64_t(tiles()) << 32) + std::uint64_t(count) - 1) / std::uint64_t(count);
  }
  HD int tiles() const { return (rows + tile_height - 1) / tile_height; }
  /// The first row of tiles of band k, and its first row; those of band `count` are the ends.
  HD int first_tile(int k) const { return int(std::uint64_t(k) * tiles_of_band >> 32); }
  HD int first_row(int k) const {
    const int row = first_tile(k) * tile_height;
    return row < rows ? row : rows;
  }
};

/// Chunks of a pass of blocked sweeps (block_plan.hpp) where one rank has all rows.
inline int chunks_of_pass(const Extent& e) {
  const int strips = (e.nx + strip_columns(e.word) - 1) / strip_columns(e.word);
  return std::clamp(blocks_at_once / strips, 1, std::max(e.ny, 1));
}

/// Of the rows of a field: as many as such a pass has chunks, times or by a power of two, so that it is in balance on
/// 2 or 4 ranks, too; and so high that a tile more or less does not matter.
inline Bands bands_of(const Extent& e) {
  if (e.bands > 0) return {e.ny, e.bands};
  constexpr int high = 8;  // tiles
  const int chunks = chunks_of_pass(e), tiles = (e.ny + Bands::tile_height - 1) / Bands::tile_height,
            most = std::clamp(tiles / high, 1, Bands::most);
  int several = 1;
  while ((chunks + several - 1) / several > most) several *= 2;
  int count = (chunks + several - 1) / several;
  while (2 * count <= most) count *= 2;
  return {e.ny, count};
}

/// Bands from `first` to `end` - 1.
struct BandRange {
  int first = 0, end = 0;
  HD int count() const { return end - first; }
  HD bool has(int band) const { return band >= first && band < end; }
};
/// Those of this rank's rows. Throws std::logic_error where its rows are not whole bands.
inline BandRange own_bands(const Bands& bands, const Extent& e) {
  BandRange own{0, bands.count};
  if (e.whole()) return own;
  while (bands.first_row(own.first) < e.first_own) ++own.first;
  while (bands.first_row(own.end) > e.end_own()) --own.end;
  if (bands.first_row(own.first) != e.first_own || bands.first_row(own.end) != e.end_own())
    throw std::logic_error("ranks share out rows of bands of another cut");
  return own;
}

/// The same number of leaves for each of n bands: a power of two, and at most `all` in all.
struct LeavesOfBand {
  int log2 = 0;
  LeavesOfBand(int all, int n) {
    while (2 * count() * n <= all) ++log2;
  }
  HD int count() const { return 1 << log2; }
  /// What a part that is the k-th of its band is dealt to, and how many were dealt to it before.
  HD int leaf(int band, int k) const { return (band << log2) | (k & (count() - 1)); }
  HD int before(int k) const { return k >> log2; }
  HD int band_of(int leaf) const { return leaf >> log2; }
  /// Of `parts` of a band.
  HD int parts_of(int leaf, int parts) const {
    return (parts - (leaf & (count() - 1)) + count() - 1) >> log2;
  }
};

}  // namespace wavesim
