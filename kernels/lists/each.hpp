#pragma once
// Set-up work on lists in a backend's memory: a function on each of n elements, and atomic operations on words
// that elements share.

#include "kernels/backend/access.hpp"
#include "kernels/grid/extent.hpp"
#include "kernels/memory/field.hpp"

namespace wavesim {

template <class F>
struct UpTo {
  int n;
  F f;
  HD void operator()(Row r) const {
    if (r.i < n) f(r.i);
  }
};
/// f(i) for i = 0 .. n - 1. `bytes` for each element.
template <class B, class F>
void each(B& be, const char* label, int n, double bytes, F f) {
  if (n > 0) be.rows(label, vector_extent(n), bytes, UpTo<F>{n, f});
}

/// *p <- the lesser, the greater, or the sum of *p and v, atomically; the results do not depend on the order of
/// the threads. add_to returns the old value.
HD inline void lower_to(int* p, int v) {
#ifdef __CUDA_ARCH__
  atomicMin(p, v);
#else
  for (int was = __atomic_load_n(p, __ATOMIC_RELAXED);
       v < was && !__atomic_compare_exchange_n(p, &was, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);) {
  }
#endif
}
HD inline void raise_to(int* p, int v) {
#ifdef __CUDA_ARCH__
  if (*static_cast<volatile int*>(p) < v) atomicMax(p, v);
#else
  for (int was = __atomic_load_n(p, __ATOMIC_RELAXED);
       v > was && !__atomic_compare_exchange_n(p, &was, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);) {
  }
#endif
}
HD inline void add_to(int* p, int v) {
#ifdef __CUDA_ARCH__
  atomicAdd(p, v);
#else
  __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
#endif
}

}  // namespace wavesim
