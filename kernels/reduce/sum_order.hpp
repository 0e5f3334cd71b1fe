#pragma once
// The order in which reductions add up. It depends on the size only, never on threads or multiprocessors, and
// it is the same on both backends: so a CPU and a GPU give the same bits.
//
// A reduction has blocks of `lanes` lanes. Elements (of a map) or tiles (of rows) are dealt to blocks in
// turn, each lane adds its own in order, the lanes of a block are joined in a tree of 32 and then one after
// the other, and so are the blocks.

#include "kernels/backend/access.hpp"

namespace wavesim::sum_order {

inline constexpr int lanes = 256;
/// Blocks of a map at most, 32 x 132: several rounds over the multiprocessors of an H100 or H200, so that a
/// last round that is not full costs little. Constants, because the order of the sum follows them.
inline constexpr int blocks = 4224;
/// A tile of a row kernel: 128 columns by 8 rows; a lane has four rows of one column.
inline constexpr int tile_x = 128, tile_y = 2, rows_per_lane = 4;
static_assert(tile_x * tile_y == lanes);
/// Tiles for a block: one while there are few, then up to `usual_tiles`, more only where blocks would become
/// more than `most_blocks`. All blocks have the same number, or nearly.
inline constexpr int few_blocks = 1056, most_blocks = 16384, usual_tiles = 4;

/// Elements of each operand in a 16-byte pack, which a lane takes together.
template <class... A>
constexpr int pack_size() {
  int largest = 1;
  ((largest = int(sizeof(typename A::value)) > largest ? int(sizeof(typename A::value)) : largest), ...);
  return largest >= 16 ? 1 : 16 / largest;
}

inline int blocks_of(int packs) { return packs > 0 ? (packs + lanes - 1) / lanes : 1; }
inline int tiles_x(Extent e) { return (e.nx + tile_x - 1) / tile_x; }
inline int tiles(Extent e) {
  constexpr int height = tile_y * rows_per_lane;
  return tiles_x(e) * ((e.ny + height - 1) / height);
}
inline int at_most_blocks(int wanted) { return wanted < blocks ? wanted : blocks; }
inline int blocks_of_tiles(int count) {
  int each = count / few_blocks;
  each = each < 1 ? 1 : each > usual_tiles ? usual_tiles : each;
  if (count > each * most_blocks) each = (count + most_blocks - 1) / most_blocks;
  return (count + each - 1) / each;
}

}  // namespace wavesim::sum_order
