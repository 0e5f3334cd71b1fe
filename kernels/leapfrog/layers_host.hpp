#pragma once
// Steps in perfectly matched layers on a CPU: a tile stays in a core's caches.

#include "kernels/backend/host.hpp"
#include "kernels/leapfrog/layers.hpp"
#include "kernels/memory/cache_lines.hpp"
#include "kernels/numbers/peaks.hpp"
#include "kernels/numbers/subnormals.hpp"

namespace wavesim {
namespace leapfrog {

struct OneThread {
  static constexpr bool one_column = false;
  static constexpr int stride = most_points_of_box(false);
  template <class F>
  void each(const GridPart& part, const F& f) const {
    for (int row = part.row; row < part.row_to; ++row) f(row, part.col, part.col_to);
  }
  template <class F>
  void loop(int from, int to, const F& f) const {
    SIMD for (int k = from; k < to; ++k) f(k);
  }
  template <class F>
  void each_number(int from, int to, const F& f) const {
    for (int k = from; k < to; ++k) f(k);
  }
  void wait() const {}
};

}  // namespace leapfrog

template <class Layers>
void Host::leapfrog_in_layers(const char* label, const Layers& layers) {
  counts_.add(label, layers.bytes(), false);
  const int tiles = layers.frame.tiles();
#pragma omp parallel if (tiles > 1 && long(tiles) * layers.stride > small)
  {
    const SubnormalsAreZero guard;
    CacheLines<typename Layers::T> memory(std::size_t(values_of_layers) * leapfrog::OneThread::stride);
#pragma omp for schedule(dynamic)
    for (int n = 0; n < tiles; ++n) LayersTile(layers, n, memory.data(), leapfrog::OneThread()).go();
  }
}

}  // namespace wavesim
