#pragma once
// Where passes of several leapfrog steps are done in tiles (layers.hpp): around a window.

#include "kernels/grid/wave_system.hpp"
#include "kernels/leapfrog/leapfrog.hpp"
#include "kernels/temporal/block_plan.hpp"

namespace wavesim {

/// Rows and columns from .. to - 1.
struct GridPart {
  int row = 0, row_to = 0, col = 0, col_to = 0;
  HD int rows() const { return row_to - row; }
  HD int cols() const { return col_to - col; }
  HD bool empty() const { return row >= row_to || col >= col_to; }
  HD bool has(int r, int c) const { return r >= row && r < row_to && c >= col && c < col_to; }
};

/// Rows and columns of a tile: those that shared memory holds, or a core's cache.
constexpr int most_of_tile(bool on_gpu) { return on_gpu ? 32 : 128; }
/// With the points of a pass's steps around them.
constexpr int most_points_of_box(bool on_gpu) {
  const int side = most_of_tile(on_gpu) + 2 * leapfrog_steps(on_gpu, true, false);
  return side * side;
}

/// The grid but for a window, cut into tiles of up to `most_of_tile` rows and columns: below the window, above it, left and right of
/// it.
struct LayersFrame {
  Topology topology;
  int steps = 0;  // of a pass, at most
  GridPart window, parts[4];
  int up[4] = {}, across[4] = {};  // tiles of each part

  LayersFrame() = default;
  LayersFrame(const Topology& t, int steps, const GridPart& inside, int most)
      : topology(t), steps(steps), window(inside.empty() ? GridPart{t.ny, t.ny, 0, t.nx} : inside) {
    const GridPart& w = window;
    parts[0] = {0, w.row, 0, t.nx}, parts[1] = {w.row_to, t.ny, 0, t.nx};
    parts[2] = {w.row, w.row_to, 0, w.col}, parts[3] = {w.row, w.row_to, w.col_to, t.nx};
    for (int k = 0; k < 4; ++k)
      if (!parts[k].empty())
        up[k] = (parts[k].rows() + most - 1) / most, across[k] = (parts[k].cols() + most - 1) / most;
  }
  HD int tiles() const {
    int n = 0;
    for (int k = 0; k < 4; ++k) n += up[k] * across[k];
    return n;
  }
  /// The points of a tile.
  HD GridPart tile(int n) const {
    int k = 0;
    for (; n >= up[k] * across[k]; ++k) n -= up[k] * across[k];
    const GridPart& p = parts[k];
    const auto cut = [](int from, int length, int pieces, int n) {
      return from + int(long(length) * n / pieces);
    };
    const int y = n / across[k], x = n % across[k];
    return {cut(p.row, p.rows(), up[k], y), cut(p.row, p.rows(), up[k], y + 1),
            cut(p.col, p.cols(), across[k], x), cut(p.col, p.cols(), across[k], x + 1)};
  }
  /// What it takes into fast memory: `steps` points around it, and at an edge a row or column beyond.
  HD GridPart box(const GridPart& tile) const {
    const Topology& t = topology;
    GridPart b{tile.row - steps, tile.row_to + steps, tile.col - steps, tile.col_to + steps};
    if (t.wrap_y == 0) b.row = b.row < -1 ? -1 : b.row, b.row_to = b.row_to > t.ny + 1 ? t.ny + 1 : b.row_to;
    if (t.wrap_x == 0) b.col = b.col < -1 ? -1 : b.col, b.col_to = b.col_to > t.nx + 1 ? t.nx + 1 : b.col_to;
    return b;
  }
  /// Points of the largest box, and what rounds them up to lines of memory.
  int box_points() const {
    int largest = 0;
    for (int n = 0, tiles_ = tiles(); n < tiles_; ++n) {
      const GridPart b = box(tile(n));
      largest = b.rows() * b.cols() > largest ? b.rows() * b.cols() : largest;
    }
    return (largest + 15) / 16 * 16;
  }
};

}  // namespace wavesim
