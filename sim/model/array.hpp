#pragma once
// Arrays over the grid that are written before they are read: allocation does not touch their memory (first
// touch), so that pages go to the threads which fill them, and no time is spent on zeros.

#include <sys/mman.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace wavesim {

/// An allocator that leaves new elements uninitialised where no value is given, and asks for huge pages for
/// large arrays: with pages of 4 KiB the threads that fill an array would wait for the system most of the time.
template <class T>
struct Untouched : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = Untouched<U>;
  };
  Untouched() = default;
  template <class U>
  Untouched(const Untouched<U>&) {}
  T* allocate(std::size_t n) {
    if (n > std::size_t(-1) / (2 * sizeof(T))) throw std::bad_array_new_length();
    const bool large = n * sizeof(T) >= 2 * page;
    const std::size_t align = large ? page : 64, bytes = (n * sizeof(T) / align + 1) * align;
    void* const p = std::aligned_alloc(align, bytes);
    if (!p) throw std::bad_alloc();
    if (large) madvise(p, bytes, MADV_HUGEPAGE);  // a hint; nothing depends on it
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) { std::free(p); }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    if constexpr (sizeof...(Args) == 0)
      ::new (static_cast<void*>(p)) U;
    else
      ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
  }

 private:
  static constexpr std::size_t page = std::size_t(2) << 20;
};

template <class T>
using Array = std::vector<T, Untouched<T>>;

/// n zeros, by all threads.
template <class T>
Array<T> zeros(std::size_t n) {
  Array<T> a(n);
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) a[i] = 0;
  return a;
}

}  // namespace wavesim
