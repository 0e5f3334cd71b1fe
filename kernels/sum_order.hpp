#pragma once
// The order in which reductions add up. It depends on the size only, never on threads or multiprocessors, and
// it is the same on both backends: so a CPU and a GPU give the same bits.
//
// A reduction has up to `blocks` blocks of `lanes` lanes. Elements are dealt to lanes in turn, each lane adds
// its own in order, the lanes of a block are joined in a tree of 32 and then one after the other, and so are
// the blocks.

#include "kernels/access.hpp"

namespace wavesim::sum_order {

inline constexpr int lanes = 256;
/// 32 x 132: several rounds over the multiprocessors of an H100 or H200, so that a last round that is not
/// full costs little. A constant, because the order of the sum follows it.
inline constexpr int blocks = 4224;
/// A tile of a row kernel: 64 columns by 16 rows; a lane has four rows of one column.
inline constexpr int tile_x = 64, tile_y = 4, rows_per_lane = 4;
static_assert(tile_x * tile_y == lanes);

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

}  // namespace wavesim::sum_order
