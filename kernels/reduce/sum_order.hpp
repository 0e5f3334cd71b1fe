#pragma once
// The order in which reductions add up. It depends on the size only, never on threads, multiprocessors or ranks, and
// it is the same on both backends: so a CPU and a GPU give the same bits, and any number of ranks does.
//
// The rows are cut into bands (bands.hpp), and each band has the same number of blocks of `lanes` lanes. The elements of a
// band (of a map), or its tiles (of rows), are dealt to its blocks in turn; each lane adds its own in order, and the
// lanes of a block are joined in a tree of 32 and then one after the other. A band's blocks are dealt
// to its leaves in turn and joined there, and all leaves like the lanes of a block.

#include <algorithm>

#include "kernels/backend/access.hpp"
#include "kernels/grid/bands.hpp"

namespace wavesim::sum_order {

inline constexpr int lanes = 256;
/// A tile of a row kernel: 128 columns by 8 rows; a lane has four rows of one column.
inline constexpr int tile_x = 128, tile_y = 2, rows_per_lane = 4;
static_assert(tile_x * tile_y == lanes && tile_y * rows_per_lane == Bands::tile_height);
/// Tiles for a block: one while there are few, then up to `usual_tiles`, more only where blocks would become
/// more than `most_blocks`. All blocks have the same number, or nearly.
inline constexpr int few_blocks = 1056, most_blocks = 32768, usual_tiles = 2;

/// Blocks of a map at most. With fewer of them those that are at work together read from more places.
inline constexpr int most_of_map = 7168;
static_assert(most_blocks % lanes == 0);

/// Elements of each operand in a 16-byte pack, which a lane takes together.
template <class... A>
constexpr int pack_size() {
  int largest = 1;
  ((largest = int(sizeof(typename A::value)) > largest ? int(sizeof(typename A::value)) : largest), ...);
  return largest >= 16 ? 1 : 16 / largest;
}

inline int blocks_of(int packs) { return packs > 0 ? (packs + lanes - 1) / lanes : 1; }
inline int tiles_x(Extent e) { return (e.nx + tile_x - 1) / tile_x; }
inline int tiles(Extent e) { return tiles_x(e) * ((e.ny + Bands::tile_height - 1) / Bands::tile_height); }
/// The first tile of this rank's rows, which are whole tiles, and how many they are.
inline int first_own_tile(Extent e) { return tiles_x(e) * (e.first_own / Bands::tile_height); }
inline int own_tiles(Extent e) {
  return tiles_x(e) * ((e.end_own() + Bands::tile_height - 1) / Bands::tile_height) - first_own_tile(e);
}

/// How a reduction is cut up. All leaves are the lanes of one block; a band has a power of two of them.
struct Cut {
  Bands bands;
  BandRange own;  // this rank's
  LeavesOfBand leaves;
  int blocks_per_band = 1;
  Cut(const Bands& all, const Extent& e, int blocks)
      : bands(all), own(own_bands(all, e)), leaves(lanes, all.count), blocks_per_band(blocks) {}
  int blocks() const { return bands.count * blocks_per_band; }
  /// Where the part of a block is: those of all leaves lie side by side.
  HD int part(int band, int block) const { return leaves.before(block) * lanes + leaves.leaf(band, block); }
  HD int band_of(int leaf) const { return leaves.band_of(leaf); }
  HD int most_parts_of_leaf() const { return leaves.parts_of(0, blocks_per_band); }
  /// That come from this rank.
  HD int parts_of_leaf(int leaf) const {
    return own.has(leaves.band_of(leaf)) ? leaves.parts_of(leaf, blocks_per_band) : 0;
  }
};
/// Blocks of a band at most: there are places for most_blocks parts.
inline int most_of_band(const Bands& bands) {
  return most_blocks / lanes * LeavesOfBand(lanes, bands.count).count();
}

/// Of a row kernel.
inline Cut cut_rows(Extent e) {
  const Bands bands = bands_of(e);
  const int count = tiles(e), of_band = tiles_x(e) * ((bands.tiles() + bands.count - 1) / bands.count),
            most = most_of_band(bands);
  int each = count / few_blocks;
  each = each < 1 ? 1 : each > usual_tiles ? usual_tiles : each;
  if (of_band > each * most) each = (of_band + most - 1) / most;
  return {bands, e, (of_band + each - 1) / each};
}
/// Of a map over packs of V elements of a field or a list.
template <int V>
Cut cut_elements(Extent e) {
  const Bands bands = bands_of(e);
  const int most = std::min(most_of_band(bands), std::max(1, most_of_map / bands.count));
  // of the highest band; each lane of a block has as many packs as others, or nearly
  const int tiles = (bands.tiles() + bands.count - 1) / bands.count;
  const int blocks = blocks_of(std::min(tiles * Bands::tile_height, e.ny) * e.pitch / V);
  int each = (blocks + most - 1) / most;
  if (each == 1 && blocks * bands.count > few_blocks) each = 2;
  return {bands, e, (blocks + each - 1) / each};
}

}  // namespace wavesim::sum_order
