#pragma once
// Which rows of a field are whose: whole bands (kernels/grid/bands.hpp), so that a rank has all parts of the leaves of its
// sums.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels/grid/bands.hpp"

namespace wavesim {

/// The first band of rank k of `ranks`; of rank `ranks` the end.
inline int first_band(const Bands& bands, int k, int ranks) { return int(long(bands.count) * k / ranks); }

/// The rank k whose band it is: first_band(k) <= band < first_band(k + 1).
HD inline int rank_of_band(int band, int bands, int ranks) { return ((band + 1) * ranks - 1) / bands; }

/// The same field as rank k of `ranks` sees it. There are no more ranks than bands.
inline Extent share_of(Extent e, int k, int ranks) {
  const Bands bands = bands_of(e);
  e.shared = true;
  e.first_own = bands.first_row(first_band(bands, k, ranks));
  e.own_end = bands.first_row(first_band(bands, k + 1, ranks));
  if (!e.ring) e.base = std::max(0, e.first_own - 2 * most_ghosts);  // as far as rows may be asked for
  return e;
}

/// The first row of each rank, and the end.
inline std::vector<int> first_rows_of_ranks(const Extent& e, int ranks) {
  std::vector<int> start;
  for (int k = 0; k <= ranks; ++k) start.push_back(share_of(e, k, ranks).first_own);
  return start;
}

struct RowCounts {
  int fewest, most;
};
/// Of the rows that ranks have, the fewest and the most.
inline RowCounts rows_of_ranks(const Extent& e, int ranks) {
  RowCounts rows{e.ny, 0};
  for (int k = 0; k < ranks; ++k) {
    const Extent own = share_of(e, k, ranks);
    rows.fewest = std::min(rows.fewest, own.end_own() - own.first_own);
    rows.most = std::max(rows.most, own.end_own() - own.first_own);
  }
  return rows;
}

/// Where the leaves of rank k begin among those of all ranks, bytes; `doubles` of each band. Of rank `ranks` the end.
inline std::vector<std::size_t> bytes_of_leaves(const Bands& bands, int doubles, int ranks) {
  std::vector<std::size_t> start;
  for (int k = 0; k <= ranks; ++k)
    start.push_back(std::size_t(first_band(bands, k, ranks)) * std::size_t(doubles) * sizeof(double));
  return start;
}

}  // namespace wavesim
