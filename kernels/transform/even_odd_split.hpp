#pragma once
// Before and after the Fourier transforms of trigonometric.hpp: two rows of reals are one row of complex values
// (row_pairs.hpp). It is split repeatedly into its even and its odd part about the middle (Swarztrauber 1977).
// One part of each split consists of quarter waves; they are multiplied by phase factors, so that a transform
// of their own length gives their coefficients (Makhoul 1980).

#include "kernels/transform/row_pairs.hpp"

namespace wavesim {

/// Waves that are symmetric about the middle of an axis or antisymmetric. `odd`: sines, which vanish at point
/// 0 and, unless they are quarter waves, at the last point; else cosines. `quarter`: there is no split.
struct SplitShape {
  bool odd = true, quarter = false;
  int m = 1;            // points of the axis after all splits: 0 .. m
  int first_col = -1;   // of the field: where point 0 lies
  int start[4] = {};    // of the places of each split's quarter waves, and of the rest
  int twiddle[4] = {};  // and of their phase factors
};

/// L splits. A thread has the points c m + i and c m + m - i, which are mirror images of one another.
template <class T, int L>
struct EvenOddSplit {
  using Pair = RowPair<T>;
  static constexpr int H = 1 << L;
  PairModes<T> modes;
  SplitShape shape;
  const Pair* turns;
};

/// Values at points to what the Fourier transforms take. `From` gives a pair at (p, col), and zero outside of
/// the rows.
template <class T, int L, class From>
struct SplitPoints : EvenOddSplit<T, L> {
  using Base = EvenOddSplit<T, L>;
  using Base::H, Base::shape, Base::modes, Base::turns;
  using typename Base::Pair;
  From from;
  SplitPoints(const Base& split, const From& values) : Base(split), from(values) {}

  template <class Width>
  HD void operator()(Width, int first, int piece) const {
    for (int w = 0; w < Width::value; ++w)
      if (2 * (first + w) <= shape.m) split(first + w, modes.first + piece);
  }
  HD void split(int i, int p) const {
    const int m = shape.m;
    Pair up[H], down[H];
    UNROLL for (int c = 0; c < H; ++c) {
      up[c] = from(p, shape.first_col + c * m + i);
      down[c] = from(p, shape.first_col + (c + 1) * m - i);
    }
    Pair* const z = modes.of(p);
    if constexpr (L == 0)
      if (shape.quarter) return quarter_waves<1>(i, 0, up, down, z);
    level<L>(i, up, down, z);
  }

  /// Splits 2 h m points into the even and the odd part, of h m points each.
  template <int left>
  HD void level(int i, const Pair (&up)[1 << left], const Pair (&down)[1 << left], Pair* z) const {
    if constexpr (left == 0) {
      remain(i, up[0], down[0], z);
    } else {
      constexpr int h = 1 << (left - 1);
      Pair sum_up[h], sum_down[h], odd_up[h], odd_down[h];
      UNROLL for (int c = 0; c < h; ++c) {
        sum_up[c] = up[c] + down[2 * h - 1 - c];
        odd_up[c] = up[c] - down[2 * h - 1 - c];
        sum_down[c] = down[c] + up[2 * h - 1 - c];
        odd_down[c] = down[c] - up[2 * h - 1 - c];
      }
      if (i == 0) sum_down[h - 1] = sum_down[h - 1] * T(0.5);  // the middle, which is its own mirror image
      if (shape.odd) {
        quarter_waves<h>(i, L - left, sum_up, sum_down, z);
        level<left - 1>(i, odd_up, odd_down, z);
      } else {
        quarter_waves<h>(i, L - left, odd_up, odd_down, z);
        level<left - 1>(i, sum_up, sum_down, z);
      }
    }
  }

  /// Sums x_k cos(pi k q / (2 M)) for q = 1, 5, 9, ... are the transform of
  ///   turn_k (x_k + i x_(M - k)) / 2, and x_0 for k = 0,
  /// over M = h m points; sines have theirs from the other end.
  template <int h>
  HD void quarter_waves(int i, int split, const Pair* up, const Pair* down, Pair* z) const {
    const int M = h * shape.m;
    const Pair* const turn = turns + shape.twiddle[split];
    z += shape.start[split];
    UNROLL for (int c = 0; c < h; ++c) {
      const int k = c * shape.m + i;
      const Pair x = shape.odd ? down[h - 1 - c] : up[c], y = shape.odd ? up[c] : down[h - 1 - c];
      if (k == 0) {
        z[0] = x;
      } else {
        const Pair iy = y.times_i(), t = turn[k];
        z[k] = ((x + iy) * T(0.5)).turned(t);
        z[M - k] = ((x - iy) * T(0.5)).turned_back(t);
      }
    }
  }

