#pragma once
// Asking for cache lines before they are needed.

#include <cstddef>

#include "kernels/memory/cache_lines.hpp"

namespace wavesim {

/// One of `of` parts of a row, number 0 .. of - 1. A core waits for no more than some 12 to 16 lines at once, and stands still where
/// it asks for more: so that a row is asked for in parts, with other work between them.
struct PartOfRow {
  int number = 0, of = 1;
};

/// The lines of a part of n values, for reading. `first` null: nothing.
template <class T>
void prefetch(const T* first, int n, PartOfRow part) {
  if (!first) return;
  constexpr int line = int(cache_line / sizeof(T));
  const int lines = (n + line - 1) / line;
  for (int k = lines * part.number / part.of, end = lines * (part.number + 1) / part.of; k < end; ++k) {
    __builtin_prefetch(first + std::ptrdiff_t(k) * line);
    asm volatile(
        "");  // g++ leaves out calls of functions that do nothing but prefetch: they seem to have no effect
  }
}

}  // namespace wavesim
