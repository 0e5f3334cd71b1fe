#pragma once
// The share of a cell that belongs to a point: half of it along free edges.

#include <array>

#include "kernels/grid/extent.hpp"

namespace wavesim {

struct CellShare {
  int nx = 0, ny = 0;
  double half[4] = {1, 1, 1, 1};  // share of a cell along each edge, by side

  CellShare() = default;
  CellShare(const Extent& e, const std::array<double, 4>& along_edges)
      : nx(e.nx), ny(e.ny), half{along_edges[0], along_edges[1], along_edges[2], along_edges[3]} {}
  HD double operator()(Row r) const {
    return (r.col == 0 ? half[0] : 1) * (r.col == nx - 1 ? half[1] : 1) * (r.row == 0 ? half[2] : 1) *
           (r.row == ny - 1 ? half[3] : 1);
  }
};

}  // namespace wavesim
