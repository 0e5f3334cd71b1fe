#include <cmath>

#include "sim/fields/bell.hpp"
#include "sim/fields/field.hpp"

namespace wavesim {

namespace {

/// amplitude exp(-(r - radius)^2 / (2 width^2)), r the distance from the center.
struct Ring : Field2 {
  std::array<double, 2> center{0, 0};
  double radius = 1, width = 1, amplitude = 1;

  void fields(Section& s) override {
    s("center", center, {.unit = "m", .required = true});
    s("radius", radius, {.text = "of the crest", .unit = "m", .required = true, .least = 0});
    s("width", width, {.text = "standard deviation across", .unit = "m", .required = true, .above = 0});
    s("amplitude", amplitude, {.text = "value on the crest"});
  }
  std::unique_ptr<PointValues> values(const Grid&) const override {
    return point_values([this](double x, double y) {
      return amplitude * bell((std::hypot(x - center[0], y - center[1]) - radius) / width);
    });
  }
  double shortest_wavelength(const Grid&) const override { return shortest_wavelength_of_bell(width); }
};

}  // namespace

Kind<Field2> ring_kind() {
  return {"ring", "circular crest with a bell across it", Form::nested, make_kind<Field2, Ring>};
}

}  // namespace wavesim
