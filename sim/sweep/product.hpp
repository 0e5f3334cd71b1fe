#pragma once
// Combinations of what varies from run to run.

#include <cstddef>
#include <vector>

namespace wavesim {

/// Every choice of one item from each of several lists of these lengths, as indices; the last list varies fastest. None,
/// where a list is empty.
inline std::vector<std::vector<std::size_t>> product_of(const std::vector<std::size_t>& lengths) {
  std::vector<std::vector<std::size_t>> all{{}};
  for (const std::size_t length : lengths) {
    std::vector<std::vector<std::size_t>> longer;
    for (const std::vector<std::size_t>& one : all)
      for (std::size_t k = 0; k < length; ++k) {
        longer.push_back(one);
        longer.back().push_back(k);
      }
    all = std::move(longer);
  }
  return all;
}

}  // namespace wavesim
