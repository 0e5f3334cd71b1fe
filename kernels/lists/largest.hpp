#pragma once
// The largest number of a list in a backend's memory.

#include "kernels/lists/each.hpp"
#include "kernels/reduce/reduce.hpp"

namespace wavesim {

struct Largest {
  double v = -1;
  HD void join(const Largest& o) { v = o.v > v ? o.v : v; }
};
template <class F>
struct LargestUpTo {
  int n;
  F f;
  HD Largest operator()(Row r) const {
    Largest own;
    if (r.i < n) own.v = f(r.i);
    return own;
  }
};
/// The largest f(i), an int, for i = 0 .. n - 1; -1 if all are less or there is none. `bytes` for each
/// element.
template <class B, class F>
int largest_of(B& be, const char* label, int n, double bytes, F f) {
  if (n == 0) return -1;
  const Buffer<B, Largest> largest(be, 1);
  be.rows_sum(label, vector_extent(n), bytes, largest.data(), LargestUpTo<F>{n, f}, NoEpilogue{});
  return int(read(be, largest, 0).v);
}

}  // namespace wavesim
