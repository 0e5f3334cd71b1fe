#pragma once
// What decides how a grid of a varying medium is coarsened, in one reduction that all ranks join.

#include "solvers/formats/row_passes.hpp"
#include "solvers/multigrid/grid_rows.hpp"

namespace wavesim {

struct GridFacts {
  Bounds bounds;                  // of the eigenvalues of D^-1 A
  double held[4] = {0, 0, 0, 0};  // 1: the edge (left, right, bottom, top) is fixed in its middle
  HD void join(const GridFacts& o) {
    bounds.join(o.bounds);
    UNROLL for (int side = 0; side < 4; ++side) held[side] =
        held[side] > o.held[side] ? held[side] : o.held[side];
  }
};

/// Of a point of the grid of A, asked for by the rows of the finest grid (rows_of_finest).
template <class T, class View>
struct GridFactsAt {
  View A;
  int nx, ny;
  RowStarts starts;
  int stride, offset;

  HD GridFacts operator()(Row w) const {
    GridFacts facts;
    const int l = (w.row - offset) / stride;
    if (w.row < offset || l * stride + offset != w.row || l >= ny) return facts;
    const Row r{starts(l) + w.col, w.col, l, starts.pitch, true};
    facts.bounds = gershgorin_bounds_of_row<T>(A, r);
    const auto p = A.system.coefficients.at(r);
    if (l == ny / 2 && r.col == 0) facts.held[0] = p.west < 0;
    if (l == ny / 2 && r.col == nx - 1) facts.held[1] = p.east < 0;
    if (r.col == nx / 2 && l == 0) facts.held[2] = p.south < 0;
    if (r.col == nx / 2 && l == ny - 1) facts.held[3] = p.north < 0;
    return facts;
  }
};

}  // namespace wavesim
