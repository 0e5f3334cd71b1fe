#pragma once
// K steps of the leapfrog in perfectly matched layers, beside a pass of K steps over what is inside of them (leapfrog.hpp). A
// step in a layer needs fluxes along faces, which the front of such a pass does not have; but what a layer does reaches no
// further than one point a step. So a pass writes a window only, whose points are K and more away from all layers, and the
// frame around it, the layers and K points, is stepped in tiles: a tile copies its points and K around it into fast memory,
// steps them K times there and writes its own.

#include "kernels/leapfrog/layers_frame.hpp"
#include "kernels/leapfrog/leapfrog.hpp"
#include "kernels/pml/pml.hpp"

namespace wavesim {

/// The values of the state that a tile has for each point of its box: twice u and psi of the faces that begin there, along x and
/// along y; and p.
inline constexpr int values_of_layers = 7;

/// What is stepped, and what the layers have at each point of the tiles' boxes, `stride` values for a tile; but for psi, which is a list of
/// all faces. A box is read in each step, and more of it than the tile's own points: so what rows, columns or the medium tell is not in it.
template <class Pass_>
struct LayersPass {
  using Pass = Pass_;
  using T = typename Pass::value;
  Pass pass;
  LayersFrame frame;
  int steps = 0;  // of a pass
  T beta = 0, share = 1;
  const T* psi = nullptr;
  T* psi_to = nullptr;
  int stride = 0;
  // Of the faces that begin at a point, along x and along y: their places among all, -1 where there is none, and their fluxes from
  // the difference along them.
  const int* face[2] = {};
  const T* flux[2] = {};
  const T* reaction = nullptr;  // Z of points; -1: in no layer
  const T* keep[2] = {};        // of psi, by the column or row of its cell: -1 .. n - 1

