#pragma once
// Set-up work on lists where the order in time of neighbouring elements matters.

#include "kernels/lists/each.hpp"

namespace wavesim {

/// each() with one element for a lane and fewer elements at a time: for work that reads or writes scattered
/// cache lines which the next elements use too, so that they find these lines in the caches.
template <class F>
struct LaneStrided {
  int n;
  F f;
  template <class G>
  HD void operator()(const G& g, int k) const {
    g.each([&](int lane) {
      if (const int i = k * G::lanes + lane; i < n) f(i);
    });
  }
};
template <class B, class F>
void lane_strided_each(B& be, const char* label, int n, double bytes, F f) {
  be.template groups<32>(label, (n + 31) / 32, bytes * n, LaneStrided<F>{n, f});
}

}  // namespace wavesim
