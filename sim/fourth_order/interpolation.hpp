#pragma once
// Interpolation between nodes, of the order of the scheme: bilinear, or cubic along both axes.

#include "sim/fourth_order/filter.hpp"

namespace wavesim {

class Interpolation {
 public:
  explicit Interpolation(const Model& model) : m_(model), filter_(model) {}

  /// The displacement at a point of the rectangle, by the displacements of nodes. With fourth order 4 x 4 of
  /// them, with eighth 8 x 8 (sim/eighth_order); beside rims that cut the cells, and on axes of less than three cells, bilinear.
  std::vector<Weighted> weights(double x, double y) const;
  /// The same by the unknowns v, of which u = S v (filter.hpp).
  std::vector<Weighted> readings(double x, double y) const;

 private:
  bool is_cubic(const std::array<std::array<long, 4>, 2>& index) const;

  const Model& m_;
  const Filter filter_;
};

}  // namespace wavesim
