#pragma once
// Scaling by powers of two, which changes no bit of a number but its exponent.

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/memory/field.hpp"

namespace wavesim {

/// The largest power of two that is not above the largest magnitude, as its exponent; 0 without any.
inline int exponent_of(const std::vector<double>& v) {
  double largest = 0;
  for (double x : v) largest = std::max(largest, std::abs(x));
  return largest > 0 ? std::ilogb(largest) : 0;
}
inline std::vector<double> scaled(std::vector<double> v, int exponent) {
  for (double& x : v) x = std::ldexp(x, exponent);
  return v;
}

/// A list of values as a field of that extent, from its point (0, 0) on.
template <class B, class T>
Field<B, T> field_of_list(B& be, Extent e, const std::vector<double>& v) {
  Field<B, T> f(be, e);
  std::vector<T> all(f.memory().size(), T(0));
  for (std::size_t i = 0; i < v.size(); ++i) all[std::size_t(e.pitch) + i] = T(v[i]);
  f.memory().upload(all);
  return f;
}

}  // namespace wavesim
