#include <cmath>

#include "sim/fields/bell.hpp"
#include "sim/fields/field.hpp"

namespace wavesim {

namespace {

/// amplitude exp(-r^2 / (2 width^2)), r the distance from the center.
struct Gaussian : Field2 {
  std::array<double, 2> center{0, 0};
  double width = 1, amplitude = 1;

  void fields(Section& s) override {
    s("center", center, {.unit = "m", .required = true});
    s("width", width, {.text = "standard deviation", .unit = "m", .required = true, .above = 0});
    s("amplitude", amplitude, {.text = "value at the center"});
  }
  std::unique_ptr<PointValues> values(const Grid&) const override {
    return point_values([this](double x, double y) {
      return amplitude * bell(std::hypot(x - center[0], y - center[1]) / width);
    });
  }
  double shortest_wavelength(const Grid&) const override { return shortest_wavelength_of_bell(width); }
};

}  // namespace

Kind<Field2> gaussian_kind() { return {"gaussian", "round bell", Form::nested, make_kind<Field2, Gaussian>}; }

}  // namespace wavesim
