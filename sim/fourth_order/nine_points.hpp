#pragma once
// From the coefficients of five points to the matrices of nine (docs/math.md, section 2): in every whole cell
// the matrices of fourth order take the place of those of second. Cells that a rim cuts keep theirs.

#include <map>

#include "sim/fourth_order/whole_cells.hpp"

namespace wavesim {

/// What couples an unknown with nodes on a driven edge, whose displacement is g(t):
///   stiffness g + inertia dt^2 g'' + damping dt g'
struct DrivenCoupling {
  double stiffness = 0, inertia = 0, damping = 0;
};
using DrivenCouplings = std::map<long, DrivenCoupling>;  // by the unknown's index

/// The matrices, and for each side what couples with it if it is driven. `five`: of a varying medium.
/// `largest_eigenvalue`: as of make_coefficients; 0: none is kept.
struct NinePointSystem {
  HostNinePoints matrices;
  std::array<DrivenCouplings, 4> driven;
};
NinePointSystem nine_points(const Model& model, const Unknowns& unknowns, const HostCoefficients& five,
                            double dt, double largest_eigenvalue);

/// The same of a constant medium on a rectangle.
UniformNinePointCoefficients<double> uniform_nine_points(const Model& model, const Unknowns& unknowns,
                                                         double reference_mass, double dt,
                                                         double largest_eigenvalue);

/// The couplings with driven edges, by side.
std::array<DrivenCouplings, 4> couplings_with_driven_edges(const Model& model, const Unknowns& unknowns,
                                                           const HostCoefficients& five,
                                                           const WholeCells& cells);

/// Faces beside fixed and driven edges as the scheme of fourth order takes them. On the edge u_nn = -T'u_n / T, so
/// that v is h^2 T'u_n / (24 T) there; the face times 1 - e/24 (1 + 11 e/24), e = h T'/T, has the same flux from 0.
/// To be called once.
void correct_faces_at_edges(Model& model);

}  // namespace wavesim
