#pragma once
// Reciprocals of numbers of ordinary size.

#include <cmath>

#include "kernels/backend/hd.hpp"

namespace wavesim {

/// 1 / root, or 0 where root is not positive. On a GPU a division has a branch for very small and very large
/// numbers; this has none, so that loads can be moved across it. The last step rounds as a division does
/// (Markstein 1990).
template <class T>
HD T inverse_or_zero(T root) {
#ifdef __CUDA_ARCH__
  T y;
  if constexpr (sizeof(T) == 8)
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(root));
  else
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(root));
  T e = std::fma(-root, y, T(1));
  y = std::fma(std::fma(e, e, e), y, y);
  e = std::fma(-root, y, T(1));
  y = std::fma(e, y, y);
#else
  const T y = T(1) / root;
#endif
  return root > T(0) ? y : T(0);
}

}  // namespace wavesim
