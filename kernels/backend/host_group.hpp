#pragma once
// A group of W lanes that work together on a small problem, and its collective operations. On a GPU the lanes
// are the threads of a warp or of a part of one, and the value of a lane is in its registers; on a CPU they are
// the iterations of a vectorised loop, and their values are an array. An algorithm is a functor that takes the
// group as a template parameter, so that it is written once:
//
//   Lanes<V>              a value of each lane; x[i] is lane i's, touched inside `each` only
//   each(f)               f(lane) on every lane; lanes must not depend on one another within one call
//   each(n, f)            the same on lanes below n
//   each(from, to, f)     on lanes from <= lane < to
//   broadcast(x, lane)    the value of one lane, which is the same for all
//   next(x), before(x)    on each lane the value of the lane after it, or before it; its own at the end
//   largest(x), sum(x)    over the lanes; sums go as a tree, in the same order on both backends
//   argmax(x)             the lane of the largest value, the first of equals
//   sync()                what lanes wrote to memory is seen by the others from here on
//
// The methods but each() are called by all lanes of a group together. A loop over registers says
// UNROLL_REGISTERS: a GPU has no registers with computed numbers.

#include "kernels/backend/hd.hpp"

namespace wavesim {

template <class G, class V>
using LanesOf = typename G::template Lanes<V>;

template <int W>
struct HostGroup {
  static constexpr int lanes = W;

  template <class V>
  struct Lanes {
    V v[W] = {};
    V& operator[](int lane) { return v[lane]; }
    const V& operator[](int lane) const { return v[lane]; }
  };

  template <class F>
  void each(const F& f) const {
    SIMD for (int lane = 0; lane < W; ++lane) f(lane);
  }
  template <class F>
  void each(int n, const F& f) const {
    SIMD for (int lane = 0; lane < n; ++lane) f(lane);
  }
  template <class F>
  void each(int from, int to, const F& f) const {
    SIMD for (int lane = from; lane < to; ++lane) f(lane);
  }
  template <class V>
  V broadcast(const Lanes<V>& x, int lane) const {
    return x[lane];
  }
  template <class V>
  Lanes<V> next(const Lanes<V>& x) const {
    Lanes<V> y;
    SIMD for (int lane = 0; lane < W - 1; ++lane) y.v[lane] = x.v[lane + 1];
    y.v[W - 1] = x.v[W - 1];
    return y;
  }
  template <class V>
  Lanes<V> before(const Lanes<V>& x) const {
    Lanes<V> y;
    y.v[0] = x.v[0];
    SIMD for (int lane = 1; lane < W; ++lane) y.v[lane] = x.v[lane - 1];
    return y;
  }
  template <class V>
  V largest(const Lanes<V>& x) const {
    return x[argmax(x)];
  }
  template <class V>
  V sum(Lanes<V> x) const {
    for (int offset = W / 2; offset > 0; offset /= 2)
      for (int lane = 0; lane < offset; ++lane) x[lane] += x[lane + offset];
    return x[0];
  }
  template <class V>
  int argmax(const Lanes<V>& x) const {
    int at = 0;
    for (int lane = 1; lane < W; ++lane)
      if (x[lane] > x[at]) at = lane;
    return at;
  }
  void sync() const {}
};

}  // namespace wavesim
