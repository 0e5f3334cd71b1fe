#pragma once
// What the cells with nine points bring to M, D and K beyond what five points have of them (docs/math.md,
// section 2).

#include "sim/fourth_order/cell_matrices.hpp"
#include "sim/fourth_order/filter.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/model/pml.hpp"

namespace wavesim {

struct CellTerms {
  CellMatrix mass{}, damping{}, stiffness{};
};

/// Coefficients of one cell, in the units of kernels.
struct CellMedium {
  CellFaces faces{};
  std::array<double, 4> mass{}, damping{};
  std::array<double, 2>
      stretch{};  // a and b (sim/model/pml.hpp); faces are those of the medium, damping has the layer's
  bool operator==(const CellMedium&) const = default;
};

/// Corners a and b of a cell on one side of the rectangle, and the ones opposite them.
struct OnSide {
  int side, a, b, a_inwards, b_inwards;
};

class WholeCells {
 public:
  /// `largest`: eigenvalue of M^-1 K to keep, times dt^2; 0: none.
  WholeCells(const Model& model, double reference_mass, double dt, double largest);

  /// Whether a cell is one of them (NinePointCells).
  bool at(long ix, long iy) const { return cells_.at(ix, iy); }
  bool everywhere() const { return cells_.everywhere(); }
  const NinePointCells& nine_point_cells() const { return cells_; }
  /// Nodes of the corners; those that periodic axes have twice are the first.
  std::array<std::size_t, 4> corners(long ix, long iy) const;
  CellMedium medium(long ix, long iy) const;
  CellTerms terms(const CellMedium& medium, long ix, long iy) const;
  /// Whether terms() depends on the place, not on the medium alone.
  bool on_a_side(long ix, long iy) const;
  /// Of a face between two nodes along an axis, in the units of kernels.
  double face(int axis, std::size_t node) const {
    return face_scale_[axis] * (axis == 0 ? m_.face_x : m_.face_y)[node];
  }
  double mass(std::size_t node) const { return m_.mass[node] / reference_mass_; }
  double damping(std::size_t node) const { return dt_ * m_.damping[node] / reference_mass_; }
  /// Damping of a whole cell's length of a radiating side.
  double radiation(int side, std::size_t node) const {
    return dt_ * edge_damping(m_, side, node) / (reference_mass_ * m_.grid.spacing[side / 2]);
  }
  const Stretching& stretching() const { return stretching_; }
  /// What the unknown v differs by from a displacement g(t) that holds on a whole edge across an axis, by
  /// u = S v: v = g - a dt^2 g'' - a b dt g', with {a, b}.
  std::array<double, 2> unfiltered_edge(int axis, std::size_t node) const;
  /// The node at indices that may lie round a periodic axis.
  std::size_t wrapped(long ix, long iy) const;

 private:
  template <class F>
  void each_side(long ix, long iy, F&& f) const;
  void add_half_cells(const OnSide& side, const std::array<std::size_t, 4>& node, CellMatrix& K,
                      CellMatrix& M, CellMatrix& D) const;
  template <class Value>
  double slope(int side, std::size_t node, Value&& value) const;
  CellMatrix radiation_terms(const OnSide& side, const std::array<std::size_t, 4>& node) const;

  const Model& m_;
  NinePointCells cells_;
  Stretching stretching_;
  double reference_mass_, dt_, largest_;
  std::array<double, 2> face_scale_{};
};

}  // namespace wavesim
