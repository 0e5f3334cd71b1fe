#pragma once
// Perfectly matched layers: coordinates stretched by 1 + zeta/(i omega), in the second-order form of Grote and
// Sim (2010), "Efficient PML for the wave equation", arXiv 1001.0319 (docs/math.md, section 2).

#include <array>
#include <vector>

#include "kernels/grid/extent.hpp"
#include "sim/model/grid.hpp"

namespace wavesim {

struct Model;
struct Unknowns;
struct HostCoefficients;

/// zeta in 1/s, constant within each cell of an axis; both axes empty: no layer.
struct PmlProfile {
  std::array<std::vector<double>, 2> rate;
  bool empty() const { return rate[0].empty(); }
  /// How many cells have one, in rows of cells from `first` to `end` - 1.
  double cells(long first, long end) const;
  double cells() const { return cells(0, long(rate[1].size())); }
};

/// The model's profile, from the rates of its edges: it grows with the square of the depth. Faces across layers are
/// matched to it.
void add_pml(Model& model);
/// zeta at the outer end of a layer (metres) that leaves `reflection` of a wave that crosses it twice at right angles.
double pml_rate_at_end(double speed, double thickness, double reflection);

/// What the layers make of M, D and K at a time step, with a = dt zeta_x / 2 and b = dt zeta_y / 2: the trapezoidal
/// rule with its auxiliary fields eliminated. M becomes (1 + a)(1 + b) M, faces along x are multiplied by
/// (1 + b) / (1 + a), those along y by (1 + a) / (1 + b).
class Stretching {
 public:
  Stretching(const Model& model, double dt);

  bool any() const { return any_; }
  /// a (axis 0) or b (axis 1) of a cell; 0 outside of the grid.
  double of_cell(int axis, long i) const {
    return i < 0 || i >= long(cells_[axis].size()) ? 0 : cells_[axis][std::size_t(i)];
  }
  /// Their mean over the cells on both sides of a node.
  double at_node(int axis, long i) const { return nodes_[axis].empty() ? 0 : nodes_[axis][std::size_t(i)]; }
  /// Factors of the faces from node (ix, iy) to the next one.
  double face_x(long ix, long iy) const { return (1 + at_node(1, iy)) / (1 + of_cell(0, ix)); }
  double face_y(long ix, long iy) const { return (1 + at_node(0, ix)) / (1 + of_cell(1, iy)); }
  /// Of the face from node (ix, iy) outwards across a side.
  double outer_face(int side, long ix, long iy) const {
    return side < 2 ? face_x(side == 0 ? ix - 1 : ix, iy) : face_y(ix, side == 2 ? iy - 1 : iy);
  }
  /// dt^2 (zeta_x zeta_y M + (zeta_x + zeta_y) D / dt): what holds u to zero where layers cross or the medium damps.
  double reaction(long ix, long iy, double mass, double damping) const {
    const double a = at_node(0, ix), b = at_node(1, iy);
    return 4 * a * b * mass + 2 * (a + b) * damping;
  }
  /// What D gets: dt (zeta_x + zeta_y) M, and the half of the reaction that is implicit.
  double damping(long ix, long iy, double mass, double damping) const {
    return 2 * (at_node(0, ix) + at_node(1, iy)) * mass + reaction(ix, iy, mass, damping) / 2;
  }

 private:
  bool any_ = false;
  std::array<std::vector<double>, 2> cells_, nodes_;
};

/// dt times the medium's own damping of a dual cell whose mass is `mass`.
double damping_of_medium(const Model& model, long ix, long iy, double mass, double dt);

/// What psi = phi / (1 + a) keeps of itself in a step.
inline double pml_keep(double a) { return (1 - a) / (1 + a); }

/// The faces of cells in layers and the points at their ends, in the units of kernels. Of the fluxes that two cells have along a face
/// between them the sum is kept: both decay alike. Where ranks share out the model, each has the points of its rows and the faces
/// that begin there, and before them those that end in its first row.
struct HostPml {
  // Of each face, row by row. Ends: an unknown (Extent::number), -1 for 0, or -2 - side for the value of a driven edge.
  std::vector<long> from, to;
  std::vector<double> keep;
  std::vector<double> own;  // its flux from the difference along it
  std::vector<int> row;     // of unknowns, where it begins; -1: before the first
  /// From the difference along the cells' faces before it and after it: with nine points, else empty.
  struct Beside {
    std::vector<long> from, to;
    std::vector<double> flux;
  } before, after;
  // Of each point: the unknown, the faces to the east, west, north and south of it (-1: none), the reaction.
  std::vector<long> point;
  std::array<std::vector<int>, 4> face;
  std::vector<double> reaction;
};
/// `five`: of a varying medium, not stretched.
HostPml pml_faces(const Model& model, const Unknowns& unknowns, const HostCoefficients& five, double dt);
/// Stretches the coefficients of five points.
void stretch(const Model& model, const Unknowns& unknowns, double dt, HostCoefficients& five);

}  // namespace wavesim
