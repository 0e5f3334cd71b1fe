#pragma once
// Passes of steps of eighth order on a CPU.

#include "kernels/backend/host.hpp"
#include "kernels/lax_wendroff/host_front.hpp"
#include "kernels/leapfrog/host_strips.hpp"
#include "kernels/numbers/subnormals.hpp"

namespace wavesim {

template <int K, class Pass>
void Host::lax_wendroff(const char* label, const Pass& pass) {
  counts_.add(label, pass.bytes(), false);
  const bool shared = pass.extent.points() > small;
  const auto cut = leapfrog::HostStrips::of<typename Pass::value>(
      pass.extent, shared ? omp_get_max_threads() : 1, 4 * lax_wendroff_reach * K);
#pragma omp parallel if (shared)
  {
    const SubnormalsAreZero guard;
    lax_wendroff::HostFront<K, Pass> front(pass, cut.inner, pass.bytes() > more_than_caches);
#pragma omp for schedule(dynamic) collapse(2)
    for (int chunk = 0; chunk < cut.chunks; ++chunk)
      for (int strip = 0; strip < cut.strips; ++strip)
        front.go_up(strip, cut.first_row(chunk), cut.first_row(chunk + 1));
    stream_fence();
  }
}

}  // namespace wavesim
