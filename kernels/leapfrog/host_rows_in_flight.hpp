#pragma once
// The rows of a strip that a front of the leapfrog has at work on a CPU (host_front.hpp): in a ring of their own each.

#include <algorithm>
#include <array>

#include "kernels/memory/cache_lines.hpp"
#include "kernels/temporal/block_plan.hpp"

namespace wavesim::leapfrog {

/// `kinds` rings of `rows` rows.
template <class T, int kinds, int rows>
class RowsInFlight {
 public:
  explicit RowsInFlight(int columns)
      : line_((columns + room - 1) / room * room + 2 * room),
        memory_((std::size_t(kinds) * rows + 1) * std::size_t(line_)) {}
  void clear() { std::fill(memory_.begin(), memory_.end(), T(0)); }
  /// Its first column; there is a cache line more at either side.
  T* at(int kind, int row) {
    return memory_.data() + (std::size_t(kind) * rows + std::size_t(ring(row, rows))) * std::size_t(line_) +
           room;
  }
  /// Of n rows from `row` on.
  template <std::size_t n>
  void consecutive(int kind, int row, std::array<const T*, n>& rows_at) {
    static_assert(n <= rows);
    T *const first = at(kind, 0), *const end = first + std::ptrdiff_t(rows) * line_;
    const T* here = at(kind, row);
    for (const T*& line : rows_at) {
      line = here;
      here += line_;
      if (here == end) here = first;
    }
  }

  /// A row of zeros.
  const T* zeros() const { return memory_.data() + std::size_t(kinds) * rows * std::size_t(line_) + room; }

 private:
  static constexpr int room = int(cache_line / sizeof(T));
  int line_;
  CacheLines<T> memory_;
};

}  // namespace wavesim::leapfrog
