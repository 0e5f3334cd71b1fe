#pragma once
// The matrices of a cell of four nodes in the nine-point scheme of fourth order (docs/math.md, section 2), in
// units in which a cell has area 1. Corners: 0 lower left, 1 lower right, 2 upper left, 3 upper right.

#include <array>

namespace wavesim {

using CellMatrix = std::array<std::array<double, 4>, 4>;

inline CellMatrix& operator+=(CellMatrix& a, const CellMatrix& b) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) a[i][j] += b[i][j];
  return a;
}

inline CellMatrix operator-(CellMatrix a, const CellMatrix& b) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) a[i][j] -= b[i][j];
  return a;
}

/// Face coefficients of a cell: along x below and above, along y on the left and on the right.
struct CellFaces {
  double bottom, top, left, right;
  bool operator==(const CellFaces&) const = default;
};

/// sum over both faces of an axis: (5 T0 g0^2 + 2 c g0 g1 + 5 T1 g1^2) / 12, with g the differences along the
/// faces. The mean c = (T0 + T1)/2 is bounded, so that the matrix stays positive semidefinite where T jumps.
CellMatrix cell_stiffness(const CellFaces& T);
/// The same for five points: half of each face.
CellMatrix cell_stiffness_of_five_points(const CellFaces& T);
/// [5 1; 1 5]/12 along each axis; between two nodes the bounded mean of their values.
CellMatrix cell_mass(const std::array<double, 4>& m);
/// A quarter at each node.
CellMatrix lumped_cell_mass(const std::array<double, 4>& m);
/// Of damping on the side of a cell between corners a and b: `of` each whole node's.
CellMatrix side_damping(int a, int b, double of_a, double of_b);
/// What of that is in five points.
CellMatrix lumped_side_damping(int a, int b, double of_a, double of_b);

/// Where the largest eigenvalue of M^-1 K is above `most`, M takes a little of K, so that it is `most`. M is positive
/// definite; 0: M stays.
void keep_eigenvalue(double most, const CellMatrix& K, CellMatrix& M);

}  // namespace wavesim
