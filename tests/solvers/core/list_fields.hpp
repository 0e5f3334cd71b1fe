#pragma once
// Fields over the unknowns of a matrix that knows no grid: a list, without padding between its elements.

#include <algorithm>
#include <vector>

#include "kernels/backend/backend.hpp"

namespace wavesim::test {

/// The values, and zeros up to the end of the extent.
template <class T>
Field<Backend, T> to_list(Backend& be, Extent e, const std::vector<double>& v) {
  Field<Backend, T> f(be, e);
  std::vector<T> all(f.memory().size(), T(0));
  std::transform(v.begin(), v.end(), all.begin() + e.pitch, [](double x) { return T(x); });
  f.memory().upload(all);
  return f;
}

/// The first n of its values.
template <class T>
std::vector<double> from_list(const Field<Backend, T>& f, int n) {
  const std::vector<T> all = f.memory().download();
  return {all.begin() + f.extent().pitch, all.begin() + f.extent().pitch + n};
}

}  // namespace wavesim::test
