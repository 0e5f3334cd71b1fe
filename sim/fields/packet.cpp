#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/fields/bell.hpp"
#include "sim/fields/field.hpp"
#include "sim/fields/on_nodes.hpp"

namespace wavesim {

namespace {

/// A plane wave under a bell: amplitude cos(k a + phase) exp(-a^2 / (2 w_along^2) - b^2 / (2 w_across^2)),
/// a along `direction` and b across it, from the center. As an initial displacement it travels along
/// `direction`: u(x, t) = u0(x - c t d), so u_t = -c du0/da, with the speed c of the medium at the center.
struct Packet : Field2 {
  std::array<double, 2> center{0, 0}, direction{1, 0};
  double wavelength = 1, amplitude = 1, phase = 0;
  std::vector<double> width;

  void fields(Section& s) override {
    s("center", center, {.unit = "m", .required = true});
    s("wavelength", wavelength, {.unit = "m", .required = true, .above = 0});
    s("direction", direction, {.text = "of travel, [dx, dy]; its length does not matter"});
    s("width", width,
      {.text = "standard deviation of the bell, [along, across] the direction or one number for both",
       .unit = "m",
       .required = true,
       .above = 0});
    s("amplitude", amplitude, {.text = "largest value"});
    s("phase", phase, {.text = "0 has a crest at the center", .unit = "rad"});
  }
  std::unique_ptr<PointValues> values(const Grid&) const override {
    return point_values([this, f = frame()](double x, double y) {
      const auto [a, b] = f.place(x - center[0], y - center[1]);
      return amplitude * std::cos(f.k * a + phase) * bell(a / f.along) * bell(b / f.across);
    });
  }
  std::optional<NodeField> rate(const Grid& grid, const NodeField& speed) const override {
    const Frame f = frame();
    const double c = speed_at_center(grid, speed);
    return on_nodes(grid, [&](double x, double y) {
      const auto [a, b] = f.place(x - center[0], y - center[1]);
      const double slope =
          -a / (f.along * f.along) * std::cos(f.k * a + phase) - f.k * std::sin(f.k * a + phase);
      return -c * amplitude * slope * bell(a / f.along) * bell(b / f.across);
    });
  }
  double shortest_wavelength(const Grid&) const override {
    const Frame f = frame();
    return 2 * std::numbers::pi / (f.k + band_of_bell(f.along));
  }

 private:
  struct Frame {
    std::array<double, 2> d;
    double along, across, k;
    std::array<double, 2> place(double x, double y) const {
      return {x * d[0] + y * d[1], y * d[0] - x * d[1]};
    }
  };
  Frame frame() const {
    const double length = std::hypot(direction[0], direction[1]);
    if (!(length > 0)) where.fail("the direction [0, 0] of the packet points nowhere; give it a length");
    if (width.empty() || width.size() > 2)
      where.fail("the width of the packet has " + std::to_string(width.size()) +
                 " numbers; write one, or [along, across]");
    return {{direction[0] / length, direction[1] / length},
            width.front(),
            width.back(),
            2 * std::numbers::pi / wavelength};
  }
  double speed_at_center(const Grid& grid, const NodeField& speed) const {
    std::array<long, 2> node;
    for (int axis = 0; axis < 2; ++axis) {
      const double place = (center[axis] - grid.origin[axis]) / grid.spacing[axis];
      node[axis] = std::lround(std::clamp(place, 0.0, double(grid.cells[axis])));
    }
    if (speed.uniform()) return speed.constant;
    const bool here = grid.is_sure(node[1]);
    return grid.own.told(here, here ? speed[grid.index(node[0], node[1])] : 0);
  }
};

}  // namespace

Kind<Field2> packet_kind() {
  return {"packet", "plane wave under a bell, travelling", Form::nested, make_kind<Field2, Packet>};
}

}  // namespace wavesim
