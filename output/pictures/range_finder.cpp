#include "output/pictures/range_finder.hpp"

namespace wavesim {

void RangeFinder::add(const RangeFinder& other) {
  largest_ = std::max(largest_, other.largest_);
  for (std::size_t c = 0; c < counts_.size(); ++c) counts_[c] += other.counts_[c];
}

float RangeFinder::range(double clip) const {
  if (!(clip > 0) || !(largest_ > 0)) return largest_;
  // What nobody sees does not count, else a small pulse on a large map were all beyond.
  const std::size_t seen = std::bit_cast<std::uint32_t>(largest_ / 1000) >> shift;
  std::size_t visible = 0;
  for (std::size_t c = seen; c < counts_.size(); ++c) visible += counts_[c];
  const auto most = std::size_t(clip * double(visible));
  std::size_t beyond = 0, c = counts_.size();
  while (c > seen && beyond + counts_[c - 1] <= most) beyond += counts_[--c];
  const float cut = std::bit_cast<float>(std::uint32_t(c << shift));  // the upper end of the last that counts
  // Little is gained where the peak is low.
  return largest_ > 1.3f * cut ? cut : largest_;
}

}  // namespace wavesim
