#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/shapes/geometry.hpp"

namespace wavesim {

namespace {

/// {polygon: [[x, y], ...]}: closed by itself, in either sense; where it crosses itself the even-odd rule
/// holds.
struct Polygon : GeometricShape {
  std::vector<std::array<double, 2>> polygon;

  void fields(Section& s) override {
    s("polygon", polygon, {.text = "corners [[x, y], ...]", .unit = "m", .required = true});
    rim_keys(s);
  }
  void check() const override {
    if (polygon.size() < 3)
      where.fail("a polygon of " + std::to_string(polygon.size()) +
                 " corners has no inside; list at least 3");
  }
  double depth(double x, double y) const override {
    bool in = false;
    double square = std::numeric_limits<double>::max();
    for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
      const auto [ax, ay] = polygon[i];
      const auto [bx, by] = polygon[j];
      square = std::min(square, squared_distance(x, y, polygon[i], polygon[j]));
      if ((ay > y) != (by > y) && x < ax + (bx - ax) * (y - ay) / (by - ay)) in = !in;
    }
    return in ? std::sqrt(square) : -std::sqrt(square);
  }
  void add_rims(double x, double y, double reach, RimDirections& to) const override {
    for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
      if (squared_distance(x, y, polygon[i], polygon[j]) > reach * reach) continue;
      for (const auto& [ax, ay] : {polygon[i], polygon[j]})
        if (std::hypot(ax - x, ay - y) > reach) to.straight.push_back(std::atan2(ay - y, ax - x));
    }
  }

 private:
  using Corner = std::array<double, 2>;
  /// From a point to a side.
  static double squared_distance(double x, double y, Corner a, Corner b) {
    const double ex = b[0] - a[0], ey = b[1] - a[1], px = x - a[0], py = y - a[1];
    const double length = ex * ex + ey * ey;
    const double part = length > 0 ? std::clamp((px * ex + py * ey) / length, 0.0, 1.0) : 0;
    const double qx = px - part * ex, qy = py - part * ey;
    return qx * qx + qy * qy;
  }
};

}  // namespace

Kind<Shape> polygon_kind() {
  return {"polygon", "area within straight lines from corner to corner", Form::flat,
          make_kind<Shape, Polygon>};
}

}  // namespace wavesim
