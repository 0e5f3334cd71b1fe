#include <algorithm>
#include <cmath>

#include "sim/shapes/geometry.hpp"

namespace wavesim {

namespace {

/// {polygon: [[x, y], ...]}: closed by itself, in either sense; where it crosses itself the even-odd rule
/// holds.
struct Polygon : GeometricShape {
  std::vector<std::array<double, 2>> polygon;

  void fields(Section& s) override {
    s("polygon", polygon, {.text = "corners [[x, y], ...]", .unit = "m", .required = true});
    rim(s);
  }
  void check() const override {
    if (polygon.size() < 3)
      where.fail("a polygon of " + std::to_string(polygon.size()) +
                 " corners has no inside; list at least 3");
  }
  double depth(double x, double y, double slack) const override {
    bool in = false;
    for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
      const auto [ax, ay] = polygon[i];
      const auto [bx, by] = polygon[j];
      const double ex = bx - ax, ey = by - ay, px = x - ax, py = y - ay;
      const double length = ex * ex + ey * ey;
      const double part = length > 0 ? std::clamp((px * ex + py * ey) / length, 0.0, 1.0) : 0;
      const double qx = px - part * ex, qy = py - part * ey;
      if (qx * qx + qy * qy <= slack * slack) return 0;
      if ((ay > y) != (by > y) && x < ax + ex * (y - ay) / ey) in = !in;
    }
    return in ? 2 * slack : -2 * slack;
  }
};

}  // namespace

Kind<Shape> polygon_kind() {
  return {"polygon", "area within straight lines from corner to corner", Form::flat,
          make_kind<Shape, Polygon>};
}

}  // namespace wavesim
