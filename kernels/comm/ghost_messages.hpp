#pragma once
// The messages that bring ghost rows.

#include <span>
#include <vector>

#include "kernels/comm/ranks.hpp"
#include "kernels/comm/shared_rows.hpp"

namespace wavesim {

struct GhostMessages {
  std::vector<Ranks::Message> sends, receives;
};
/// Those of rank `rank` of `count`, for `depth` rows on either side of its own of each field. Throws std::logic_error where a
/// rank has fewer rows.
GhostMessages ghost_messages(const Extent& e, int depth, std::span<const RowsInMemory> fields, int rank,
                             int count);

}  // namespace wavesim
