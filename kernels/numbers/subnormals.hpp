#pragma once
// Numbers too small to be normal: below 2.2e-308 in double precision, 1.2e-38 in single.

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace wavesim {

/// While an object exists, its thread takes such numbers for zero, if it is `on`. Each sweep spreads the front of a wave by
/// one point, with a smaller amplitude, so subnormal numbers always surround the wave. On many CPUs an
/// operation with one of them takes a hundred times as long.
class SubnormalsAreZero {
 public:
#ifdef __SSE2__
  explicit SubnormalsAreZero(bool on = true) : before_(_mm_getcsr()) {
    if (on) _mm_setcsr(before_ | flush_results | flush_operands);
  }
  ~SubnormalsAreZero() { _mm_setcsr(before_); }
#else
  explicit SubnormalsAreZero(bool = true) {}
  ~SubnormalsAreZero() {}
#endif
  SubnormalsAreZero(const SubnormalsAreZero&) = delete;
  SubnormalsAreZero& operator=(const SubnormalsAreZero&) = delete;

 private:
#ifdef __SSE2__
  static constexpr unsigned flush_results = 0x8000, flush_operands = 0x0040;
  unsigned before_;
#endif
};

}  // namespace wavesim