  double bytes() const {
    return double(frame.tiles()) * stride * (4 * sizeof(int) + (11 + Pass::Medium::words) * sizeof(T));
  }
};

/// Steps a tile. `memory` has values_of_layers lists of Team::stride values, as many as any box has points: a constant, so that one
/// address serves all lists. team.each(part, f) runs f(row, from, to) for pieces of the
/// part's rows, columns from .. to - 1, shared out over the team: whole rows, or with one_column one column each; team.loop(from, to,
/// f) f(k) for columns of a piece; team.each_number(from, to, f) f(number) over the team; team.wait() waits until all are done.
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
        first_(n * layers.stride),
        from_(memory),
        to_(memory + 3 * stride),
        p_(memory + 6 * stride) {
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
      const GridPart points = reached(s);
      team_.each(faces_of(points), [&](int row, int from, int to) { step(s, points, row, from, to); });
      T* const before = from_;
      from_ = to_, to_ = before;
      if (tapped_.to > tapped_.from) {
        team_.wait();
        tap(s);
      }
    }
    team_.wait();
    leave();
  }

 private:
  // Lists of what is stepped: u, psi along x and along y.
  static constexpr int stride = Team::stride, of_x = stride, of_y = 2 * stride;
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
    const int halo = layers_.steps - s;
    GridPart r{own_.row - halo, own_.row_to + halo, own_.col - halo, own_.col_to + halo};
    if (topology_.wrap_y == 0) r.row = larger_of(r.row, 0), r.row_to = smaller_of(r.row_to, topology_.ny);
    if (topology_.wrap_x == 0) r.col = larger_of(r.col, 0), r.col_to = smaller_of(r.col_to, topology_.nx);
    return r;
  }
  /// Where the faces of points begin.
  HD static GridPart faces_of(const GridPart& p) { return {p.row - 1, p.row_to, p.col - 1, p.col_to}; }
  HD static int larger_of(int a, int b) { return a > b ? a : b; }
  HD static int smaller_of(int a, int b) { return a < b ? a : b; }

  /// n columns of a row from `col` on that are one after another in the field: where they begin there, in the box and as an element.
  struct Piece {
    int col, n, field_row, field_col, place, element;
  };
  /// f(piece) for the pieces of columns from .. to - 1 of a row.
  template <class F>
  HD void pieces(int row, int from, int to, const F& f) const {
    const Topology& t = topology_;
    const int field_row = t.wrap_y != 0 ? ring(row, t.ny) : row, line = pass_.extent.index(field_row, 0);
    const auto piece = [&](int col, int n, int field_col) {
      f(Piece{col, n, field_row, field_col, place(row, col), line + field_col});
    };
    if constexpr (Team::one_column) {
      piece(from, 1, t.wrap_x != 0 ? ring(from, t.nx) : from);
    } else {
      if (t.wrap_x == 0) return piece(from, to - from, from);
      while (from < to) {
        const int col = ring(from, t.nx), n = smaller_of(to - from, t.nx - col);
        piece(from, n, col);
        from += n;
      }
    }
  }

  HD void load() {
    team_.each(box_, [&](int row, int from, int to) {
      const int k0 = place(row, from), n = to - from;
      T *const u = from_ + k0, *const p = p_ + k0, *const beside = to_ + k0;
      for (int k = 0; k < n; ++k) u[k] = beside[k] = p[k] = T(0);
      const Topology& t = topology_;
      if (t.wrap_y != 0 || (row >= 0 && row < t.ny)) {
        if (t.wrap_x == 0) from = larger_of(from, 0), to = smaller_of(to, t.nx);
        if (from < to)
          pieces(row, from, to, [&](const Piece& piece) {
            const int k = piece.place, i = piece.element;
            for (int j = 0; j < piece.n; ++j) from_[k + j] = pass_.u[i + j], p_[k + j] = pass_.p[i + j];
          });
      }
      for (int axis = 0; axis < 2; ++axis) {
        const int* const face = layers_.face[axis] + first_ + k0;
        const T* const psi = layers_.psi;
        T* const to_psi = from_ + k0 + (axis == 0 ? of_x : of_y);
        SIMD for (int k = 0; k < n; ++k) to_psi[k] = face[k] < 0 ? T(0) : psi[face[k]];
      }
    });
  }
  /// Step s of the faces that begin in columns from .. to - 1 of a row, and of those of its points that are in `points`.
  HD void step(int s, const GridPart& points, int row, int from, int to) {
    pieces(row, from, to, [&](const Piece& piece) {
      const int col = piece.col, n = piece.n, k0 = piece.place, i0 = piece.element;
      const int field_row = piece.field_row, field_col = piece.field_col;
      const int width = width_, pitch = pass_.extent.pitch;
      const T *const u = from_ + k0, *const psi_x = u + of_x, *const psi_y = u + of_y;
      T *const u_to = to_ + k0, *const x_to = u_to + of_x, *const y_to = u_to + of_y, *const p = p_ + k0;
      const T beta = layers_.beta, share = layers_.share;
      const T *const flux_x = layers_.flux[0] + (first_ + k0), *const flux_y =
                                                                   layers_.flux[1] + (first_ + k0);
      const T *const keep_x = layers_.keep[0] + field_col, keep_y = layers_.keep[1][field_row];
      const auto faces = [=](int k, T here, T east, T north, T x, T y) __attribute__((always_inline)) {
        x_to[k] = pml_flux(x, keep_x[k], share, flux_x[k] * (east - here));
        y_to[k] = pml_flux(y, keep_y, share, flux_y[k] * (north - here));
      };
      const auto faces_alone = [=](int k) __attribute__((always_inline)) {
        faces(k, u[k], u[k + 1], u[k + width], psi_x[k], psi_y[k]);
      };
      if (row < points.row) return team_.loop(0, n, faces_alone);
      const int first = col < points.col ? smaller_of(points.col - col, n) : 0;
      team_.loop(0, first, faces_alone);
      const auto medium = pass_.medium;
      const T* const reaction = layers_.reaction + (first_ + k0);
      const auto one = [=](int k, const auto& push_sources) __attribute__((always_inline)) {
        const T here = u[k], east = u[k + 1], north = u[k + width], before = p[k], x = psi_x[k], y = psi_y[k];
        T now = medium.step(i0 + k, pitch, here, before, u[k - width], u[k - 1], east, north);
        T next = here + now;
        push_sources(now, next);
        // at all points, so that a loop need not branch
        const T divergence = pml_divergence(x, psi_x[k - 1], y, psi_y[k - width]);
        const T Z = reaction[k];
        // delta, which is 1 or 1/2, is in `inverse`
        const T push = pml_force(divergence, Z, here, before, beta, T(1)) * medium.inverse[i0 + k];
        now = Z >= 0 ? now + push : now, next = Z >= 0 ? next + push : next;
        p[k] = now, u_to[k] = next;
        faces(k, here, east, north, x, y);
      };
      if (pushed_.has(field_row))
        team_.loop(first, n, [&](int k) {
          one(k, [&](T& now, T& next) {
            pass_.pushes.each(s, field_row, field_col + k, field_col + k + 1,
                              [&](int, double f) { Pushes::push(f, now, next); });
          });
        });
      else
        team_.loop(
            first, n, [=](int k) __attribute__((always_inline)) { one(k, [](T&, T&) {}); });
      if constexpr (Pass::tracks)
        if (row >= own_.row && row < own_.row_to) {
          const int begin = larger_of(col, own_.col) - col, end = smaller_of(col + n, own_.col_to) - col;
          if (begin < end) note(s, i0 + begin, end - begin, u_to + begin);
        }
    });
  }
  /// Leaves what receivers read after step s.
  HD void tap(int s) const {
    const PointsByRow& points = pass_.taps.points;
    for (int row = tapped_.from; row < tapped_.to; ++row)
      team_.each_number(points.first[row], points.first[row + 1], [&](int k) {
        const int col = points.column[k];
        if (col >= own_.col && col < own_.col_to) pass_.taps.tap(k, s, from_[place(row, col)]);
      });
  }
  /// The maxima and arrivals of n points from element i on, after step s.
  HD void note(int s, int i, int n, const T* u) const {
    T *const maximum = pass_.maximum, *const arrival = pass_.arrival;
    if (maximum) SIMD for (int k = 0; k < n; ++k) maximum[i + k] = larger(maximum[i + k], u[k]);
    const T threshold = pass_.threshold, time = pass_.time(s);
    if (arrival)
      SIMD for (int k = 0; k < n; ++k) arrival[i + k] = arrived(arrival[i + k], u[k], threshold, time);
  }
  /// A face is left with the point that it begins at, one from beyond an edge with the nearest point.
  HD void leave() const {
    GridPart part = own_;
    if (part.row == 0 && topology_.wrap_y == 0) part.row = -1;
    if (part.col == 0 && topology_.wrap_x == 0) part.col = -1;
    team_.each(part, [&](int row, int from, int to) {
      for (int col = from; col < to; ++col) {
        const int k = place(row, col), i = in_field(row, col);
        if (i >= 0) pass_.u_to[i] = from_[k], pass_.p_to[i] = p_[k];
        for (int axis = 0; axis < 2; ++axis) {
          const int face = layers_.face[axis][first_ + k];
          if (face >= 0) layers_.psi_to[face] = from_[k + (axis == 0 ? of_x : of_y)];
        }
      }
    });
  }

  const Layers& layers_;
  const Pass& pass_;
  const Topology& topology_;
  const Team& team_;
  const GridPart own_, box_;
  const int width_;
  const int first_;  // of the tile, in what layers have by place
  PointRows pushed_,
      tapped_;  // rows in the field where forces push points of the box; where receivers tap its own
  T *from_, *to_, *const p_;
};

}  // namespace wavesim
