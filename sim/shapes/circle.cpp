#include <cmath>

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
    rim(s);
  }
  double depth(double x, double y, double) const override {
    return circle.radius - std::hypot(x - circle.center[0], y - circle.center[1]);
  }
};

}  // namespace

Kind<Shape> circle_kind() { return {"circle", "disc round a center", Form::flat, make_kind<Shape, Circle>}; }

}  // namespace wavesim
