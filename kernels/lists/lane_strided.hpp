#pragma once
// Set-up work on lists where neighbours in time matter.

#include "kernels/lists/each.hpp"

namespace wavesim {

/// each() with a lane for an element and fewer of them at a time: for what reads or writes places far apart
/// of lines of memory that elements soon after share, so that these find them in the caches.
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
