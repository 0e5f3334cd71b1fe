#pragma once
// What decides how a grid of a varying medium is coarsened, in one reduction that all ranks join.

#include "kernels/grid/bands.hpp"
#include "kernels/grid/wave_system.hpp"
#include "solvers/multigrid/grid_rows.hpp"

namespace wavesim {

struct GridFacts {
  double least = 1e300;           // eigenvalue of D^-1 A at least, after Gershgorin
  double held[4] = {0, 0, 0, 0};  // 1: the edge (left, right, bottom, top) is fixed in its middle
  HD void join(const GridFacts& o) {
    least = ((o.least < least) | is_nan(o.least)) ? o.least : least;
    UNROLL for (int side = 0; side < 4; ++side) held[side] =
        held[side] > o.held[side] ? held[side] : o.held[side];
  }
};

/// Of a point, asked for by the rows of the finest grid, by whose bands sums of ranks are cut.
template <class System>
struct GridFactsAt {
  System system;
  int nx, ny, pitch, stride, offset;

  HD GridFacts operator()(Row w) const {
    GridFacts facts;
    const int l = (w.row - offset) / stride;
    if (w.row < offset || l * stride + offset != w.row || l >= ny) return facts;
    const Row r{l * pitch + w.col, w.col, l, pitch, true};
    const auto p = system.coefficients.at(r);
    const auto row = system.row_of(p);
    const auto size = [](double v) { return v < 0 ? -v : v; };
    using At = FivePoint;
    const double others = size(double(row[At::south])) + size(double(row[At::west])) +
                          size(double(row[At::east])) + size(double(row[At::north]));
    facts.least = 1 - others / size(double(row[At::centre]));
    if (l == ny / 2 && r.col == 0) facts.held[0] = p.west < 0;
    if (l == ny / 2 && r.col == nx - 1) facts.held[1] = p.east < 0;
    if (r.col == nx / 2 && l == 0) facts.held[2] = p.south < 0;
    if (r.col == nx / 2 && l == ny - 1) facts.held[3] = p.north < 0;
    return facts;
  }
};

/// The rows of the finest grid in as many columns as grid `e` has.
inline Extent rows_of_finest(const Extent& finest, const Extent& e) {
  Extent over = finest;
  over.nx = e.nx, over.pitch = e.pitch;
  over.bands = bands_of(finest).count;
  return over;
}

}  // namespace wavesim
