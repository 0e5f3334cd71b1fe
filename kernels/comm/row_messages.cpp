#include "kernels/comm/row_messages.hpp"

#include <cstddef>
#include <stdexcept>

namespace wavesim {

RowMessages ghost_messages(const Extent& e, int depth, std::span<const RowsInMemory> fields, int rank,
                           int count) {
  const int first = e.first_own, end = e.end_own();
  if (end - first < depth) throw std::logic_error("a rank has fewer rows than its neighbours ask it for");
  const bool below = rank > 0 || e.ring, above = rank < count - 1 || e.ring;
  const int lower = (rank + count - 1) % count, upper = (rank + 1) % count;
  RowMessages all;
  for (const RowsInMemory& f : fields) {
    const auto message = [&](int with, int row) {
      const int at = (row % e.ny + e.ny) % e.ny;  // of ghost rows beyond an end of a ring
      return Ranks::Message{with, static_cast<char*>(f.first) + std::ptrdiff_t(at) * std::ptrdiff_t(f.pitch),
                            std::size_t(depth) * f.pitch};
    };
    // In the order in which the neighbour receives: of two ranks in a ring each is above and below the other.
    if (above) all.sends.push_back(message(upper, end - depth));
    if (below) all.sends.push_back(message(lower, first));
    if (below) all.receives.push_back(message(lower, first - depth));
    if (above) all.receives.push_back(message(upper, end));
  }
  return all;
}

RowMessages messages_to_all(std::span<const int> start, std::span<const RowsInMemory> fields, int rank) {
  RowMessages all;
  for (const RowsInMemory& f : fields) {
    const auto message = [&](int with, int of) {
      const int first = start[std::size_t(of)], end = start[std::size_t(of) + 1];
      return Ranks::Message{with,
                            static_cast<char*>(f.first) + std::ptrdiff_t(first) * std::ptrdiff_t(f.pitch),
                            std::size_t(end - first) * f.pitch};
    };
    for (int k = 0; k + 1 < int(start.size()); ++k)
      if (k != rank) all.sends.push_back(message(k, rank)), all.receives.push_back(message(k, k));
  }
  return all;
}

}  // namespace wavesim
