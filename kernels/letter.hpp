#pragma once
// A number for another block of the same kernel, with the turn it is meant for: who waits for it looks at one
// place in memory and needs no fence, no counter and no second look. Both are written and read as one piece
// of 16 bytes (PTX ISA, ld and st of .b128).

#include "kernels/hd.hpp"

namespace wavesim {

/// Names a turn: no two turns of a place's life have the same.
using Stamp = unsigned long long;

struct alignas(16) Letter {
  double value = 0;
  Stamp stamp = 0;
};

HD inline void post(Letter* to, double value, Stamp stamp) {
#ifdef __CUDA_ARCH__
  asm volatile(
      "{ .reg .b128 whole; mov.b128 whole, {%1, %2}; st.relaxed.gpu.global.b128 [%0], whole; }" ::"l"(to),
      "l"(__double_as_longlong(value)), "l"(stamp)
      : "memory");
#else
  *to = {value, stamp};
#endif
}

/// What lies there now.
HD inline Letter look(const Letter* at) {
#ifdef __CUDA_ARCH__
  long long value;
  Letter l;
  asm volatile("{ .reg .b128 whole; ld.relaxed.gpu.global.b128 whole, [%2]; mov.b128 {%0, %1}, whole; }"
               : "=l"(value), "=l"(l.stamp)
               : "l"(at)
               : "memory");
  l.value = __longlong_as_double(value);
  return l;
#else
  return *at;
#endif
}

/// The value of that turn: from `seen`, an earlier look, if it was there.
HD inline double wait_for(Letter seen, const Letter* at, Stamp stamp) {
  while (seen.stamp != stamp) seen = look(at);
  return seen.value;
}
HD inline double wait_for(const Letter* at, Stamp stamp) { return wait_for(look(at), at, stamp); }

}  // namespace wavesim
