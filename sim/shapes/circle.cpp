#include <cmath>
#include <numbers>

#include "sim/shapes/geometry.hpp"

namespace wavesim {

namespace {

struct Circle : GeometricShape {
  struct Keys : Configured {
    std::array<double, 2> center{0, 0};
    double radius = 1;
    void fields(Section& s) override {
      s("center", center, {.unit = "m", .required = true});
      s("radius", radius, {.unit = "m", .required = true, .above = 0});
    }
  } circle;

  void fields(Section& s) override {
    s.section("circle", circle, {.required = true});
    rim_keys(s);
  }
  double depth(double x, double y) const override {
    return circle.radius - std::hypot(x - circle.center[0], y - circle.center[1]);
  }
  void add_rims(double x, double y, double, RimDirections& to) const override {
    const double tangent = std::atan2(x - circle.center[0], circle.center[1] - y);
    to.bent.insert(to.bent.end(), {tangent, tangent + std::numbers::pi});
  }
};

}  // namespace

Kind<Shape> circle_kind() { return {"circle", "disc round a center", Form::flat, make_kind<Shape, Circle>}; }

}  // namespace wavesim
