#include <algorithm>
#include <limits>
#include <numbers>

#include "sim/input/text.hpp"
#include "sim/shapes/geometry.hpp"

namespace wavesim {

namespace {

/// {rectangles: [[x0, y0, x1, y1], ...]}: all of them together.
struct Rectangles : GeometricShape {
  std::vector<std::array<double, 4>> rectangles;

  void fields(Section& s) override {
    s("rectangles", rectangles, {.text = "[[x0, y0, x1, y1], ...]", .unit = "m", .required = true});
    rim_keys(s);
  }
  void check() const override {
    if (rectangles.empty()) where.fail("'rectangles' is empty; list at least one [x0, y0, x1, y1]");
    for (const auto& [x0, y0, x1, y1] : rectangles)
      if (x1 < x0 || y1 < y0)
        where.fail("the rectangle [" + text(x0) + ", " + text(y0) + ", " + text(x1) + ", " + text(y1) +
                   "] is turned inside out; write the lower left corner first: [x0, y0, x1, y1]");
  }
  double depth(double x, double y) const override {
    double best = -std::numeric_limits<double>::max();
    for (const auto& [x0, y0, x1, y1] : rectangles)
      best = std::max(best, std::min({x - x0, x1 - x, y - y0, y1 - y}));
    return best;
  }
  void add_rims(double, double, double, RimDirections& to) const override {
    for (int k = 0; k < 4; ++k) to.straight.push_back(std::numbers::pi / 2 * k);
  }
};

}  // namespace

Kind<Shape> rectangles_kind() {
  return {"rectangles", "upright rectangles, all together", Form::flat, make_kind<Shape, Rectangles>};
}

}  // namespace wavesim
