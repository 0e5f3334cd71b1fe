#pragma once
// How far colours go, so that one peak does not hide the rest.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace wavesim {

/// Takes the pixels of one picture, or of all that share a range.
class RangeFinder {
 public:
  void add(float value) {
    const float size = std::abs(value);
    if (!(size < HUGE_VALF)) return;
    largest_ = std::max(largest_, size);
    ++counts_[std::bit_cast<std::uint32_t>(size) >> shift];
  }
  void add(const RangeFinder& other);
  /// The |value| that the part `clip` of the pixels exceeds, of those above a thousandth of the largest; the largest
  /// itself where it is less than 1.3 times that.
  float range(double clip) const;

 private:
  // |value| by exponent and five bits of its fraction: steps of at most 1/32.
  static constexpr int fraction = 5, shift = 23 - fraction;
  std::vector<std::size_t> counts_ = std::vector<std::size_t>(std::size_t(1) << (8 + fraction));
  float largest_ = 0;
};

}  // namespace wavesim
