#pragma once
// K steps of a three-term recurrence with a five-point operator in one pass over memory (temporal blocking by
// a moving front; Wonnacott 2000; Nguyen et al., "3.5-D blocking", SC 2010). A strip of columns is marched
// from below: when the front brings row f of b and of the first iterates, sweep s = 1 .. K is done in row
// f - s, and the residual of what the last one left in row f - K - 1. So rows are read once, written once,
// and live in registers and caches meanwhile. Strips and chunks of rows overlap by K + 1 points, which are
// computed twice.
//
// With D the diagonal of A, sweep s is   x_s = x + m_s (x - x_before) + w_s D^-1 (b - A x),   x = x_(s-1).
// Its arithmetic, step by step in scaled_defect ... advance, is the same on both backends.

#include <cmath>

#include "kernels/extent.hpp"
#include "kernels/formats/five_point.hpp"
#include "kernels/reduce.hpp"

namespace wavesim {

/// What a pass reads and writes. No vector is read and written. `x`, `before` null: zero; `x_before` null:
/// not wanted. `before` is not asked for if the first momentum is 0.
template <class T>
struct MarchFields {
  const T *b = nullptr, *x = nullptr, *before = nullptr;
  T *x_to = nullptr, *before_to = nullptr;
  int vectors() const { return 2 + (x != nullptr) + (before != nullptr) + (before_to != nullptr); }
};

template <class T, int K>
struct MarchSteps {
  T momentum[K], weight[K];
};

/// A row of D^-1 A off its diagonal, with the sign turned, and its diagonal. All zero outside of the domain:
/// what is zero there stays zero.
template <class T>
struct ScaledRow {
  T south = 0, west = 0, east = 0, north = 0, inverse = 0, diagonal = 0;
  static constexpr int values = 6;
  HD static ScaledRow of(const FivePointRow<T>& a) {
    const T inverse = T(1) / a.centre;
    return {-(a.south * inverse),
            -(a.west * inverse),
            -(a.east * inverse),
            -(a.north * inverse),
            inverse,
            a.centre};
  }
};

/// D^-1 (b - A x) but for the northern neighbour, which is known last; g = D^-1 b.
template <class T>
HD T partial_defect(T g, T centre, T to_south, T south, T to_west, T west, T to_east, T east) {
  T z = g - centre;
  z = std::fma(to_south, south, z);
  z = std::fma(to_west, west, z);
  return std::fma(to_east, east, z);
}
/// x_s but for the northern neighbour, which adds weight * to_north * north.
template <class T>
HD T partial_step(T momentum, T weight, T x, T before, T z) {
  return std::fma(weight, z, std::fma(momentum, x - before, x));
}

/// Rows of the domain by their coefficients in a uniform medium.
enum RowClass { bottom_row, inner_row, top_row, no_row, row_classes };
HD inline int row_class(int row, const Topology& t) {
  if (t.wrap_y != 0) return inner_row;
  return row < 0 || row >= t.ny ? no_row : row == 0 ? bottom_row : row == t.ny - 1 ? top_row : inner_row;
}
/// The row of a uniform system at any column of a class of rows; zero outside of the domain.
template <class T>
HD ScaledRow<T> scaled_row(const FivePointSystem<T, UniformCoefficients<T>>& system, int row_class, int col) {
  const Topology& t = system.topology();
  if (t.wrap_x != 0) col = (col % t.nx + t.nx) % t.nx;
  if (row_class == no_row || col < 0 || col >= t.nx) return {};
  // the second row is an inner one where there are three, and on a periodic axis all are alike
  const int row = row_class == bottom_row ? 0 : row_class == top_row ? t.ny - 1 : t.ny > 2 ? 1 : 0;
  return ScaledRow<T>::of(system.row(Row{0, col, row, 0, true}));
}

/// How a pass is cut up: by the size alone, so that the order of its sums is, too. A block is a chunk of a
/// strip, its lanes have `columns_per_lane` neighbouring columns each.
struct MarchPlan {
  int halo = 0;    // K + 1
  int margin = 0;  // columns at each side of a block that belong to its neighbours
  int lanes = 0, inner = 0, strips = 0;
  int rows = 0, chunks = 0;
  int blocks() const { return strips * chunks; }
};

namespace march {

template <class T>
inline constexpr int columns_per_lane = 16 / int(sizeof(T));
/// Lanes of all blocks that are at work on a multiprocessor: registers hold no more.
inline constexpr int resident_lanes = 256;
/// Of an H100 or H200. A constant, because the order of the sums follows it.
inline constexpr int multiprocessors = 132;

}  // namespace march

/// The plan that is least work: few columns and rows twice, and all multiprocessors busy until the end.
template <class T>
MarchPlan plan_march(Extent e, int steps) {
  constexpr int V = march::columns_per_lane<T>;
  MarchPlan p;
  p.halo = steps + 1;
  p.margin = (p.halo + V - 1) / V * V;
  double least = 1e300;
  for (int warps = 1; warps <= march::resident_lanes / 32; ++warps) {
    const int most = warps * 32 * V - 2 * p.margin, at_once = march::resident_lanes / 32 / warps;
    if (most < V) continue;
    const int strips = (e.nx + most - 1) / most, slots = march::multiprocessors * at_once;
    const int inner = ((e.nx + strips - 1) / strips + V - 1) / V * V;
    int chunks = slots / strips;
    chunks = chunks < 1 ? 1 : chunks > e.ny ? e.ny : chunks;
    const int rows = (e.ny + chunks - 1) / chunks;
    chunks = (e.ny + rows - 1) / rows;
    const int rounds = (strips * chunks + slots - 1) / slots;
    // a step of the front costs a share for each warp, and a wait
    const double work = double(rounds) * (rows + 2 * p.halo) * (warps * at_once + 4);
    if (work < least) {
      least = work;
      p.lanes = warps * 32, p.inner = inner, p.strips = strips, p.rows = rows, p.chunks = chunks;
    }
  }
  return p;
}

}  // namespace wavesim
