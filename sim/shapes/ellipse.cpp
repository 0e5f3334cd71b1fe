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
    rim(s);
  }
  double depth(double x, double y, double) const override {
    const double turn = ellipse.angle * std::numbers::pi / 180, c = std::cos(turn), s = std::sin(turn);
    const double dx = x - ellipse.center[0], dy = y - ellipse.center[1];
    const double q = std::hypot((c * dx + s * dy) / ellipse.radii[0], (c * dy - s * dx) / ellipse.radii[1]);
    return (1 - q) * std::min(ellipse.radii[0], ellipse.radii[1]);
  }
};

}  // namespace

Kind<Shape> ellipse_kind() {
  return {"ellipse", "ellipse with half axes and an angle", Form::flat, make_kind<Shape, Ellipse>};
}

}  // namespace wavesim
