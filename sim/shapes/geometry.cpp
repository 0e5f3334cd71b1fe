#include "sim/shapes/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/input/text.hpp"

namespace wavesim {

namespace {

/// Refers to the shape, which outlives it.
struct GeometricOutline : Outline {
  const GeometricShape& shape;
  double slack, reach;  // metres: on the rim, near it

  GeometricOutline(const GeometricShape& s, const Grid& grid) : shape(s) {
    const double cell = std::min(grid.spacing[0], grid.spacing[1]);
    slack = 1e-9 * cell;
    reach = 1e-6 * cell;
    // Far from the origin coordinates are less sharp.
    for (int axis = 0; axis < 2; ++axis)
      slack = std::max({slack, 1e-15 * std::abs(grid.low(axis)), 1e-15 * std::abs(grid.high(axis))});
  }
  std::unique_ptr<Outline> copy() const override { return std::make_unique<GeometricOutline>(*this); }
  Lies at(double x, double y) override {
    const double d = shape.depth(x, y);
    return d > slack     ? Lies::inside
           : d >= -slack ? Lies::on_rim
           : d >= -reach ? Lies::near_rim
                         : Lies::outside;
  }
  void add_rims(double x, double y, RimDirections& to) const override {
    if (std::abs(shape.depth(x, y)) <= 2 * reach) shape.add_rims(x, y, 2 * reach, to);
  }
};

struct SamplesOutline : ValueOutline {
  std::shared_ptr<const Samples> samples;
  double threshold;

  SamplesOutline(Samples s, double t) : samples(std::make_shared<Samples>(std::move(s))), threshold(t) {}
  std::unique_ptr<Outline> copy() const override { return std::make_unique<SamplesOutline>(*this); }
  double value(double x, double y) override { return samples->at(x, y) - threshold; }
};

}  // namespace

std::unique_ptr<Outline> GeometricShape::outline(const Grid& grid) const {
  check();
  return std::make_unique<GeometricOutline>(*this, grid);
}

void ValueOutline::add_rims(double, double, RimDirections& to) const {
  for (int k = 0; k < 32; ++k) to.straight.push_back(std::numbers::pi / 16 * k);
}

std::string threshold_hint(const Samples& samples, double threshold, const std::string& what,
                           const OwnRows& rows) {
  const auto [low, high] = std::minmax_element(samples.values.begin(), samples.values.end());
  const double least = rows.least(*low), most = rows.most(*high);
  return what + " is " + text(least) + " to " + text(most) + ", and inside is what is above the threshold " +
         text(threshold) + "; give another 'threshold'";
}

std::unique_ptr<Outline> samples_outline(Samples samples, double threshold) {
  return std::make_unique<SamplesOutline>(std::move(samples), threshold);
}

}  // namespace wavesim
