#pragma once
// How ranks share out the rows of the grids of multigrid.hpp: a coarse point belongs to the rank that has the fine point.

#include <algorithm>
#include <vector>

#include "kernels/comm/row_share.hpp"
#include "solvers/multigrid/transfer.hpp"

namespace wavesim {

struct GridRows {
  std::vector<int> start;  // rows start[k] to start[k + 1] - 1 are those of rank k; empty: each rank has all
  int rank = 0;
  int stride = 1, offset = 0;  // row l is row `stride * l + offset` of the finest grid

  /// Of the finest grid.
  static GridRows of(const Extent& e, int ranks) {
    GridRows rows;
    if (e.whole()) return rows;
    rows.start = first_rows_of_ranks(e, ranks);
    while (rows.start[std::size_t(rows.rank)] != e.first_own) ++rows.rank;
    return rows;
  }
  bool shared() const { return !start.empty(); }
  int first() const { return start[std::size_t(rank)]; }
  int end() const { return start[std::size_t(rank) + 1]; }
  int fewest() const {
    int rows = start.back();
    for (std::size_t k = 1; k < start.size(); ++k) rows = std::min(rows, start[k] - start[k - 1]);
    return rows;
  }
  GridRows coarser(const Coarsening& y) const {
    GridRows to = *this;
    for (int& row : to.start) row = std::max(0, (row - y.first + 1) / 2);
    to.stride = 2 * stride;
    to.offset = offset + y.first * stride;
    return to;
  }
  /// The grid with the rows of this rank.
  Extent of_rank(Extent e, bool ring) const {
    if (!shared()) return e;
    e.shared = true, e.ring = ring;
    e.first_own = first(), e.own_end = end();
    return e;
  }
};

/// The rows of the finest grid, by whose bands sums of ranks are cut, in as many columns as grid `e` has.
inline Extent rows_of_finest(const Extent& finest, const Extent& e) {
  Extent over = finest;
  over.nx = e.nx, over.pitch = e.pitch;
  over.bands = bands_of(finest).count;
  return over;
}

}  // namespace wavesim
