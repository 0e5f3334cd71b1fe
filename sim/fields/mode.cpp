#include <cmath>
#include <numbers>

#include "sim/fields/field.hpp"

namespace wavesim {

namespace {

/// The standing wave (m, n) of grid.size: sin(m pi x / Lx) sin(n pi y / Ly) with fixed edges, cosines with
/// free ones.
struct Mode : Field2 {
  long m = 1, n = 1;
  double amplitude = 1;
  std::string edges = "fixed";

  void fields(Section& s) override {
    s("m", m, {.text = "half waves along x", .least = 0});
    s("n", n, {.text = "half waves along y", .least = 0});
    s("amplitude", amplitude, {.text = "largest value"});
    s("edges", edges, {.text = "fixed: sines; free: cosines", .choices = {"fixed", "free"}});
  }
  std::unique_ptr<PointValues> values(const Grid& grid) const override {
    const bool sine = edges == "fixed";
    if (sine && (m < 1 || n < 1))
      where.fail("the mode (" + std::to_string(m) + ", " + std::to_string(n) +
                 ") is zero everywhere with fixed edges; let m and n be 1 or more, or set edges: free");
    const auto wavenumber = [&](int axis, long count) {
      return double(count) * std::numbers::pi / (grid.high(axis) - grid.low(axis));
    };
    return point_values([this, sine, kx = wavenumber(0, m), ky = wavenumber(1, n), low_x = grid.low(0),
                         low_y = grid.low(1)](double x, double y) {
      const double phase_x = kx * (x - low_x), phase_y = ky * (y - low_y);
      return sine ? amplitude * std::sin(phase_x) * std::sin(phase_y)
                  : amplitude * std::cos(phase_x) * std::cos(phase_y);
    });
  }
  double shortest_wavelength(const Grid& grid) const override {
    const double k =
        std::hypot(double(m) / (grid.high(0) - grid.low(0)), double(n) / (grid.high(1) - grid.low(1)));
    return k > 0 ? 2 / k : 0;
  }
};

}  // namespace

Kind<Field2> mode_kind() {
  return {"mode", "standing wave (m, n) of the rectangle", Form::nested, make_kind<Field2, Mode>};
}

}  // namespace wavesim
