#pragma once
// From the model in SI units to the dimensionless five-point coefficients that kernels work with: everything
// is divided by the mass of a reference cell, m_ref dx dy, faces are multiplied by dt^2 and damping by dt
// (docs/math.md, section 4). So a uniform membrane has mass 1 and faces c^2 dt^2 / dx^2, as in Pozzo et al.
// 2010, Eq. 11.

#include <functional>
#include <optional>

#include "kernels/grid/coefficients.hpp"
#include "kernels/grid/extent.hpp"
#include "kernels/grid/nine_point_coefficients.hpp"
#include "sim/model/model.hpp"

namespace wavesim {

/// Which nodes are unknowns: a rectangle of them; fixed and driven edges are left out, and so is the copy on
/// a periodic axis.
struct Unknowns {
  std::array<long, 2> first{0, 0}, count{0, 0};
  Extent extent;
  Topology topology;
  /// Linear index of node (ix, iy) in the whole field (Extent::number), or -1 if it is no unknown. Periodic copies map to the
  /// original.
  long index(long ix, long iy) const;
  /// The side (left, right, bottom, top) that a node which is no unknown lies on.
  int side(long ix, long iy) const;
};
Unknowns make_unknowns(const Model& model, int word = sizeof(double));

/// A force: in each step value(t) weight[k] is added at point index[k] of the right-hand side (w+, w0, w-
/// applied over t). One that moves has its points at the time of each of them.
struct ForcePoints {
  std::vector<long> index;  // as of Unknowns
  std::vector<double> weight;
};
struct Force : ForcePoints {
  std::string name;
  std::function<double(double)> value;
  std::function<ForcePoints(double)> points =
      {};                // of a source that moves: those at t, each index once and in order
  bool held = false;     // value(t) is what a point that K couples to is held at, and weight[k] that coupling
  bool anywhere = true;  // whether any rank has points of it; it may, where it moves
};

/// A point where waves are let out of the domain: the share of its row of D that is not the medium's own damping.
struct OutflowPoint {
  long index;  // as of Unknowns
  double share;
};

/// Rows from `first` to `end` - 1.
struct RowRange {
  int first, end;
};
/// Rows of unknowns whose coefficients are made here: all, or where the model has values of some, this rank's with `beside`
/// rows on either side.
inline RowRange wanted_rows(const Model& m, const Extent& e, int beside = 1) {
  if (!m.grid.own.ranks) return {0, e.ny};
  return {std::max(0, e.first_own - beside), std::min(e.ny, e.end_own() + beside)};
}
/// A field with ghost rows: zeros in those rows, in one on either side, and beyond the ends of the grid. Memory of other rows is
/// not touched.
Array<double> zeros_in(const Extent& e, RowRange rows);

/// Entries as in NinePointMatrix: fields with ghost rows.
struct HostNinePointMatrix {
  Array<double> south_west, south, south_east, west, centre;
  HostNinePointMatrix() = default;
  HostNinePointMatrix(const Extent& e, RowRange rows);
};
struct HostNinePoints {
  HostNinePointMatrix mass, damping, stiffness;  // no damping: empty
};

/// Coefficients in doubles, on the host. `varying` says which of two sets is meant, of five points or of nine.
struct HostCoefficients {
  double reference_mass = 1;  // kg/m^2 or what the medium's m is
  bool varying = false;
  UniformCoefficients<double> uniform;
  // Fields with ghost rows: element (row + 1) * pitch + col. Empty damping: none.
  Array<double> mass, damping, east, north;
  std::array<double, 4> half{1, 1, 1, 1};                                   // share of a cell along each edge
  std::optional<HostNinePoints> nine_points;                                // space order 4
  std::optional<UniformNinePointCoefficients<double>> uniform_nine_points;  // the same, not varying
  std::optional<HostPml> pml;
  std::vector<Force> forces;          // sources, driven edges, incoming waves
  std::vector<OutflowPoint> outflow;  // on absorbing edges and rims, and where perfectly matched layers begin
};
/// `largest_eigenvalue`, in 1/s^2, of M^-1 K: where a row could have a larger one (beside rims, where the medium
/// jumps), its mass is raised, or with nine points M gets a share of K; 0: they stay. Schemes that are stable up to a
/// Courant number need it.
/// `outflow`: whether its points are wanted.
HostCoefficients make_coefficients(const Model& model, const Unknowns& unknowns, double dt,
                                   double largest_eigenvalue, bool outflow = false);

}  // namespace wavesim
