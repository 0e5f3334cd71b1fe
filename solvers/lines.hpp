#pragma once
// Tridiagonal systems along the columns of a field, one to a column: what a transform along x leaves of a
// five-point system. A column's matrix has the diagonal d_j and -off beside it, the same for all columns.
// Sweeps take several rows at a time, so that loads do not wait for one another.

#include "kernels/access.hpp"

namespace wavesim {

/// Rows that a sweep loads ahead: on a GPU, where a thread has one column.
template <int W>
inline constexpr int rows_ahead = W == 1 ? 8 : 1;

/// The inverse pivots of Gaussian elimination, p_j = 1 / (d_j - off^2 p_(j-1)), with
///   d_j = shift share_j + off (faces of point j) + what is added at the two ends.
template <class T>
struct FactorLines {
  T* inverse;
  const double* shift;  // of each column
  double off;
  double share_low, share_high;  // of the cells at the ends
  double faces_low, faces_high;  // beyond the ends: 1 if fixed
  double added_low, added_high;
  int nx, ny, pitch;

  template <class Width>
  HD void operator()(Width, int first) const {
    constexpr int W = Width::value;
    double before[W] = {};
    for (int j = 0; j < ny; ++j) {
      const bool low = j == 0, high = j == ny - 1;
      const double share = (low ? share_low : 1) * (high ? share_high : 1),
                   rest = off * ((low ? faces_low : 1) + (high ? faces_high : 1)) + (low ? added_low : 0) +
                          (high ? added_high : 0);
      for (int w = 0; w < W; ++w) {
        const int k = first + w;
        before[w] = k < nx ? 1 / (shift[k] * share + rest - off * off * before[w]) : 0.0;
        inverse[j * pitch + k] = T(before[w]);
      }
    }
  }
};

/// x <- the solution for scale x (Thomas 1949).
template <class T>
struct SolveLines {
  T* x;
  const T *inverse, *scale;
  T off;
  int ny, pitch;

  template <class Width>
  HD void operator()(Width, int first) const {
    constexpr int W = Width::value, R = rows_ahead<W>;
    T v[W] = {}, s[W];
    UNROLL for (int w = 0; w < W; ++w) s[w] = scale[first + w];
    int j = 0;
    for (; j + R <= ny; j += R) down<W, R>(j, first, s, v);
    for (; j < ny; ++j) down<W, 1>(j, first, s, v);
    UNROLL for (int w = 0; w < W; ++w) v[w] = 0;
    for (; j >= R; j -= R) up<W, R>(j - 1, first, v);
    for (; j > 0; --j) up<W, 1>(j - 1, first, v);
  }

  /// Elimination on R rows from row j.
  template <int W, int R>
  HD void down(int j, int first, const T (&s)[W], T (&v)[W]) const {
    T xs[R][W], p[R][W];
    load<W, R>(j, 1, first, xs, p);
    UNROLL for (int n = 0; n < R; ++n) {
      UNROLL for (int w = 0; w < W; ++w) {
        v[w] = std::fma(off, v[w], s[w] * xs[n][w]) * p[n][w];
        x[(j + n) * pitch + first + w] = v[w];
      }
    }
  }
  /// Substitution on R rows, from row j to lower ones.
  template <int W, int R>
  HD void up(int j, int first, T (&v)[W]) const {
    T xs[R][W], p[R][W];
    load<W, R>(j, -1, first, xs, p);
    UNROLL for (int n = 0; n < R; ++n) {
      UNROLL for (int w = 0; w < W; ++w) {
        v[w] = std::fma(off * p[n][w], v[w], xs[n][w]);
        x[(j - n) * pitch + first + w] = v[w];
      }
    }
  }
  template <int W, int R>
  HD void load(int j, int step, int first, T (&xs)[R][W], T (&p)[R][W]) const {
    UNROLL for (int n = 0; n < R; ++n) {
      UNROLL for (int w = 0; w < W; ++w) {
        xs[n][w] = x[(j + step * n) * pitch + first + w];
        p[n][w] = inverse[(j + step * n) * pitch + first + w];
      }
    }
  }
};

/// The cyclic system whose diagonal d is constant, in two factors: with S the shift by a point round the
/// axis,
///   d - off (S + S^-1) = c (1 - rho S) (1 - rho S^-1),
///   c = (d + sqrt(d^2 - 4 off^2)) / 2,  rho = off / c.
/// Each is a recurrence whose value before the first follows from going round once: it is what one round from
/// zero ends with, over 1 - rho^n.
template <class T>
struct SolveCycles {
  T* x;
  const T *rho, *closing, *scale;  // of each column: closing = 1 / (1 - rho^n); scale x / c is solved for
  int ny, pitch;

  template <class Width>
  HD void operator()(Width, int first) const {
    constexpr int W = Width::value;
    T factor[W];
    UNROLL for (int w = 0; w < W; ++w) factor[w] = scale[first + w];
    round<W>(first, 1, factor);
    UNROLL for (int w = 0; w < W; ++w) factor[w] = 1;
    round<W>(first, -1, factor);
  }

  /// x_j <- rho x_(j - step) + factor x_j, round the axis.
  template <int W>
  HD void round(int first, int step, const T (&factor)[W]) const {
    constexpr int R = rows_ahead<W>;
    const int start = step > 0 ? 0 : ny - 1;
    T v[W] = {}, q[W];
    UNROLL for (int w = 0; w < W; ++w) q[w] = rho[first + w];
    int k = 0;
    for (; k + R <= ny; k += R) go<W, R, false>(start + step * k, step, first, q, factor, v);
    for (; k < ny; ++k) go<W, 1, false>(start + step * k, step, first, q, factor, v);
    UNROLL for (int w = 0; w < W; ++w) v[w] *= closing[first + w];
    for (k = 0; k + R <= ny; k += R) go<W, R, true>(start + step * k, step, first, q, factor, v);
    for (; k < ny; ++k) go<W, 1, true>(start + step * k, step, first, q, factor, v);
  }
  template <int W, int R, bool writes>
  HD void go(int j, int step, int first, const T (&q)[W], const T (&factor)[W], T (&v)[W]) const {
    T xs[R][W];
    UNROLL for (int n = 0; n < R; ++n) {
      UNROLL for (int w = 0; w < W; ++w) xs[n][w] = x[(j + step * n) * pitch + first + w];
    }
    UNROLL for (int n = 0; n < R; ++n) {
      UNROLL for (int w = 0; w < W; ++w) {
        v[w] = std::fma(q[w], v[w], factor[w] * xs[n][w]);
        if (writes) x[(j + step * n) * pitch + first + w] = v[w];
      }
    }
  }
};

}  // namespace wavesim
