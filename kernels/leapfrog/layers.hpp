#pragma once
// K steps of the leapfrog in perfectly matched layers, beside a pass of K steps over what is inside of them (leapfrog.hpp). A
// step in a layer needs fluxes of cells, which the front of such a pass does not have; but what a layer does reaches no
// further than one point a step. So a pass writes a window only, whose points are K and more away from all layers, and the
// frame around it, the layers and K points, is stepped in tiles: a tile copies its points and K around it into fast memory,
// steps them K times there and writes its own.

#include "kernels/leapfrog/layers_frame.hpp"
#include "kernels/leapfrog/leapfrog.hpp"
#include "kernels/pml/pml.hpp"

namespace wavesim {

/// The values of the state that a tile has for each point of its box: u twice, p, and psi of the cell whose lower left corner
/// it is.
inline constexpr int values_of_layers = 7;

/// What layers are along an axis of the grid, by column or row: PmlStretch of the cells from there to the next one, -1 .. n - 1, and
/// at nodes 0 .. n - 1 something that is not 0 in a layer.
template <class T>
struct LayersAxis {
  const T *a = nullptr, *keep = nullptr, *weight = nullptr, *node = nullptr;
  HD PmlStretch<T> of_cell(int k) const { return {a[k], keep[k], weight[k]}; }
};

/// What is stepped, and what the layers have at each point of the tiles' boxes, `stride` values for a tile; but for psi, which are
/// lists of all cells. A box is read in each step, and more of it than its own points: so what rows, columns or the medium tell is
/// not in it.
template <class Pass_>
struct LayersPass {
  using Pass = Pass_;
  using T = typename Pass::value;
  Pass pass;
  LayersFrame frame;
  int steps = 0;  // of a pass
  T beta = 0, share = 1;
  T *psi[4] = {}, *psi_to[4] = {};
  int stride = 0;
  const int* cell_of = nullptr;  // the cell whose lower left corner the point is; -1: none
  const T* flux[2] = {};  // from the difference along a cell's face: the one from the point along x, along y
  const T* reaction = nullptr;  // Z of points; -1 where a shape has left out a layer's point
  const int* reacts = nullptr;  // of tiles: whether it is not 0 at some point of the box
  LayersAxis<T> along[2] = {};
  GridPart cells = {};  // the lower left corners of those that the grid has, but round a periodic axis

  double bytes() const {
    return double(frame.tiles()) * stride * (2 * sizeof(int) + (14 + Pass::Medium::words) * sizeof(T));
  }
};

/// Steps a tile. `memory` has values_of_layers lists of `stride` values. team.each(part, f) runs f(row, from, to) for pieces of the
/// part's rows, columns from .. to - 1, shared out over the team; team.each_number(from, to, f) f(number); team.wait() waits until
/// all are done.
template <class Layers, class Team>
class LayersTile {
  using Pass = typename Layers::Pass;
  using T = typename Layers::T;

 public:
  /// Tile n.
  HD LayersTile(const Layers& layers, int n, T* memory, const Team& team)
      : layers_(layers),
        pass_(layers.pass),
        topology_(layers.frame.topology),
        team_(team),
        own_(layers.frame.tile(n)),
        box_(layers.frame.box(own_)),
        width_(box_.cols()),
        first_(std::ptrdiff_t(n) * layers.stride),
        reacts_(layers.reacts[n] != 0) {
    const std::ptrdiff_t points = layers.stride;
    u_ = memory, u_to_ = memory + points, p_ = memory + 2 * points;
    for (int k = 0; k < 4; ++k) psi_[k] = memory + (3 + k) * points;
    const Topology& t = topology_;
    const int from = t.wrap_y != 0 ? 0 : larger_of(box_.row, 0),
              to = t.wrap_y != 0 ? t.ny : smaller_of(box_.row_to, t.ny);
    pushed_ = pass_.pushes.points.rows_with_points(from, to);
    tapped_ = pass_.taps.points.rows_with_points(own_.row, own_.row_to);
  }

  HD void go() {
    load();
    for (int s = 1; s <= layers_.steps; ++s) {
      team_.wait();
      team_.each(reached(s), [&](int row, int from, int to) { step(s, row, from, to); });
      team_.wait();
      team_.each(cells_reached(s), [&](int row, int from, int to) { step_cells(row, from, to); });
      tap(s);
      T* const before = u_;
      u_ = u_to_, u_to_ = before;
    }
    team_.wait();
    leave();
  }

