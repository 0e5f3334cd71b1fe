#include "kernels/comm/shared_host_rows.hpp"

#include <stdexcept>

#include "kernels/comm/row_share.hpp"

namespace wavesim {

void SharedHostRows::gather(double* leaves, const Bands& bands, int doubles) {
  std::vector<std::size_t> start;
  for (int k = 0; k <= ranks_.count(); ++k)
    start.push_back(std::size_t(first_band(bands, k, ranks_.count())) * std::size_t(doubles) *
                    sizeof(double));
  ranks_.all_gather(leaves, start);
}

void SharedHostRows::fetch_ghosts(const Extent& e, int depth, std::span<const RowsInMemory> fields) {
  const int n = ranks_.count(), rank = ranks_.rank(), first = e.first_own, end = e.end_own();
  if (end - first < depth) throw std::logic_error("a rank has fewer rows than its neighbours ask it for");
  const bool below = rank > 0 || e.ring, above = rank < n - 1 || e.ring;
  const int lower = (rank + n - 1) % n, upper = (rank + 1) % n;
  std::vector<Ranks::Message> sends, receives;
  for (const RowsInMemory& f : fields) {
    const auto message = [&](int to, int row) {
      const int at = (row % e.ny + e.ny) % e.ny;  // of ghost rows beyond an end of a ring
      return Ranks::Message{to, static_cast<char*>(f.first) + std::ptrdiff_t(at) * std::ptrdiff_t(f.pitch),
                            std::size_t(depth) * f.pitch};
    };
    // In the order in which the neighbour receives: of two ranks in a ring each is above and below the other.
    if (above) sends.push_back(message(upper, end - depth));
    if (below) sends.push_back(message(lower, first));
    if (below) receives.push_back(message(lower, first - depth));
    if (above) receives.push_back(message(upper, end));
  }
  ranks_.exchange(sends, receives);
}

}  // namespace wavesim
