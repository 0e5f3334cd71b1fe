#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/shapes/geometry.hpp"

namespace wavesim {

namespace {

struct Ellipse : GeometricShape {
  struct Keys : Configured {
    std::array<double, 2> center{0, 0}, radii{1, 1};
    double angle = 0;
    void fields(Section& s) override {
      s("center", center, {.unit = "m", .required = true});
      s("radii", radii, {.text = "half axes [a, b]", .unit = "m", .required = true, .above = 0});
      s("angle", angle, {.text = "of the axis a from x towards y", .unit = "degrees"});
    }
  } ellipse;

  void fields(Section& s) override {
    s.section("ellipse", ellipse, {.required = true});
    rim_keys(s);
  }
  double turn() const { return ellipse.angle * std::numbers::pi / 180; }
  /// Along the half axes, from the center; 1 is the rim.
  std::array<double, 2> place(double x, double y) const {
    const double c = std::cos(turn()), s = std::sin(turn());
    const double dx = x - ellipse.center[0], dy = y - ellipse.center[1];
    return {(c * dx + s * dy) / ellipse.radii[0], (c * dy - s * dx) / ellipse.radii[1]};
  }
  double depth(double x, double y) const override {
    const auto [p, q] = place(x, y);
    return (1 - std::hypot(p, q)) * std::min(ellipse.radii[0], ellipse.radii[1]);
  }
  void add_rims(double x, double y, double, RimDirections& to) const override {
    const auto [p, q] = place(x, y);
    const double tangent = turn() + std::atan2(p * ellipse.radii[1], -q * ellipse.radii[0]);
    to.bent.insert(to.bent.end(), {tangent, tangent + std::numbers::pi});
  }
};

}  // namespace

Kind<Shape> ellipse_kind() {
  return {"ellipse", "ellipse with half axes and an angle", Form::flat, make_kind<Shape, Ellipse>};
}

}  // namespace wavesim