 private:
  HD int place(int row, int col) const { return (row - box_.row) * width_ + col - box_.col; }
  /// In the field; -1: beyond it.
  HD int in_field(int row, int col) const {
    const Topology& t = topology_;
    if (t.wrap_y != 0) row = ring(row, t.ny);
    if (t.wrap_x != 0) col = ring(col, t.nx);
    return row < 0 || row >= t.ny || col < 0 || col >= t.nx ? -1 : pass_.extent.index(row, col);
  }
  /// Where u is right after step s: each step leaves one point less around the tile.
  HD GridPart reached(int s) const {
    return around(layers_.steps - s, 0, GridPart{0, topology_.ny, 0, topology_.nx});
  }
  /// The lower left corners of cells that step s is done in: those of the points that the next one reaches.
  HD GridPart cells_reached(int s) const { return around(layers_.steps - s, 1, layers_.cells); }
  /// The tile, `halo` points around it and `before` more rows and columns before the first, as far as the grid has them.
  HD GridPart around(int halo, int before, const GridPart& grid) const {
    GridPart r{own_.row - halo - before, own_.row_to + halo, own_.col - halo - before, own_.col_to + halo};
    if (topology_.wrap_y == 0)
      r.row = larger_of(r.row, grid.row), r.row_to = smaller_of(r.row_to, grid.row_to);
    if (topology_.wrap_x == 0)
      r.col = larger_of(r.col, grid.col), r.col_to = smaller_of(r.col_to, grid.col_to);
    return r;
  }
  HD static int larger_of(int a, int b) { return a > b ? a : b; }
  HD static int smaller_of(int a, int b) { return a < b ? a : b; }

  HD int row_in_field(int row) const { return topology_.wrap_y != 0 ? ring(row, topology_.ny) : row; }
  HD int col_in_field(int col) const { return topology_.wrap_x != 0 ? ring(col, topology_.nx) : col; }
  /// f(col, n, k, i) for pieces of columns from .. to - 1 of a row that are one after another in the field: n of them from column col
  /// on, at place k in the box and at element i.
  template <class F>
  HD void pieces(int row, int from, int to, const F& f) const {
    const Topology& t = topology_;
    const int line = pass_.extent.index(row_in_field(row), 0);
    if (t.wrap_x == 0) return f(from, to - from, place(row, from), line + from);
    while (from < to) {
      const int col = col_in_field(from), n = smaller_of(to - from, t.nx - col);
      f(from, n, place(row, from), line + col);
      from += n;
    }
  }

