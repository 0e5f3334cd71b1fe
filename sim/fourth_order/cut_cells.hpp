#pragma once
// Cells that a rim cuts, which keep their five-point terms, under schemes that are stable up to a Courant number.

#include <array>
#include <functional>

#include "sim/fourth_order/whole_cells.hpp"

namespace wavesim {

/// What a row of M gets, in the units of kernels: on its diagonal, and in its entries with the nodes to the west and south.
struct MassOfCutCells {
  double centre = 0, west = 0, south = 0;
  double raised = 0;  // of `centre`, mass of the point alone
};

/// Keeps eigenvalues of M^-1 K at or below a limit L where cells are cut (docs/math.md, section 2). By Gershgorin's theorem
/// those of a row are at most its sum s of faces (twice where they couple two points) over its mass m.
///
/// Where s > L m, faces k (u_i - u_j)^2 of the row are put into M, too, times (1 - L m / s)/L. A scheme has them with a
/// larger theta then, as jumps of the medium have: an error of third order in the spacing, for a rim's cells have an area of
/// the order of the spacing, and M u_tt gets a term of the order of dt^2 K u_tt.
///
/// Beside fixed and driven rims, where a point hardly moves, and in perfectly matched layers the mass is raised to s / L.
class CutCells {
 public:
  /// `five`: coefficients of five points; `curvature`: what a rim's curvature adds to K at a node, in the units of kernels.
  CutCells(const Model& model, const Unknowns& unknowns, const HostCoefficients& five,
           const WholeCells& whole, double largest, std::function<double(std::size_t)> curvature)
      : m_(model),
        u_(unknowns),
        five_(five),
        whole_(whole),
        largest_(largest),
        curvature_(std::move(curvature)) {}

  /// Of the row of an unknown inside the region.
  MassOfCutCells at(long ix, long iy) const;

 private:
  enum Side { west, east, south, north };
  /// What cut cells bring to a row.
  struct Rest {
    double mass = 0;
    std::array<double, 4> face{};  // by side; a negative one holds the point, zero is none
    double sum = 0;                // Gershgorin's
    bool held = false;
  };
  Rest rest(long ix, long iy) const;
  /// Whether the point's mass is raised where its row is too stiff.
  bool raises(const Rest& rest, long ix, long iy) const;
  bool is_stretched(long ix, long iy) const;
  /// The share of its faces that a point wants in M, times the limit: 0 to 1.
  double wanted(const Rest& rest, long ix, long iy) const;

  const Model& m_;
  const Unknowns& u_;
  const HostCoefficients& five_;
  const WholeCells& whole_;
  const double largest_;
  const std::function<double(std::size_t)> curvature_;
};

}  // namespace wavesim
