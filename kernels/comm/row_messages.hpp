#pragma once
// The messages that bring rows of other ranks.

#include <span>
#include <vector>

#include "kernels/comm/ranks.hpp"
#include "kernels/comm/shared_rows.hpp"

namespace wavesim {

struct RowMessages {
  std::vector<Ranks::Message> sends, receives;
};
/// Those of rank `rank` of `count`, for `depth` rows on either side of its own of each field. Throws std::logic_error where a
/// rank has fewer rows.
RowMessages ghost_messages(const Extent& e, int depth, std::span<const RowsInMemory> fields, int rank,
                           int count);

/// Those that bring each rank all rows; rows start[k] to start[k + 1] - 1 are those of rank k.
RowMessages messages_to_all(std::span<const int> start, std::span<const RowsInMemory> fields, int rank);

}  // namespace wavesim
