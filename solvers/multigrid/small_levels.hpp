#pragma once
// The coarse grids that are too small for a launch each: the stages of one launch do their part of the V-cycle.

#include "solvers/multigrid/wavefront_cycle.hpp"

namespace wavesim {

template <int S, class T>
struct SmallLevels {
  static constexpr int most = 8;
  struct Level {
    Cells cells;
    Strips down, up;
    bool uniform = true;
    UniformCouplings<T> constant;
    VariableCouplings<T, T> varying;
    T* b = nullptr;
    T* x = nullptr;
  };
  Level level[most];
  int levels = 0;

  /// Down to the coarsest, and up again.
  HD int stages() const { return 2 * levels - 1; }
  HD bool descends(int stage) const { return stage < levels - 1; }
  HD int level_of(int stage) const { return descends(stage) ? stage : 2 * (levels - 1) - stage; }
  HD int groups(int stage) const {
    const Level& l = level[level_of(stage)];
    return descends(stage) ? l.down.count : l.up.count;
  }
  template <class G>
  HD void operator()(const G& g, int stage, int n) const {
    const Level& l = level[level_of(stage)];
    if (l.uniform)
      pass(g, l.constant, stage, n);
    else
      pass(g, l.varying, stage, n);
  }
  template <class G, class Media>
  HD void pass(const G& g, const Media& media, int stage, int n) const {
    const int k = level_of(stage);
    const Level& l = level[k];
    if (descends(stage))
      Descend<S, T, T, Media>{l.cells, media, l.b, level[k + 1].b, l.down}(g, n);
    else
      Ascend<S, T, T, Media>{l.cells, media, l.b, k + 1 < levels ? level[k + 1].x : nullptr, l.x, {}, l.up}(
          g, n);
  }
};

}  // namespace wavesim
