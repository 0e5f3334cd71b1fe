#pragma once
// The matrices M, D and K of fourth order, entry by entry (docs/math.md, section 2): symmetric, on the nine
// points round each point.

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

}  // namespace wavesim
