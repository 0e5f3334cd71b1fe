#pragma once
// The medium at any point of the grid, from the fields of a config.

#include <memory>

#include "sim/fields/field.hpp"
#include "sim/model/grid.hpp"

namespace wavesim {

/// m and T of m u_tt + eta u_t = div(T grad u) + f (docs/math.md, section 1). Not to be shared by threads:
/// each makes a copy.
class PointMedium {
 public:
  struct Values {
    double mass, tension;
  };
  enum class Kind { membrane, membrane_of_tension, water_of_depth, water_of_speed, acoustic };

  /// `speed`: in m/s, of water_of_depth the depth in m, of membrane_of_tension the tension in N/m. `density`: of
  /// membranes and acoustic media.
  PointMedium(Kind kind, double gravity, std::unique_ptr<PointValues> speed,
              std::unique_ptr<PointValues> density, const Grid& grid);
  PointMedium(const PointMedium& other);

  /// At a point, metres. In absorbing layers that of the nearest point of grid.size; past the end of a periodic
  /// axis that of its other end. NaN where the fields make no medium; dry ground has the tension 0.
  Values at(double x, double y);

  /// Whether the fields are samples closer to each other than the nodes of the grid.
  bool is_finer_than_grid() const;

  /// Whether tensions add up along a grid line as conductances do (shallow water: depths), not as resistances.
  bool is_water() const { return kind_ == Kind::water_of_depth || kind_ == Kind::water_of_speed; }

  /// From values of the fields.
  Values of(double speed, double density) const;

 private:
  double place(int axis, double v) const;

  Kind kind_;
  double gravity_;
  std::unique_ptr<PointValues> speed_, density_;
  Grid grid_;
};

}  // namespace wavesim
