#pragma once
// Masses of dual cells and tensions of faces of a medium that varies (docs/math.md, section 2).
//
// Where the medium is smooth, m is taken at the nodes and T at the middles of faces: second order. Where it
// jumps within the cell or the box of the face they are means, because the error would be of first order: of m over the
// dual cell; of T the harmonic mean along the grid line, for tensions in series, and the arithmetic mean
// across it, for tensions side by side (Moczo, Kristek, Vavrycuk, Archuleta & Halada 2002).
//
// A medium of samples that lie closer than the nodes changes within every cell: samples at nodes alone would show
// something else (aliasing). There all values are means, sharpened so that a smooth medium keeps its fourth order
// (sharpened_means.hpp).

#include "sim/medium/point_medium.hpp"

namespace wavesim {

/// Tensions of the faces between node (ix, iy) and its neighbours (ix + 1, iy) and (ix, iy + 1).
struct Tensions {
  NodeField x, y;
};

/// `mass`: m on the nodes, which means replace where m jumps. Where the medium is nowhere good the tension is 0.
Tensions tensions_between_nodes(const PointMedium& medium, const Grid& grid, NodeField& mass);

}  // namespace wavesim