  HD void load() {
    team_.each(box_, [&](int row, int from, int to) {
      const int k0 = place(row, from), n = to - from;
      T *const u = u_ + k0, *const p = p_ + k0, *const beside = u_to_ + k0;
      for (int k = 0; k < n; ++k) u[k] = beside[k] = p[k] = T(0);
      const Topology& t = topology_;
      if (t.wrap_y != 0 || (row >= 0 && row < t.ny)) {
        if (t.wrap_x == 0) from = larger_of(from, 0), to = smaller_of(to, t.nx);
        if (from < to)
          pieces(row, from, to, [&](int, int n, int k, int i) {
            for (int j = 0; j < n; ++j) u_[k + j] = pass_.u[i + j], p_[k + j] = pass_.p[i + j];
          });
      }
      const int* const cell = layers_.cell_of + first_ + k0;
      for (int f = 0; f < 4; ++f) {
        const T* const psi = layers_.psi[f];
        T* const to_psi = psi_[f] + k0;
        SIMD for (int k = 0; k < n; ++k) to_psi[k] = cell[k] < 0 ? T(0) : psi[cell[k]];
      }
    });
  }
  HD void step(int s, int row, int from, int to) {
    pieces(row, from, to, [&](int col, int n, int k0, int i0) {
      const T *const u = u_ + k0, *const south = u - width_, *const north = u + width_;
      const T *const x_lower = psi_[0] + k0, *const x_upper = psi_[1] + k0, *const y_left = psi_[2] + k0,
                     *const y_right = psi_[3] + k0;
      T *const p = p_ + k0, *const u_to = u_to_ + k0;
      const int width = width_, pitch = pass_.extent.pitch;
      const int field_row = row_in_field(row), field_col = col_in_field(col);
      const T beta = layers_.beta;
      const auto medium = pass_.medium;
      const T* const reaction = layers_.reaction + first_ + k0;
      const T* const column = layers_.along[0].node + field_col;
      const bool row_in_layer = layers_.along[1].node[field_row] != 0, reacts = reacts_;
      const auto one = [=](int k, const auto& push_sources) __attribute__((always_inline)) {
        const T before = p[k];
        T now = medium.step(i0 + k, pitch, u[k], before, south[k], u[k - 1], u[k + 1], north[k]);
        T next = u[k] + now;
        push_sources(now, next);
        // at all points, so that a loop need not branch
        const int left = k - 1, below = k - width, below_left = below - 1;
        const PmlFluxesAround<T> around{{x_lower[k], x_lower[left]},
                                        {x_upper[below], x_upper[below_left]},
                                        {y_left[k], y_left[below]},
                                        {y_right[left], y_right[below_left]}};
        const T Z = reacts ? reaction[k] : T(0);
        // delta, which is 1 or 1/2, is in `inverse`
        const T push = pml_force(around.divergence(), Z, u[k], before, beta, T(1)) * medium.inverse[i0 + k];
        const bool in_layer = (row_in_layer || column[k] != 0) && Z >= 0;
        now = in_layer ? now + push : now, next = in_layer ? next + push : next;
        p[k] = now, u_to[k] = next;
      };
      if (pushed_.has(field_row))
        for (int k = 0; k < n; ++k)
          one(k, [&](T& now, T& next) {
            pass_.pushes.each(s, field_row, field_col + k, field_col + k + 1,
                              [&](int, double x) { Pushes::push(x, now, next); });
          });
      else
        SIMD for (int k = 0; k < n; ++k) one(k, [](T&, T&) {});
      if (row >= own_.row && row < own_.row_to) {
        const int first = larger_of(col, own_.col) - col, last = smaller_of(col + n, own_.col_to) - col;
        if (first < last) note(s, i0 + first, last - first, u_to + first);
      }
    });
  }
  /// Leaves what receivers read after step s.
  HD void tap(int s) const {
    const PointsByRow& points = pass_.taps.points;
    for (int row = tapped_.from; row < tapped_.to; ++row)
      team_.each_number(points.first[row], points.first[row + 1], [&](int k) {
        const int col = points.column[k];
        if (col >= own_.col && col < own_.col_to) pass_.taps.tap(k, s, u_to_[place(row, col)]);
      });
  }
  /// The maxima and arrivals of n points from element i on, after step s.
  HD void note(int s, int i, int n, const T* u) const {
    if constexpr (Pass::tracks) {
      T *const maximum = pass_.maximum, *const arrival = pass_.arrival;
      if (maximum) SIMD for (int k = 0; k < n; ++k) maximum[i + k] = larger(maximum[i + k], u[k]);
      const T threshold = pass_.threshold, time = pass_.time(s);
      if (arrival)
        SIMD for (int k = 0; k < n; ++k) arrival[i + k] = arrived(arrival[i + k], u[k], threshold, time);
    }
  }
  HD void step_cells(int row, int from, int to) {
    const PmlStretch<T> y = layers_.along[1].of_cell(row_in_field(row));
    pieces(row, from, to, [&](int, int n, int k0, int i0) {
      const int col = i0 - pass_.extent.index(row_in_field(row), 0), width = width_;
      const T *const lower = u_ + k0, *const upper = lower + width;
      T* const psi[4] = {psi_[0] + k0, psi_[1] + k0, psi_[2] + k0, psi_[3] + k0};
      const T *const along_x = layers_.flux[0] + first_ + k0, *const along_y = layers_.flux[1] + first_ + k0;
      const T share = layers_.share;
      const LayersAxis<T> columns = layers_.along[0];
      SIMD for (int k = 0; k < n; ++k) {
        const T corners[4] = {lower[k], lower[k + 1], upper[k], upper[k + 1]};
        const PmlStretch<T> x = columns.of_cell(col + k);
        const T gain_x = x.gain(y.a), gain_y = y.gain(x.a);
        const PmlCell<T> cell[2] = {{x.keep, along_x[k] * gain_x, T(0), along_x[k + width] * gain_x},
                                    {y.keep, along_y[k] * gain_y, T(0), along_y[k + 1] * gain_y}};
        PmlFlux<T> flux{{psi[0][k], psi[1][k], psi[2][k], psi[3][k]}};
        step_pml_flux(cell, {false, false}, share, true, corners, flux);
        psi[0][k] = flux.at[0], psi[1][k] = flux.at[1], psi[2][k] = flux.at[2], psi[3][k] = flux.at[3];
      }
    });
  }
  /// A cell is left with its lower left corner, beyond an edge with the nearest point.
  HD void leave() const {
    GridPart part = own_;
    if (part.row == 0 && topology_.wrap_y == 0) part.row = -1;
    if (part.col == 0 && topology_.wrap_x == 0) part.col = -1;
    team_.each(part, [&](int row, int from, int to) {
      for (int col = from; col < to; ++col) {
        const int k = place(row, col), i = in_field(row, col), cell = layers_.cell_of[first_ + k];
        if (i >= 0) pass_.u_to[i] = u_[k], pass_.p_to[i] = p_[k];
        if (cell < 0) continue;
        for (int f = 0; f < 4; ++f) layers_.psi_to[f][cell] = psi_[f][k];
      }
    });
  }

  const Layers& layers_;
  const Pass& pass_;
  const Topology& topology_;
  const Team& team_;
  const GridPart own_, box_;
  const int width_;
  const std::ptrdiff_t first_;  // of the tile, in what layers have by place
  const bool reacts_;
  PointRows pushed_,
      tapped_;  // rows in the field where forces push points of the box; where receivers tap its own
  T *u_, *u_to_, *p_, *psi_[4];
};

}  // namespace wavesim
