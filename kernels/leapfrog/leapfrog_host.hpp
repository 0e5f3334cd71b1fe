#pragma once
// Passes of several leapfrog steps on a CPU: a strip is so narrow that the rows of all steps stay in a core's caches.

#include "kernels/backend/host.hpp"
#include "kernels/leapfrog/host_front.hpp"
#include "kernels/numbers/subnormals.hpp"

namespace wavesim {

template <int K, class Pass>
void Host::leapfrog(const char* label, const Pass& pass) {
  counts_.add(label, pass.bytes(), false);
  const Extent& e = pass.extent;
  constexpr int line = int(cache_line / sizeof(typename Pass::value));
  constexpr int most = 64 * line;  // columns of a strip
  const int strips = (e.nx + most - 1) / most,
            inner = ((e.nx + strips - 1) / strips + line - 1) / line * line;
  const bool shared = e.points() > small;
  const int threads = shared ? omp_get_max_threads() : 1;
  const int chunks = std::clamp((4 * threads + strips - 1) / strips, 1, std::max(1, e.ny / (16 * K)));
#pragma omp parallel if (shared)
  {
    const SubnormalsAreZero guard;
    leapfrog::HostFront<K, Pass> front(pass, inner, K > 1 && pass.bytes() > more_than_caches);
#pragma omp for schedule(dynamic) collapse(2)
    for (int chunk = 0; chunk < chunks; ++chunk)
      for (int strip = 0; strip < strips; ++strip)
        front.go_up(strip, int(long(e.ny) * chunk / chunks), int(long(e.ny) * (chunk + 1) / chunks));
    stream_fence();
  }
}

}  // namespace wavesim
