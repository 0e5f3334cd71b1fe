#pragma once
// One grid of the cycle below the finest: its system, its vectors, and how it is coarsened further.

#include "kernels/numbers/in_precision.hpp"
#include "solvers/multigrid/grid_rows.hpp"
#include "solvers/multigrid/plain_passes.hpp"

namespace wavesim {

/// How a grid is coarsened, if it is, and the strips that its passes go through.
template <int S>
struct Coarsened {
  Coarsening x, y;
  bool coarser = false;       // whether there is a coarser grid
  bool in_wavefront = false;  // passes over cells in a wavefront; else plain passes
  bool enough = true;         // on the coarsest: whether the sweeps of one pass solve its system well enough
  Extent to;
  GridRows rows_to;  // which rows of the coarser grid belong to which rank; each writes its own
  Cells cells;
  CellRows rows;
  Strips down, up;

  /// Ghost rows of cells that the passes read on either side of a rank's.
  static constexpr int ghost_cells = 2 * (2 * S - 1) + 1, ghosts = 2 * ghost_cells;

  /// `least`: cells in the height of a strip; few on small grids, so that there are strips for many groups.
  void tile(int least) {
    down = Strips(cells, rows, S, 31 - 2 * S, least);
    up = Strips(cells, rows, 2 * S - 1, 34 - 4 * S, least);
  }
  /// Whether this grid is shared out and each rank has the coarser one whole.
  bool gathers() const { return coarser && rows_to.shared() && to.whole(); }
};

/// What the passes read of a grid beside its medium.
template <class B, class W>
struct LevelCouplings {
  // varying
  Field<B, W> inverse;
  Field<B, W> weight[4];  // over cells
  // constant
  Couplings<W> inner;
  Buffer<B, typename UniformCouplings<W>::Entry> table;

  template <class C>
  VariableCouplings<W, C> view(const VariableCoefficients<C>& c, double b) const {
    VariableCouplings<W, C> v;
    v.inverse = inverse.data();
    v.east = c.east;
    v.north = c.north;
    v.b = W(b);
    for (int n = 0; n < 4; ++n) v.weight[n] = weight[n].data();
    v.weight_pitch = weight[0].extent().pitch;
    return v;
  }
  template <class C>
  UniformCouplings<W> view(const UniformCoefficients<C>&, double) const {
    return {inner, table.data()};
  }
};

template <class B, class W, int S>
struct MultigridLevel {
  using Vector = Field<B, W>;
  Extent e;
  GridRows rows;
  Coarsened<S> below;
  bool uniform = true;
  double a = 0, b = 1;  // of its system M + a D + b K
  UniformCoefficients<W> constant;
  VariableCoefficients<W> varying{};
  Vector rhs, x, residual;  // residual: for plain passes
  Field<B, W> mass, east, north;
  LevelCouplings<B, W> level_couplings;
};

}  // namespace wavesim
