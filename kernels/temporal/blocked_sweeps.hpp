#pragma once
// K steps of a three-term recurrence with a five-point operator in one pass over memory (temporal blocking by
// a moving front; Wonnacott 2000; Nguyen et al., "3.5-D blocking", SC 2010). A strip of columns is gone through
// from below: when the front brings row f of b and of the first iterates, sweep s = 1 .. K is done in row
// f - s, and the residual of what the last one left in row f - K - 1. So rows are read once, written once,
// and live in registers and caches meanwhile. Strips and chunks of rows overlap by K + 1 points, which are
// computed twice.
//
// With D the diagonal of A, sweep s is   x_s = x + m_s (x - x_before) + w_s D^-1 (b - A x),   x = x_(s-1),
// computed as   (1 + m_s - w_s) x - m_s x_before + w_s (g + D^-1 (D - A) x),   g = D^-1 b,   in the same
// order on both backends.

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "kernels/grid/wave_system.hpp"
#include "kernels/numbers/finite.hpp"
#include "kernels/reduce/reduce.hpp"

namespace wavesim {

/// What a pass for A x = b reads and writes. No vector is read and written. `x`, `before` null: zero;
/// `before_to` null: not wanted. `before` is not asked for if the first momentum is 0.
template <class T>
struct BlockedSolve {
  static constexpr bool is_step = false;
  using Result = Norms;  // of b - A x, after the last sweep
  const T *b = nullptr, *x = nullptr, *before = nullptr;
  T *x_to = nullptr, *before_to = nullptr;
  bool from_zero() const { return !x && !before; }
  int vectors() const { return 2 + (x != nullptr) + (before != nullptr) + (before_to != nullptr); }
};

/// The residual of a step in time, and what it is relative to.
struct StepNorms {
  Norms residual, reference;
  HD void join(const StepNorms& o) {
    residual.join(o.residual);
    reference.join(o.reference);
  }
};

/// A whole step in time of M u" + D u' + K u = 0 in its first-order form: d from A d = b = M p - delta K u
/// with A = M + a D + w K, then u_to = u + d and p_to = carry d + (1 - carry) p. Row f of b is made where row
/// f + 1 of u arrives, and never stored. `tried`: u + d of an earlier pass, from where this one goes on;
/// null: it starts from d = 0.
template <class T>
struct BlockedStep {
  static constexpr bool is_step = true;
  using Result = StepNorms;
  const T *u = nullptr, *p = nullptr, *tried = nullptr;
  T *u_to = nullptr, *p_to = nullptr;
  T ratio = 2;  // delta / w
  T carry = 2;
  bool whole = true;  // the residual is relative to b + A u, which is what A u_to equals; else to b
  bool from_zero() const { return !tried; }
  int vectors() const { return 4 + (tried != nullptr); }
};

/// Of each sweep: the coefficients of x, minus x_before, and D^-1 (b + (D - A) x).
template <class T, int K>
struct SweepCoefficients {
  T keep[K], momentum[K], weight[K];
  void set(int k, double m, double w) { keep[k] = T(1 + m - w), momentum[k] = T(-m), weight[k] = T(w); }
  /// Whether the third step and those after it have w = 1 + m, so that x itself drops out of them: they are
  /// for a spectrum around 1. A pass in time has to be so.
  bool centred() const {
    for (int k = 2; k < K; ++k)
      if (keep[k] != 0) return false;
    return true;
  }
};

/// A row of D^-1 A off its diagonal, with the sign turned; its diagonal D; and D^-1 times the mass and the
/// diagonal of w K. All zero outside of the domain: what is zero there stays zero.
template <class T>
struct ScaledRow {
  T south = 0, west = 0, east = 0, north = 0, inverse = 0, diagonal = 0, scaled_mass = 0, stiff = 0;
  static constexpr int values = 8;
  HD static ScaledRow of(const WaveSystem<T, UniformCoefficients<T>>& system, const Point<T>& point) {
    using S = FivePoint;  // which the passes are written for
    static_assert(std::is_same_v<typename WaveSystem<T, UniformCoefficients<T>>::Stencil, S>);
    const StencilRow<T, S> a = system.row_of(point);
    const T inverse = T(1) / a[S::centre];
    return {-(a[S::south] * inverse),
            -(a[S::west] * inverse),
            -(a[S::east] * inverse),
            -(a[S::north] * inverse),
            inverse,
            a[S::centre],
            point.mass * inverse,
            system.b * point.held() * inverse};
  }
};

/// g + D^-1 (D - A) x but for the northern neighbour, which is known last.
template <class T>
HD T coupled(T g, T to_south, T south, T to_west, T west, T to_east, T east) {
  T y = std::fma(to_south, south, g);
  y = std::fma(to_west, west, y);
  return std::fma(to_east, east, y);
}
/// D^-1 b of a step in time; y = D^-1 (D - A) u.
template <class T>
HD T scaled_right_hand_side(T scaled_mass, T p, T ratio, T stiff, T u, T y) {
  return std::fma(ratio, std::fma(-stiff, u, y), scaled_mass * p);
}

/// Norms over the points of a lane. A NaN shows in the squares.
struct LaneNorms {
  double squares = 0, largest = 0;
  HD void add(double r) {
    squares = std::fma(r, r, squares);
    largest = std::fabs(r) > std::fabs(largest) ? r : largest;  // with its sign: an instruction less
  }
  HD Norms norms() const { return {squares, is_nan(squares) ? squares : std::fabs(largest)}; }
};

/// Rows of the domain by their coefficients in a uniform medium, and columns alike.
enum RowClass { bottom_row, inner_row, top_row, no_row, row_classes };
HD inline int row_class(int row, const Topology& t) {
  if (t.wrap_y != 0) return inner_row;
  return row < 0 || row >= t.ny ? no_row : row == 0 ? bottom_row : row == t.ny - 1 ? top_row : inner_row;
}
/// The row of a uniform system at any column of a class of rows; zero outside of the domain.
template <class T>
HD ScaledRow<T> scaled_row(const WaveSystem<T, UniformCoefficients<T>>& system, int row_class, int col) {
  const Topology& t = system.topology();
  if (t.wrap_x != 0) col = (col % t.nx + t.nx) % t.nx;
  if (row_class == no_row || col < 0 || col >= t.nx) return {};
  // the second row is an inner one where there are three, and on a periodic axis all are alike
  const int row = row_class == bottom_row ? 0 : row_class == top_row ? t.ny - 1 : t.ny > 2 ? 1 : 0;
  return ScaledRow<T>::of(system, system.coefficients.at(Row{0, col, row, 0, true}));
}

namespace temporal {

/// A lane reads and writes so many neighbouring columns at once; round a periodic axis there have to be a
/// whole number of such packs.
template <class T>
inline constexpr int columns_per_lane = 16 / int(sizeof(T));
inline constexpr int lanes = 128;  // of a block
template <class T>
inline constexpr int columns = lanes* columns_per_lane<T>;  // of a block
/// Blocks that are at work at once on an H100 or H200: two on a multiprocessor, for registers hold no more.
/// Constants, because the order of the sums follows them.
inline constexpr int blocks_at_once = 2 * 132;

template <class T>
bool fits(const Topology& t) {
  return t.wrap_x == 0 || t.nx % columns_per_lane<T> == 0;
}

}  // namespace temporal

/// How a pass is cut up: by the size alone, so that the order of its sums is, too. A block is a chunk of rows
/// of a strip of columns.
struct BlockPlan {
  int margin = 0;  // columns at each side of a block that belong to its neighbours
  int inner = 0, strips = 0;
  int rows = 0, chunks = 0;
  int blocks() const { return strips * chunks; }
};

/// Few columns and rows twice, and all multiprocessors busy until the end.
template <class T>
BlockPlan plan_blocks(Extent e, int steps) {
  constexpr int V = temporal::columns_per_lane<T>;
  const int halo = steps + 1;
  BlockPlan p;
  p.margin = (halo + V - 1) / V * V;
  const int most = temporal::columns<T> - 2 * p.margin;
  p.strips = (e.nx + most - 1) / most;
  p.inner = ((e.nx + p.strips - 1) / p.strips + V - 1) / V * V;
  // one round of blocks, or more if the strips alone are many
  const int chunks = std::clamp(temporal::blocks_at_once / p.strips, 1, e.ny);
  p.rows = (e.ny + chunks - 1) / chunks;
  p.chunks = (e.ny + p.rows - 1) / p.rows;
  return p;
}

}  // namespace wavesim
