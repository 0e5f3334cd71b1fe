#pragma once
// Declared access: a kernel is a lambda on values, and each operand says whether the kernel reads it, writes it
// or both. The backend loads the values, calls the lambda and stores the results, so it knows the bytes (after
// QUDA's functors and CUB's DeviceTransform).

#include <type_traits>

#include "kernels/grid/extent.hpp"

namespace wavesim {

template <class T>
struct In {
  using value = T;
  static constexpr bool reads = true, writes = false;
  const T* p;
};
template <class T>
struct Out {
  using value = T;
  static constexpr bool reads = false, writes = true;
  T* p;
};
template <class T>
struct InOut {
  using value = T;
  static constexpr bool reads = true, writes = true;
  T* p;
};

/// A value that another thread of the same kernel may have written, after a wait for it: a load from the cache
/// that all threads share.
template <class T>
HD T fresh(const T* p) {
#ifdef __CUDA_ARCH__
  return __ldcg(p);
#else
  return *p;
#endif
}

/// A value that other threads of the same kernel may change without synchronisation (asynchronous iterations):
/// an atomic load, before or after the change.
template <class T>
HD T racing_load(const T* p) {
#ifdef __CUDA_ARCH__
  return *static_cast<const volatile T*>(p);
#else
  T v;
  __atomic_load(p, &v, __ATOMIC_RELAXED);
  return v;
#endif
}
template <class T>
HD void racing_store(T* p, T v) {
#ifdef __CUDA_ARCH__
  *static_cast<volatile T*>(p) = v;
#else
  __atomic_store(p, &v, __ATOMIC_RELAXED);
#endif
}

/// Which elements `in_order` waits for: element i for those among neighbour[start[i]] ..
/// neighbour[start[i + 1] - 1] that come before it.
struct Dependencies {
  const int *start, *neighbour;
};

/// How many neighbouring elements one call of the functor of `strips` handles.
template <int W>
using Width = std::integral_constant<int, W>;

/// Whether a row kernel reads arrays of a matrix, or constants only. With arrays it waits for memory and needs
/// more loads in flight in each thread; with constants it needs more threads.
enum class Matrix { computed, read };

/// V neighbouring values of each operand A..., loaded and stored as one piece.
template <int V, class... A>
struct Locals {
  HD void load(int) {}
  HD void store(int) const {}
  HD void stream(int) const {}
};
template <int V, class A, class... Rest>
struct Locals<V, A, Rest...> {
  using T = typename A::value;
  struct alignas(sizeof(T) * V <= 16 ? sizeof(T) * V : 16) Pack {
    T v[V];
  };
  Pack pack;
  Locals<V, Rest...> rest;
  HD void load(int i, const A& a, const Rest&... more) {
    if constexpr (A::reads) pack = *reinterpret_cast<const Pack*>(a.p + i);
    rest.load(i, more...);
  }
  HD void store(int i, const A& a, const Rest&... more) const {
    if constexpr (A::writes) *reinterpret_cast<Pack*>(a.p + i) = pack;
    rest.store(i, more...);
  }
  /// The same by non-temporal stores where the machine has them: for values that are not read again soon.
  HD void stream(int i, const A& a, const Rest&... more) const {
#ifdef __CUDA_ARCH__
    static_assert(sizeof(Pack) % 4 == 0 && sizeof(Pack) <= 16);
    using Whole =
        std::conditional_t<sizeof(Pack) == 16, uint4, std::conditional_t<sizeof(Pack) == 8, uint2, unsigned>>;
    __stcs(reinterpret_cast<Whole*>(a.p + i), *reinterpret_cast<const Whole*>(&pack));
    rest.stream(i, more...);
#else
    store(i, a, more...);
#endif
  }
};

/// f(leading..., values...), with the k-th value of each operand.
template <class F, int V, class... Refs>
HD auto call(const F& f, Locals<V>&, int, Refs&... refs) {
  return f(refs...);
}
template <class F, int V, class A, class... Rest, class... Refs>
HD auto call(const F& f, Locals<V, A, Rest...>& locals, int k, Refs&... refs) {
  return call(f, locals.rest, k, refs..., locals.pack.v[k]);
}

/// Bytes moved for each point.
template <class... A>
constexpr double bytes_per_point() {
  return (0.0 + ... + double(sizeof(typename A::value) * (int(A::reads) + int(A::writes))));
}

}  // namespace wavesim
