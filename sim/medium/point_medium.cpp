#include "sim/medium/point_medium.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wavesim {

PointMedium::PointMedium(Kind kind, double gravity, std::unique_ptr<PointValues> speed,
                         std::unique_ptr<PointValues> density, const Grid& grid)
    : kind_(kind), gravity_(gravity), speed_(std::move(speed)), density_(std::move(density)), grid_(grid) {}

PointMedium::PointMedium(const PointMedium& other)
    : kind_(other.kind_),
      gravity_(other.gravity_),
      speed_(other.speed_->copy()),
      density_(other.density_ ? other.density_->copy() : nullptr),
      grid_(other.grid_) {}

double PointMedium::place(int axis, double v) const {
  return grid_.periodic[axis] ? grid_.wrapped(axis, v) : std::clamp(v, grid_.low(axis), grid_.high(axis));
}

bool PointMedium::is_finer_than_grid() const {
  double finest = speed_->sample_spacing();
  if (density_) finest = std::min(finest, density_->sample_spacing());
  return finest < std::max(grid_.spacing[0], grid_.spacing[1]) * (1 - 1e-9);
}

PointMedium::Values PointMedium::of(double speed, double density) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const bool good = speed > 0 && std::isfinite(speed) && density > 0 && std::isfinite(density);
  if (is_water()) {
    if (!good) return {1, std::isnan(speed) ? none : 0};
    return {1, kind_ == Kind::water_of_speed ? speed * speed : gravity_ * speed};
  }
  if (!good) return {none, none};
  if (kind_ == Kind::membrane_of_tension) return {density, speed};
  if (kind_ == Kind::membrane) return {density, density * speed * speed};
  return {1 / (density * speed * speed), 1 / density};
}

PointMedium::Values PointMedium::at(double x, double y) {
  x = place(0, x), y = place(1, y);
  return of(speed_->at(x, y), density_ ? density_->at(x, y) : 1);
}

}  // namespace wavesim
