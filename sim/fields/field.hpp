#pragma once
// The family of fields over the plane: media, initial states and area sources are all made of them.
// A new kind is one file in sim/fields/ and one line in sim/fields/registry.cpp.

#include <limits>

#include "sim/config/section.hpp"
#include "sim/input/samples.hpp"
#include "sim/model/grid.hpp"

namespace wavesim {

/// A field at points, metres. Not to be shared by threads: each makes a copy.
struct PointValues {
  virtual ~PointValues() = default;
  virtual std::unique_ptr<PointValues> copy() const = 0;
  virtual double at(double x, double y) = 0;
  /// From here on at() is the value at a time; of what does not change it is what it was.
  virtual void set_time(double) {}
  /// The distance of samples that the field is made of, along the axis where it is the smallest; infinite for others.
  virtual double sample_spacing() const { return std::numeric_limits<double>::infinity(); }
};

struct Field2 : Configured {
  /// The field over grid.size; files go on beyond it with their edge values. Throws InputError with `where` if
  /// it cannot be had: missing file, wrong shape, NaN, does not cover the grid (both extents are named).
  virtual std::unique_ptr<PointValues> values(const Grid& grid) const = 0;
  /// Of fields that may change in time; see PointValues::set_time.
  virtual std::unique_ptr<PointValues> values_in_time(const Grid& grid) const { return values(grid); }
  virtual bool uses_time() const { return false; }
  /// Whether it is the same everywhere.
  virtual bool uniform() const { return false; }
  /// The values on every node of the grid, absorbing layers included. Throws InputError where they are none.
  virtual NodeField at_nodes(const Grid& grid, const PointValues& values) const;
  NodeField evaluate(const Grid& grid) const { return at_nodes(grid, *values(grid)); }
  /// The time derivative at t = 0 that belongs to this field as an initial displacement: a packet that
  /// travels. `speed` is the wave speed on the nodes. Empty for fields at rest.
  virtual std::optional<NodeField> rate(const Grid&, const NodeField& /*speed*/) const { return {}; }
  /// Shortest wavelength with noticeable energy (metres), for advice; 0 if unknown.
  virtual double shortest_wavelength(const Grid&) const { return 0; }
};

template <>
const std::vector<Kind<Field2>>& kinds<Field2>();
template <>
std::string_view family<Field2>();

/// Sum of fields ("a list is a sum").
struct FieldSum {
  NodeField nodes;
  std::unique_ptr<PointValues> points;
};
FieldSum sum_of(const std::vector<std::shared_ptr<Field2>>& terms, const Grid& grid);
inline NodeField evaluate(const std::vector<std::shared_ptr<Field2>>& terms, const Grid& grid) {
  return sum_of(terms, grid).nodes;
}

/// A function of x and y, copied for each thread.
template <class Function>
std::unique_ptr<PointValues> point_values(Function function) {
  struct Values final : PointValues {
    Function function;
    explicit Values(Function f) : function(std::move(f)) {}
    std::unique_ptr<PointValues> copy() const override { return std::make_unique<Values>(*this); }
    double at(double x, double y) override { return function(x, y); }
  };
  return std::make_unique<Values>(std::move(function));
}

/// Samples of a file, shared by all copies.
inline std::unique_ptr<PointValues> sampled_values(Samples samples) {
  struct Values final : PointValues {
    std::shared_ptr<const Samples> samples;
    explicit Values(std::shared_ptr<const Samples> s) : samples(std::move(s)) {}
    std::unique_ptr<PointValues> copy() const override { return std::make_unique<Values>(*this); }
    double at(double x, double y) override { return samples->at(x, y); }
    double sample_spacing() const override { return std::min(samples->spacing[0], samples->spacing[1]); }
  };
  return std::make_unique<Values>(std::make_shared<const Samples>(std::move(samples)));
}

}  // namespace wavesim
