#pragma once
// A persistent kernel (persistent_kernel.hpp) over the tiles of a field, whose sums have the order of sum_order.hpp: so a method
// gives in it the bits that it gives in passes over memory. A block of threads has neighbouring tiles, two at a time. For a
// field with at most `most_tiles` tiles, each of which is a part of the sums by itself.
//
// A program P, a struct of pointers and numbers that kernels take by value, goes through two phases in turn. It has
//   rounds                          tiles of a thread: a constant
//   Lane, Shared element, State     what lanes, blocks and all blocks alike keep
//   R<phase>                        what is joined at the end of a phase
//   begin(at, lane, shared)         once
//   measure<phase>(at, lane, shared, state, sums)   sums: R<phase>[rounds], of the points of each tile in their order
//   fetch<phase>(at, lane)          loads what others wrote in `measure`, during the reduction
//   bool next(state, sum, first)    in each block, the same in all; `sum` is an R<phase>, `first`: in the block that may write.
//                                   False: that was the last phase.
//   advance<phase>(at, lane, shared, state)
//   end(at, lane, shared)           once
// with a barrier of the block between any two of them except `fetch` and `next`.

#include "kernels/persistent/persistent_kernel.hpp"
#include "kernels/reduce/sum_order.hpp"

namespace wavesim {

/// The tiles of a field on the blocks of a persistent kernel.
struct TileShare {
  static constexpr int at_once = persistent::lanes / sum_order::lanes, most_of_block = 8,
                       most_tiles = most_of_block * persistent::blocks;
  int tiles = 0, across = 0, of_block = 1, blocks = 0;
  TileShare() = default;
  explicit TileShare(Extent e)
      : tiles(sum_order::tiles(e)),
        across(sum_order::tiles_x(e)),
        of_block((tiles + persistent::blocks - 1) / persistent::blocks),
        blocks((tiles + of_block - 1) / of_block) {}
  bool fits() const { return tiles <= most_tiles; }
  /// Tiles of a thread.
  int rounds() const { return (of_block + at_once - 1) / at_once; }
  /// The tile of a place of a block; -1: there is none.
  HD int tile(int block, int place) const {
    const int tile = block * of_block + place;
    return place < of_block && tile < tiles ? tile : -1;
  }
};

/// A lane of a tile: `half` is which of the tiles at once it works on.
struct TileLane {
  TileShare share;
  int block, half, lane;
  HD TileLane(const TileShare& of, int of_block, int thread)
      : share(of), block(of_block), half(thread / sum_order::lanes), lane(thread % sum_order::lanes) {}
  HD int place(int round) const { return round * TileShare::at_once + half; }
  HD int tile(int round) const { return share.tile(block, place(round)); }
};

namespace sum_order {
/// Which part of the sums a tile is, where each is one.
HD inline int part_of_tile(const Cut& cut, int across, int tile) {
  int band = 0;
  while (tile >= cut.bands.first_tile(band + 1) * across) ++band;
  return cut.part(band, tile - cut.bands.first_tile(band) * across);
}
}  // namespace sum_order

template <class B>
class TileKernel;

/// Places of the sums in a backend's memory: of two phases, in turn, and in each the parts of all tiles.
struct PartsOfTiles {
  static constexpr int most = 2;  // doubles of a part
  /// `parts` for each lane of a block.
  HD static std::size_t doubles(int parts) { return std::size_t(parts) * sum_order::lanes * most; }
};

}  // namespace wavesim

#ifdef __CUDACC__
#include "kernels/persistent/tile_kernel_cuda.hpp"
#else
#include "kernels/persistent/tile_kernel_host.hpp"
#endif
