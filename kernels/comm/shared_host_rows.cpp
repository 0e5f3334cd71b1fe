#include "kernels/comm/shared_host_rows.hpp"

#include "kernels/comm/row_messages.hpp"
#include "kernels/comm/row_share.hpp"

namespace wavesim {

void SharedHostRows::gather(double* leaves, const Bands& bands, int doubles) {
  ranks_.all_gather(leaves, bytes_of_leaves(bands, doubles, ranks_.count()));
}

void SharedHostRows::fetch_ghosts(const Extent& e, int depth, std::span<const RowsInMemory> fields) {
  const RowMessages all = ghost_messages(e, depth, fields, ranks_.rank(), ranks_.count());
  ranks_.exchange(all.sends, all.receives);
}

void SharedHostRows::fetch_all(std::span<const int> start, std::span<const RowsInMemory> fields) {
  const RowMessages all = messages_to_all(start, fields, ranks_.rank());
  ranks_.exchange(all.sends, all.receives);
}

}  // namespace wavesim
