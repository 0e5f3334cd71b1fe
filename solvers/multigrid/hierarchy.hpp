#pragma once
// The grids of multigrid.hpp, made from the finest one down: how each is coarsened, and what its passes read.

#include <deque>

#include "solvers/core/operator.hpp"
#include "solvers/multigrid/level.hpp"

namespace wavesim {

/// T: of the finest grid's coefficients; W: of everything else. S: sweeps before and after the correction.
template <class B, class T, class W, int S>
class GridHierarchy {
 public:
  /// `in_wavefront`: whether passes are fused where they can be; if not, they are taken one by one.
  GridHierarchy(B& backend, Extent e, bool in_wavefront) : be(backend), extent(e), wavefronts(in_wavefront) {}

  void set_up(const Operator<B, T>& A) {
    system = *A.five_point_system();
    used = 0;
    if (system.uniform)
      lay_out(system.constant, system.a, system.b, extent, finest, level_couplings);
    else
      lay_out(system.varying, system.a, system.b, extent, finest, level_couplings);
    for (const Coarsened<S>* above = &finest; above->coarser;) {
      MultigridLevel<B, W, S>& grid = coarse[used++];
      if (grid.uniform)
        lay_out(grid.constant, grid.a, grid.b, grid.e, grid.below, grid.level_couplings);
      else
        lay_out(grid.varying, grid.a, grid.b, grid.e, grid.below, grid.level_couplings);
      if (!grid.below.in_wavefront) vector(grid.residual, grid.e);
      above = &grid.below;
    }
    if (!finest.in_wavefront) vector(residual, extent);
  }
  template <class V, template <class> class C>
  static Transfer<V, C<V>> transfer(const C<V>& c, Extent fine, const Coarsened<S>& how) {
    return {c, fine.nx, fine.ny, fine.pitch, how.x, how.y, how.to.nx, how.to.ny, how.to.pitch};
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
  void lay_out(const C& c, double a, double b, Extent e, Coarsened<S>& how,
               LevelCouplings<B, W>& level_couplings) {
    const auto passes = plain_passes(c, a, b, e, Coarsened<S>{});
    const Topology& t = c.topology;
    how.enough = !coupled(passes);
    how.coarser = false;
    if (!how.enough) {
      how.x = axis(e.nx, t.wrap_x != 0, held(c, e, 0), held(c, e, 1));
      how.y = axis(e.ny, t.wrap_y != 0, held(c, e, 2), held(c, e, 3));
      how.coarser = !(how.x.kept && how.y.kept);
    }
    if (!how.coarser) {
      how.x = {e.nx, 0, t.wrap_x != 0, false};
      how.y = {e.ny, 0, t.wrap_y != 0, false};
    }
    how.to = make_extent(how.x.coarse(), how.y.coarse());
    how.cells = Cells(e, how.x, how.y, how.to);
    how.in_wavefront = wavefronts && Cells::fit(how.x, how.y) && (how.coarser || how.enough);
    how.tile(2);
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
  /// Whether couplings matter beside the masses. Where they do not, a few sweeps solve the system.
  template <class P>
  bool coupled(const P& grid) const {
    const auto& system = grid.A.system;
    if constexpr (std::remove_cvref_t<decltype(system.coefficients)>::uniform) {
      const auto inner = system.row_of(system.coefficients.inside());
      using At = FivePoint;
      return !(inner[At::centre] + inner[At::west] + inner[At::east] + inner[At::south] + inner[At::north] >
               0.5 * inner[At::centre]);
    } else {
      Buffer<B, Bounds> bounds(be, 1);
      grid.bounds(bounds.data());
      return !(bounds.download()[0].least > 0.5);
    }
  }
  /// Whether the edge (left, right, bottom, top) is fixed; of a varying medium, in its middle.
  template <class V>
  bool held(const UniformCoefficients<V>& c, Extent, int side) const {
    return c.edge[side] < 0;
  }
  template <class V>
  bool held(const VariableCoefficients<V>& c, Extent e, int side) const {
    const std::ptrdiff_t middle = std::ptrdiff_t(e.ny / 2) * e.pitch;
    const V* const at[4] = {c.east + middle - 1, c.east + middle + e.nx - 1, c.north - e.pitch + e.nx / 2,
                            c.north + std::ptrdiff_t(e.ny - 1) * e.pitch + e.nx / 2};
    V face = 0;
    be.download(&face, at[side], 1);
    return face < 0;
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
    if (to.inverse.extent().nx == 0) {
      to.inverse = Field<B, W>(be, e);
      to.over = make_extent(how.cells.across, how.cells.up);
      to.weights = Field<B, W>(be, {to.over.nx, 4 * to.over.ny, to.over.pitch});
    }
    const auto passes = plain_passes(c, a, b, e, how);
    passes.inverse_diagonal(to.inverse.data());
    if (how.coarser) passes.interpolation(transfer(c, e, how), how.cells, to.over, to.weights.data());
  }
  template <class C>
  void coarsen(const C& c, double a, double b, Extent e, const Coarsened<S>& how) {
    if (int(coarse.size()) == used) coarse.emplace_back();
    MultigridLevel<B, W, S>& to = coarse[used];
    to.e = how.to;
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
    plain_passes(c, a, b, e, how)
        .coarsen(transfer(c, e, how), to.e, to.mass.data(), to.east.data(), to.north.data());
  }
  /// Allocates on first use: the grids stay the same when the coefficients change.
  template <class V>
  void vector(Field<B, V>& v, Extent e) const {
    if (v.extent().nx == 0) v = Field<B, V>(be, e);
  }
};

}  // namespace wavesim
