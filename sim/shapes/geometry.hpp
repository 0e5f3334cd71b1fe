#pragma once
// Shapes that are given by where their rim lies, and those that are given by a value at each point.

#include "sim/input/samples.hpp"
#include "sim/shapes/shape.hpp"

namespace wavesim {

struct GeometricShape : Shape {
  /// Throws InputError for numbers that make no such shape.
  virtual void check() const {}
  /// Positive inside, negative outside; near the rim about the distance to it, in metres.
  virtual double depth(double x, double y) const = 0;
  /// As in Outline, of the rims that pass within `reach` of a point; one does.
  virtual void add_rims(double x, double y, double reach, RimDirections& to) const = 0;

  std::unique_ptr<Outline> outline(const Grid& grid) const final;
};

/// Inside where a value is greater than 0.
struct ValueOutline : Outline {
  Lies at(double x, double y) final {
    const double v = value(x, y);
    return v > 0 ? Lies::inside : v == 0 ? Lies::at_threshold : Lies::outside;
  }
  /// All round, for it is not known where the values change their sign.
  void add_rims(double x, double y, RimDirections& to) const final;

 protected:
  virtual double value(double x, double y) = 0;
};

/// Where samples are above a threshold.
std::unique_ptr<Outline> samples_outline(Samples samples, double threshold);

/// What Shape::why_empty says of samples that no node lies inside of; `what`: "the brightness of sea.png". Ranks may have some
/// each.
std::string threshold_hint(const Samples& samples, double threshold, const std::string& what,
                           const OwnRows& rows);

}  // namespace wavesim
