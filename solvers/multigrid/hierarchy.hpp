#pragma once
// The grids of multigrid.hpp, made from the finest one down: how each is coarsened, and what its passes read.

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "solvers/core/operator.hpp"
#include "solvers/multigrid/grid_facts.hpp"
#include "solvers/multigrid/level.hpp"

namespace wavesim {

/// T: of the finest grid's coefficients; W: of everything else. S: sweeps before and after the correction.
template <class B, class T, class W, int S>
class GridHierarchy {
 public:
  /// `in_wavefront`: whether passes are fused where they can be; if not, they are taken one by one.
  /// `whole_below`: coarse grids of fewer points are no longer shared out among ranks.
  GridHierarchy(B& backend, Extent e, bool in_wavefront, long whole_below)
      : be(backend),
        extent(e),
        wavefronts(in_wavefront),
        whole_below_(whole_below),
        rows_(GridRows::of(e, e.whole() ? 1 : backend.shared()->ranks())),
        facts_(backend, 1) {}

  void set_up(const Operator<B, T>& A) {
    system = *A.five_point_system();
    used = 0;
    if (system.uniform)
      lay_out(system.constant, system.a, system.b, extent, rows_, finest, level_couplings);
    else
      lay_out(system.varying, system.a, system.b, extent, rows_, finest, level_couplings);
    for (const Coarsened<S>* above = &finest; above->coarser;) {
      MultigridLevel<B, W, S>& grid = coarse[used++];
      if (grid.uniform)
        lay_out(grid.constant, grid.a, grid.b, grid.e, grid.rows, grid.below, grid.level_couplings);
      else
        lay_out(grid.varying, grid.a, grid.b, grid.e, grid.rows, grid.below, grid.level_couplings);
      if (!grid.below.in_wavefront) vector(grid.residual, grid.e);
      above = &grid.below;
    }
    if (!finest.in_wavefront) vector(residual, extent);
  }
  template <class V, template <class> class C>
  static Transfer<V, C<V>> transfer(const C<V>& c, Extent fine, const Coarsened<S>& how) {
    return {c, fine.nx, fine.ny, fine.starts(), how.x, how.y, how.to.nx, how.to.ny, how.to.pitch};
  }
  template <class V, template <class> class C>
  PlainPasses<B, V, C<V>, W> plain_passes(const C<V>& c, double a, double b, Extent e,
                                          const Coarsened<S>& how) const {
    WaveStencilView<V, C<V>> view;
    view.set({c, V(a), V(b)});
    return {be, e, view, (how.x.first + how.y.first) % 2, red_black(c.topology)};
  }

  B& be;
  Extent extent;
  bool wavefronts;
  WaveSystemFacts<T> system;
  Coarsened<S> finest;
  LevelCouplings<B, W> level_couplings;
  Field<B, T> residual;                        // for plain passes
  std::deque<MultigridLevel<B, W, S>> coarse;  // below the finest; the first `used` of them
  int used = 0;

