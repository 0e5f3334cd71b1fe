#pragma once
// The matrices M, D and K of fourth order (docs/math.md, section 2): symmetric, on the nine points round each
// point. Entry by entry, or in a constant medium on a rectangle by what one cell brings to them.

#include "kernels/grid/stencil.hpp"

namespace wavesim {

/// A symmetric matrix on a grid. Each array is a field with ghost rows and holds at i the entry between i and
/// the point that gives it its name. So one number serves both of the points that it couples: the matrix is
/// symmetric to the bit. Round a periodic axis the entry stands beside both edges: at column nx too, or -1.
/// Entries that couple with a point beyond an edge are zero.
template <class T>
struct NinePointMatrix {
  const T *south_west = nullptr, *south = nullptr, *south_east = nullptr, *west = nullptr, *centre = nullptr;

  HD StencilRow<T, NinePoint> row(Row r) const {
    const int above = r.i + r.pitch;
    return {{south_west[r.i], south[r.i], south_east[r.i], west[r.i], centre[r.i], west[r.i + 1],
             south_east[above - 1], south[above], south_west[above + 1]}};
  }
};

/// The rows of M, D and K at one point.
template <class T>
struct NinePointRows {
  StencilRow<T, NinePoint> mass, damping, stiffness;
};

/// Any medium and region.
template <class T>
struct NinePointCoefficients {
  using Stencil = NinePoint;
  static constexpr bool uniform = false;
  static constexpr int words = 10;
  Topology topology;
  NinePointMatrix<T> mass, damping, stiffness;

  NinePointCoefficients() = default;
  /// `damping` may be null: none. The member is then `mass`, as in VariableCoefficients.
  NinePointCoefficients(const Topology& t, const NinePointMatrix<T>& mass, const NinePointMatrix<T>* damping,
                        const NinePointMatrix<T>& stiffness)
      : topology(t), mass(mass), damping(damping ? *damping : mass), stiffness(stiffness) {}
  HD bool damped() const { return damping.centre != mass.centre; }

  bool edges() const { return true; }  // corners reach beyond the memory that holds zero (next_door)
  HD NinePointRows<T> at(Row r) const {
    return {mass.row(r), damped() ? damping.row(r) : StencilRow<T, NinePoint>{}, stiffness.row(r)};
  }
};

/// What a cell of a constant medium brings to a matrix: between a corner and itself, the corners beside it along
/// x and along y, and the one opposite.
template <class T>
struct CornerEntries {
  T own = 0, along_x = 0, along_y = 0, opposite = 0;
};

/// Constant medium on a rectangle: nothing is stored. Rows are sums over the cells round a point, of which a free
/// edge has half. All sums are doublings, so that the matrices are symmetric to the bit.
template <class T>
struct UniformNinePointCoefficients {
  using Stencil = NinePoint;
  static constexpr bool uniform = true;
  static constexpr int words = 0;
  Topology topology;
  CornerEntries<T> mass, damping, stiffness;
  bool cells_beyond[4] = {true, true, true, true};  // the outermost points at the left, right, bottom, top
  T radiation[4] = {0, 0, 0, 0};                    // damping of a whole cell's length of that edge

  bool edges() const { return true; }
  bool damped() const {
    return damping.own != 0 || radiation[0] != 0 || radiation[1] != 0 || radiation[2] != 0 ||
           radiation[3] != 0;
  }
  HD NinePointRows<T> inside() const { return along(false, false, false, false); }
  HD NinePointRows<T> at(Row r) const {
    if (!r.edge) return inside();
    return along(r.col == 0, r.col == topology.nx - 1, r.row == 0, r.row == topology.ny - 1);
  }
  /// At points on these sides.
  HD NinePointRows<T> along(bool left, bool right, bool bottom, bool top) const {
    const Round cells{!left || cells_beyond[0], !right || cells_beyond[1], !bottom || cells_beyond[2],
                      !top || cells_beyond[3]};
    const bool wrap_x = topology.wrap_x != 0, wrap_y = topology.wrap_y != 0;
    const Round points{!left || wrap_x, !right || wrap_x, !bottom || wrap_y, !top || wrap_y};
    NinePointRows<T> rows{row(mass, cells, points), row(damping, cells, points),
                          row(stiffness, cells, points)};
    const T along_y = (left ? radiation[0] : T(0)) + (right ? radiation[1] : T(0)),
            along_x = (bottom ? radiation[2] : T(0)) + (top ? radiation[3] : T(0));
    T* const D = rows.damping.at;
    D[NinePoint::centre] += T(5) / 12 * (along_y * cells.high() + along_x * cells.wide());
    D[NinePoint::south] += points.south ? along_y / 12 : T(0);
    D[NinePoint::north] += points.north ? along_y / 12 : T(0);
    D[NinePoint::west] += points.west ? along_x / 12 : T(0);
    D[NinePoint::east] += points.east ? along_x / 12 : T(0);
    return rows;
  }

 private:
  /// Whether there is something on each side of a point.
  struct Round {
    bool west, east, south, north;
    HD T wide() const { return T(int(west) + int(east)); }
    HD T high() const { return T(int(south) + int(north)); }
  };
  HD static StencilRow<T, NinePoint> row(const CornerEntries<T>& c, const Round& cells, const Round& points) {
    const T x = c.along_x * cells.high(), y = c.along_y * cells.wide();
    const auto diagonal = [&c](bool a, bool b) { return a && b ? c.opposite : T(0); };
    return {
        {diagonal(points.south, points.west), points.south ? y : T(0), diagonal(points.south, points.east),
         points.west ? x : T(0), c.own * (cells.wide() * cells.high()), points.east ? x : T(0),
         diagonal(points.north, points.west), points.north ? y : T(0), diagonal(points.north, points.east)}};
  }
};

}  // namespace wavesim