  /// The rest after all splits, with its mirror image; multiplied by i for sines, so that sums are real again.
  HD void remain(int i, const Pair& up, const Pair& down, Pair* z) const {
    const int m = shape.m;
    z += shape.start[L];
    put(z, i, up);
    put(z, m - i, down);
  }
  HD void put(Pair* z, int j, const Pair& v) const {
    const int m = shape.m;
    if (shape.odd) {
      const Pair half = v.times_i() * T(0.5);
      z[j] = j == 0 || j == m ? Pair{0, 0} : half;
      if (j > 0 && j < m) z[2 * m - j] = half * T(-1);
    } else {
      const bool end = j == 0 || j == m;
      z[j] = end ? v : v * T(0.5);
      if (!end) z[2 * m - j] = z[j];
    }
  }
};

/// The transpose: from the results of the Fourier transforms to values at points, stored or added.
template <class T, int L, bool adds>
struct JoinPoints : EvenOddSplit<T, L> {
  using Base = EvenOddSplit<T, L>;
  using Base::H, Base::shape, Base::modes, Base::turns;
  using typename Base::Pair;
  ToField<T, adds> field;
  JoinPoints(const Base& split, const ToField<T, adds>& to) : Base(split), field(to) {}

  template <class Width>
  HD void operator()(Width, int first, int piece) const {
    for (int w = 0; w < Width::value; ++w)
      if (2 * (first + w) <= shape.m) join(first + w, modes.first + piece);
  }
  /// Old values are loaded after the modes have been combined into few registers, but before any store, so that
  /// no load waits for a store. A point that is its own mirror image is handled twice.
  HD void join(int i, int p) const {
    const Pair* const z = modes.of(p);
    Pair up[H], down[H];
    const auto waves = [&] {
      if constexpr (L == 0)
        if (shape.quarter) return quarter_waves<1>(i, 0, up, down, z);
      level<L>(i, up, down, z);
    };
    waves();
    if constexpr (adds) {
      UNROLL for (int c = 0; c < H; ++c) {
        up[c] = field.old(p, up_col(i, c)) + up[c];
        down[c] = field.old(p, down_col(i, c)) + down[c];
      }
    }
    UNROLL for (int c = 0; c < H; ++c) {
      field.store(p, up_col(i, c), up[c]);
      field.store(p, down_col(i, c), down[c]);
    }
  }
  HD int up_col(int i, int c) const { return shape.first_col + c * shape.m + i; }
  HD int down_col(int i, int c) const { return shape.first_col + (c + 1) * shape.m - i; }

  template <int left>
  HD void level(int i, Pair (&up)[1 << left], Pair (&down)[1 << left], const Pair* z) const {
    if constexpr (left == 0) {
      up[0] = remaining(i, z);
      down[0] = remaining(shape.m - i, z);
    } else {
      constexpr int h = 1 << (left - 1);
      Pair quarter_up[h], quarter_down[h], rest_up[h], rest_down[h];
      quarter_waves<h>(i, L - left, quarter_up, quarter_down, z);
      level<left - 1>(i, rest_up, rest_down, z);
      const T mirrored = shape.odd ? T(1) : T(-1);  // sign of the quarter waves beyond the middle
      UNROLL for (int c = 0; c < h; ++c) {
        up[c] = rest_up[c] + quarter_up[c];
        down[2 * h - 1 - c] = (quarter_up[c] - rest_up[c]) * mirrored;
        down[c] = rest_down[c] + quarter_down[c];
        up[2 * h - 1 - c] = (quarter_down[c] - rest_down[c]) * mirrored;
      }
    }
  }

  template <int h>
  HD void quarter_waves(int i, int split, Pair* up, Pair* down, const Pair* z) const {
    const int M = h * shape.m;
    const Pair* const turn = turns + shape.twiddle[split];
    z += shape.start[split];
    UNROLL for (int c = 0; c < h; ++c) {
      const int k = c * shape.m + i;
      Pair x = z[0], y{0, 0};
      if (k > 0) {
        const Pair t = turn[k], u = z[k].turned(t), v = z[M - k].turned_back(t);
        x = (u + v) * T(0.5);
        y = ((u - v) * T(0.5)).times_i();
      }
      (shape.odd ? down[h - 1 - c] : up[c]) = x;
      (shape.odd ? up[c] : down[h - 1 - c]) = y;
    }
  }

  HD Pair remaining(int j, const Pair* z) const {
    const Pair half = z[shape.start[L] + j] * T(0.5);
    return shape.odd ? half.times_i() : half;
  }
};

}  // namespace wavesim
