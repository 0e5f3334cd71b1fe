#pragma once
// wavesim sweep: keys of a config that take several values each.

#include <string>
#include <vector>

#include "sim/config/tree.hpp"

namespace wavesim {

/// A key and its values.
struct SweepAxis {
  Where where;
  std::vector<Tree> values;
};

/// Reads "medium.damping=[0, 10, 40]" for each key. Throws InputError, also where a value or a key stands twice.
std::vector<SweepAxis> parse_axes(const std::vector<std::string>& over);

/// One combination of values.
struct SweepPoint {
  std::string name;  // as a folder may have it: "damping=10,cells=100x100"
  std::vector<Assignment> set;
};

/// All combinations, the last axis fastest. A name depends on the values of its own point alone, so that a sweep that grows
/// finds its folders again.
std::vector<SweepPoint> points_of(const std::vector<SweepAxis>& axes);

}  // namespace wavesim
