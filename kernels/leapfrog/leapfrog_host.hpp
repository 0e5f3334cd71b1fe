#pragma once
// Passes of several leapfrog steps on a CPU.

#include "kernels/leapfrog/host_front.hpp"
#include "kernels/leapfrog/host_strips.hpp"

namespace wavesim {

template <int K, class Pass>
void Host::leapfrog(const char* label, const Pass& pass) {
  counts_.add(label, pass.bytes(), false);
  leapfrog::go_up_strips<leapfrog::HostFront<K, Pass>>(pass, pass.columns, pass.extent.points() > small,
                                                       16 * K, K > 1 && pass.bytes() > more_than_caches);
}

}  // namespace wavesim
