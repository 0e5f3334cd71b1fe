#pragma once
// How the grid is cut into blocks for blocked sweeps (blocked_sweeps.hpp), on both backends alike: the order of the sums
// follows the blocks and their lanes.

#include <algorithm>

#include "kernels/grid/extent.hpp"

namespace wavesim {

/// The remainder that is not negative: of a column or row round a periodic axis, of a row in a ring of rows.
HD inline int ring(int k, int n) { return (k % n + n) % n; }

namespace temporal {

/// A lane reads and writes so many neighbouring columns at once; round a periodic axis there have to be a
/// whole number of such packs.
template <class T>
inline constexpr int columns_per_lane = 16 / int(sizeof(T));
inline constexpr int lanes = 128;  // of a block
template <class T>
inline constexpr int columns = lanes* columns_per_lane<T>;  // of a block
/// Blocks that are at work at once on an H100 or H200: two on a multiprocessor, for registers hold no more.
/// Constants, because the order of the sums follows them.
inline constexpr int blocks_at_once = 2 * 132;

template <class T>
bool fits(const Topology& t) {
  return t.wrap_x == 0 || t.nx % columns_per_lane<T> == 0;
}

}  // namespace temporal

/// How a pass is cut up: by the size alone, so that the order of its sums is, too. A block is a chunk of rows
/// of a strip of columns.
struct BlockPlan {
  int margin = 0;  // columns at each side of a block that belong to its neighbours
  int inner = 0, strips = 0;
  int rows = 0, chunks = 0;
  int blocks() const { return strips * chunks; }
};

/// Few columns and rows twice, and all multiprocessors busy until the end.
template <class T>
BlockPlan plan_blocks(Extent e, int steps) {
  constexpr int V = temporal::columns_per_lane<T>;
  const int halo = steps + 1;
  BlockPlan p;
  p.margin = (halo + V - 1) / V * V;
  const int most = temporal::columns<T> - 2 * p.margin;
  p.strips = (e.nx + most - 1) / most;
  p.inner = ((e.nx + p.strips - 1) / p.strips + V - 1) / V * V;
  // one round of blocks, or more if the strips alone are many
  const int chunks = std::clamp(temporal::blocks_at_once / p.strips, 1, e.ny);
  p.rows = (e.ny + chunks - 1) / chunks;
  p.chunks = (e.ny + p.rows - 1) / p.rows;
  return p;
}

}  // namespace wavesim