 private:
  /// Decides how a grid is coarsened, and makes the next one if it is.
  template <class C>
  void lay_out(const C& c, double a, double b, Extent e, const GridRows& rows, Coarsened<S>& how,
               LevelCouplings<B, W>& level_couplings) {
    const GridFacts facts = facts_of(plain_passes(c, a, b, e, Coarsened<S>{}), rows);
    const Topology& t = c.topology;
    // Where the masses matter more than the couplings a few sweeps solve the system.
    how.enough = facts.bounds.least > 0.5;
    how.coarser = false;
    if (!how.enough) {
      how.x = axis(e.nx, t.wrap_x != 0, facts.held[0] != 0, facts.held[1] != 0);
      how.y = axis(e.ny, t.wrap_y != 0, facts.held[2] != 0, facts.held[3] != 0);
      how.coarser = !(how.x.kept && how.y.kept);
    }
    if (!how.coarser) {
      how.x = {e.nx, 0, t.wrap_x != 0, false};
      how.y = {e.ny, 0, t.wrap_y != 0, false};
    }
    how.to = make_extent(how.x.coarse(), how.y.coarse());
    how.rows_to = rows.coarser(how.y);
    if (rows.shared() && stay_shared(how)) how.to = how.rows_to.of_rank(how.to, e.ring);
    how.cells = Cells(e, how.x, how.y, how.to);
    how.rows = cell_rows(e, how);
    how.in_wavefront = wavefronts && Cells::fit(how.x, how.y) && (how.coarser || how.enough);
    how.tile(2);
    if (rows.shared() && !how.in_wavefront)
      throw InputError(
          "multigrid on several ranks needs two points along each axis, and along a periodic one an even "
          "number of four or more; this grid has " +
          std::to_string(extent.nx) + " x " + std::to_string(extent.ny) + " points");
    if (how.in_wavefront) make_couplings(c, a, b, e, how, level_couplings);
    if (how.coarser) coarsen(c, a, b, e, how);
  }
  /// Every second point. Where a wall is next to the first point, coarse ones start with the second, so that
  /// the wall is a coarse distance away, unless that leaves the last point short of a wall of its own.
  static Coarsening axis(int n, bool wraps, bool wall_before, bool wall_after) {
    Coarsening c{n, 0, wraps, n < (wraps ? 4 : 2)};
    if (!c.kept && !wraps && wall_before && n > 1 && (n % 2 == 1 || !wall_after)) c.first = 1;
    return c;
  }
  template <class V, class C>
  GridFacts facts_of(const PlainPasses<B, V, C, W>& grid, const GridRows& rows) const {
    using View = typename PlainPasses<B, V, C, W>::View;
    GridFacts facts;
    if constexpr (C::uniform) {
      const auto inner = grid.A.system.row_of(grid.A.system.coefficients.inside());
      using At = FivePoint;
      facts.bounds.least =
          (inner[At::centre] + inner[At::west] + inner[At::east] + inner[At::south] + inner[At::north]) /
          inner[At::centre];
      for (int side = 0; side < 4; ++side) facts.held[side] = grid.A.system.coefficients.edge[side] < 0;
    } else {
      const bool shared = rows.shared();
      be.rows_sum("couplings of a grid", shared ? rows_of_finest(extent, grid.e) : grid.e, grid.A.bytes,
                  facts_.data(),
                  GridFactsAt<V, View>{grid.A, grid.e.nx, grid.e.ny, grid.e.starts(),
                                       shared ? rows.stride : 1, shared ? rows.offset : 0},
                  NoEpilogue{});
      facts = facts_.download()[0];
    }
    return facts;
  }
  /// Whether ranks share out the coarser grid, too: where it is large, has rows enough, and passes in wavefronts.
  bool stay_shared(const Coarsened<S>& how) const {
    return how.to.points() >= whole_below_ && how.rows_to.fewest() >= Coarsened<S>::ghosts &&
           how.to.nx >= 4 && !(how.x.wraps && how.to.nx % 2 != 0) && !(how.y.wraps && how.to.ny % 2 != 0);
  }
  static CellRows cell_rows(const Extent& e, const Coarsened<S>& how) {
    if (e.whole()) return {0, how.cells.up, 0};
    const GridRows& to = how.rows_to;
    CellRows rows{to.first(), std::size_t(to.rank) + 2 == to.start.size() ? how.cells.up : to.end(), 0};
    rows.beyond = 2 * rows.end - how.cells.shift_y < e.end_own();
    return rows;
  }
  template <class V>
  void make_couplings(const UniformCoefficients<V>& c, double a, double b, Extent e, const Coarsened<S>& how,
                      LevelCouplings<B, W>& to) {
    const UniformCoefficients<W> in = in_precision<W>(c);
    const WaveSystem<W, UniformCoefficients<W>> system{in, W(a), W(b)};
    to.inner = UniformCouplings<W>::of(system.row_of(in.inside()));
    const auto table = UniformCouplings<W>::make_table(system, transfer(in, e, how), how.cells);
    if (to.table.size() == 0) to.table = Buffer<B, typename UniformCouplings<W>::Entry>(be, table.size());
    to.table.upload(table);
  }
  template <class V>
  void make_couplings(const VariableCoefficients<V>& c, double a, double b, Extent e, const Coarsened<S>& how,
                      LevelCouplings<B, W>& to) {
    vector(to.inverse, e);
    const auto passes = plain_passes(c, a, b, e, how);
    passes.inverse_diagonal(to.inverse.data());
    be.fetch_ghosts(how.ghosts, to.inverse);
    if (!how.coarser) return;
    Extent over = make_extent(how.cells.across, how.cells.up);
    if (!e.whole())
      over.shared = true, over.ring = e.ring, over.first_own = how.rows.first, over.own_end = how.rows.end;
    for (Field<B, W>& weight : to.weight) vector(weight, over);
    passes.interpolation(transfer(c, e, how), how.cells, to.weight);
    be.fetch_ghosts(how.ghost_cells, to.weight[0], to.weight[1], to.weight[2], to.weight[3]);
  }
  template <class C>
  void coarsen(const C& c, double a, double b, Extent e, const Coarsened<S>& how) {
    if (int(coarse.size()) == used) coarse.emplace_back();
    MultigridLevel<B, W, S>& to = coarse[used];
    to.e = how.to;
    if (double(to.e.pitch) * to.e.ny > 2e9)  // its indices are those of the whole grid
      throw InputError(
          "multigrid counts at most 8e9 points, and this grid has more; take another method or "
          "preconditioner");
    to.rows = how.to.whole() ? GridRows{} : how.rows_to;
    for (Field<B, W>* v : {&to.rhs, &to.x}) vector(*v, to.e);
    if constexpr (C::uniform) {
      to.a = a, to.b = b;
      to.uniform = coarsen_uniform(in_precision<W>(c), how.x, how.y, to.e, to.constant);
      if (to.uniform) return;
    }
    to.uniform = false;
    to.a = 0, to.b = 1;
    for (Field<B, W>* v : {&to.mass, &to.east, &to.north}) vector(*v, to.e);
    to.varying = {{to.e.nx, to.e.ny, how.x.wraps ? to.e.nx : 0, how.y.wraps ? to.e.ny * to.e.pitch : 0},
                  to.mass.data(),
                  nullptr,
                  to.east.data(),
                  to.north.data()};
    const auto coarsen_rows = [&](Extent over) {
      plain_passes(c, a, b, e, how)
          .coarsen(transfer(c, e, how), over, to.mass.data(), to.east.data(), to.north.data());
    };
    if (e.whole()) return coarsen_rows(to.e);
    // The padding at the end of a row holds the face left of the next row: one row more.
    Extent over = how.rows_to.of_rank(to.e, e.ring);
    over.own_end = std::min(over.own_end + 1, over.ny);
    coarsen_rows(over);
    if (e.ring && how.rows_to.end() == to.e.ny &&
        how.rows_to.first() > 0) {  // and what stands before the first row
      over.first_own = 0, over.own_end = 1;
      coarsen_rows(over);
    }
    if (!how.gathers()) return be.fetch_ghosts(how.ghosts, to.mass, to.east, to.north);
    std::vector<int> start = how.rows_to.start;
    start[0] = -1;  // faces of the bottom
    be.fetch_all(start, to.mass, to.east, to.north);
  }
  /// Allocates on first use: the grids stay the same when the coefficients change.
  template <class V>
  void vector(Field<B, V>& v, Extent e) const {
    if (v.extent().nx == 0) v = Field<B, V>(be, e);
  }

  const long whole_below_;
  const GridRows rows_;  // of the finest grid
  Buffer<B, GridFacts> facts_;
};

}  // namespace wavesim
