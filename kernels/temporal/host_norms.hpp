#pragma once
// Norms of the lanes of a block (lane_norms.hpp) on a CPU.

#include "kernels/backend/host.hpp"
#include "kernels/memory/cache_lines.hpp"
#include "kernels/temporal/block_plan.hpp"
#include "kernels/temporal/lane_norms.hpp"

namespace wavesim {

/// LaneNorms of all lanes of a block, side by side, so that a core adds for several lanes at once.
class NormsOfLanes {
 public:
  NormsOfLanes() : squares_(temporal::lanes), largest_(temporal::lanes) {}
  /// Columns from..to - 1 of a row, which may be written to, the first of them in lane `first`; `from` is a multiple of a
  /// lane's V columns.
  template <int V, class T>
  void add(T* row, int from, int to, int first) {
    const int count = (to - from + V - 1) / V;
    for (int k = to; k < from + count * V; ++k) row[k] = 0;
    double *const squares = squares_.data() + first, *const largest = largest_.data() + first;
    SIMD for (int l = 0; l < count; ++l) {
      LaneNorms lane{squares[l], largest[l]};
      UNROLL for (int v = 0; v < V; ++v) lane.add(double(row[from + l * V + v]));
      squares[l] = lane.squares, largest[l] = lane.largest;
    }
  }
  /// Those of the block, joined as a GPU's block does; begins with the next one.
  Norms take() {
    Norms lane[temporal::lanes];
    for (int l = 0; l < temporal::lanes; ++l) {
      lane[l] = LaneNorms{squares_[l], largest_[l]}.norms();
      squares_[l] = largest_[l] = 0;
    }
    return host::block_sum<temporal::lanes>(lane);
  }

 private:
  CacheLines<double> squares_, largest_;
};

}  // namespace wavesim
