#pragma once
// Orders of convergence, from errors of grids or steps that are each twice as fine as the last.

#include <cmath>
#include <string>
#include <vector>

#include "tests/sim/given.hpp"

namespace wavesim::test {

inline std::string text(const std::vector<double>& errors) {
  std::string s;
  for (const double e : errors) s += with("%.2e ", e);
  return s;
}
inline double last_order(const std::vector<double>& errors) {
  return std::log2(errors[errors.size() - 2] / errors.back());
}

}  // namespace wavesim::test
