#pragma once
// Passes of steps of eighth order on a CPU.

#include "kernels/lax_wendroff/host_front.hpp"
#include "kernels/leapfrog/host_strips.hpp"

namespace wavesim {

template <int K, class Pass>
void Host::lax_wendroff(const char* label, const Pass& pass) {
  counts_.add(label, pass.bytes(), false);
  leapfrog::go_up_strips<lax_wendroff::HostFront<K, Pass>>(
      pass, {0, pass.extent.nx}, pass.extent.points() > small, 4 * lax_wendroff_reach * K,
      pass.bytes() > more_than_caches);
}

}  // namespace wavesim
