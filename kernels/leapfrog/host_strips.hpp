#pragma once
// How passes of several explicit steps go over a grid on a CPU: strips so narrow that the rows of all steps stay in a
// core's caches, and chunks of rows for threads.

#include <algorithm>

#include "kernels/backend/host.hpp"
#include "kernels/memory/cache_lines.hpp"
#include "kernels/memory/stream_store.hpp"
#include "kernels/numbers/subnormals.hpp"

namespace wavesim::leapfrog {

/// A Front, made from the pass, the columns of a strip and `past_caches`, goes up every chunk of every strip. Chunks have
/// `least_rows` rows or more: rows beside them are computed twice. `shared`: by several threads.
template <class Front, class Pass>
void go_up_strips(const Pass& pass, ColumnRange columns, bool shared, int least_rows, bool past_caches) {
  constexpr int line = int(cache_line / sizeof(typename Pass::value));
  constexpr int most = 64 * line;  // columns of a strip
  const int nx = columns.to - columns.from, first = pass.extent.first_own, ny = pass.extent.end_own() - first;
  const int strips = (nx + most - 1) / most, inner = ((nx + strips - 1) / strips + line - 1) / line * line;
  const int threads = shared ? omp_get_max_threads() : 1;
  const int chunks = std::clamp((4 * threads + strips - 1) / strips, 1, std::max(1, ny / least_rows));
#pragma omp parallel if (shared)
  {
    const SubnormalsAreZero guard;
    Front front(pass, inner, past_caches);
#pragma omp for schedule(dynamic) collapse(2)
    for (int chunk = 0; chunk < chunks; ++chunk)
      for (int strip = 0; strip < strips; ++strip)
        front.go_up(strip, first + int(long(ny) * chunk / chunks),
                    first + int(long(ny) * (chunk + 1) / chunks));
    stream_fence();
  }
}

}  // namespace wavesim::leapfrog
