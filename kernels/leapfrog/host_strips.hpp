#pragma once
// How a pass of several explicit steps is cut up on a CPU: strips so narrow that the rows of all steps stay in a core's
// caches, and chunks of rows for threads.

#include <algorithm>

#include "kernels/grid/extent.hpp"
#include "kernels/memory/cache_lines.hpp"

namespace wavesim::leapfrog {

struct HostStrips {
  int inner, strips, chunks;
  Extent extent;

  /// Chunks have `least_rows` rows or more: rows beside them are computed twice.
  template <class T>
  static HostStrips of(const Extent& e, int threads, int least_rows) {
    constexpr int line = int(cache_line / sizeof(T));
    constexpr int most = 64 * line;  // columns of a strip
    const int strips = (e.nx + most - 1) / most;
    const int inner = ((e.nx + strips - 1) / strips + line - 1) / line * line;
    const int chunks = std::clamp((4 * threads + strips - 1) / strips, 1, std::max(1, e.ny / least_rows));
    return {inner, strips, chunks, e};
  }
  int first_row(int chunk) const { return int(long(extent.ny) * chunk / chunks); }
};

}  // namespace wavesim::leapfrog
