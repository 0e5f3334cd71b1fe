#pragma once
// The family of fields over the plane: media, initial states and area sources are all made of them.
// A new kind is one file in sim/fields/ and one line in sim/fields/registry.cpp.

#include "sim/config/section.hpp"
#include "sim/model/grid.hpp"

namespace wavesim {

struct Field2 : Configured {
  /// Values on every node of the grid (absorbing layers included; files are extended into the layers by their
  /// edge values). Throws InputError with `where` if the field cannot be had: missing file, wrong shape, NaN,
  /// does not cover the grid (both extents are named).
  virtual NodeField evaluate(const Grid& grid) const = 0;
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
NodeField evaluate(const std::vector<std::shared_ptr<Field2>>& terms, const Grid& grid);

}  // namespace wavesim
