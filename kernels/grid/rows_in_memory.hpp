#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels/grid/extent.hpp"

namespace wavesim {

/// Bytes of an allocation from `first` to `end` - 1.
struct ByteRange {
  std::size_t first, end;
};

/// What a rank has in memory of a field with its ghost rows, in values of `word` bytes: its own rows and ghost rows beside them,
/// and those beyond the ends of the grid. Ranges may overlap.
inline std::vector<ByteRange> rows_in_memory(const Extent& e, std::size_t word) {
  constexpr int beside = 2 * most_ghosts;  // passes fetch some rows more than they need
  const std::size_t row = std::size_t(e.pitch) * word;
  std::vector<ByteRange> ranges;
  const auto rows = [&](int from, int to) {
    from = std::max(from, -1), to = std::min(to, e.ny + 1);
    if (from < to) ranges.push_back({std::size_t(from + 1) * row, std::size_t(to + 1) * row});
  };
  rows(e.first_own - beside, e.end_own() + beside);
  rows(e.ny + e.first_own - beside, e.ny + 1);  // round a ring
  rows(-1, e.end_own() + beside - e.ny);
  rows(-1, 0), rows(e.ny, e.ny + 1);
  return ranges;
}

/// From whole granules on, those that touch joined, in order.
inline std::vector<ByteRange> whole_granules(std::vector<ByteRange> ranges, std::size_t granule) {
  for (ByteRange& r : ranges) r = {r.first / granule * granule, (r.end + granule - 1) / granule * granule};
  std::sort(ranges.begin(), ranges.end(), [](ByteRange a, ByteRange b) { return a.first < b.first; });
  std::vector<ByteRange> joined;
  for (const ByteRange& r : ranges)
    if (!joined.empty() && r.first <= joined.back().end)
      joined.back().end = std::max(joined.back().end, r.end);
    else
      joined.push_back(r);
  return joined;
}

}  // namespace wavesim
