#pragma once
// Memory of one thread that begins on a cache line: a vector register loaded or stored across two lines costs
// two accesses, and in a misaligned array every access is such.

#include <cstddef>
#include <new>
#include <vector>

namespace wavesim {

inline constexpr std::size_t cache_line = 64;  // bytes

template <class T>
struct OnCacheLines {
  using value_type = T;
  OnCacheLines() = default;
  template <class U>
  OnCacheLines(const OnCacheLines<U>&) {}
  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(cache_line)));
  }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(cache_line)); }
  bool operator==(const OnCacheLines&) const { return true; }
};

template <class T>
using CacheLines = std::vector<T, OnCacheLines<T>>;

}  // namespace wavesim
