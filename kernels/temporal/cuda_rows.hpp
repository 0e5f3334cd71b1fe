#pragma once
// The coefficients that a lane has for the rows at work in blocked sweeps on a GPU (blocked_sweeps_cuda.hpp): of a
// constant medium a table by kind of point, of a varying one the faces of H rows in registers.

#include "kernels/temporal/cuda_lane.hpp"
#include "kernels/temporal/cuda_shared_memory.hpp"
#include "kernels/temporal/recurrence.hpp"

namespace wavesim::cuda {

/// What is known of the rows at work: nothing; that all which are in the domain are like inner ones, but for
/// what they couple to beyond it, where iterates are zero; that all are inner ones.
enum class BlockedRows { any, some_beyond, inner };

/// Whether a row at a fixed edge is such a one.
template <class T>
HD bool is_inner_but_for(const ScaledRow<T>& a, const ScaledRow<T>& inner, bool bottom) {
  return a.west == inner.west && a.east == inner.east && a.inverse == inner.inverse &&
         a.diagonal == inner.diagonal && a.scaled_mass == inner.scaled_mass && a.stiff == inner.stiff &&
         (bottom ? a.south == 0 && a.north == inner.north : a.north == 0 && a.south == inner.south);
}

/// Of a constant medium, in constant memory: coefficients by kind of point, and what inner rows have in common.
template <class T, int K, class Medium>
struct BlockedInside {
  ScaledRow<T> row;
  T weight_north[K];
  ScaledRow<T> table[row_classes][row_classes];  // [row class][column class]
  /// By column class: whether inner rows couple up and down as in the middle of the medium; and whether the lowest and the
  /// highest do, too, but to zeros beyond.
  bool constant[row_classes], held[row_classes];

  BlockedInside(const Medium& system, const SweepCoefficients<T, K>& steps)
      : row(ScaledRow<T>::of(system, system.coefficients.inside())) {
    for (int s = 0; s < K; ++s) weight_north[s] = steps.weight[s] * row.north;
    const Topology& t = system.topology();
    for (int c = 0; c < row_classes; ++c) {
      const int at = c == bottom_row ? 0 : c == top_row ? t.nx - 1 : t.nx > 2 ? 1 : 0;
      for (int r = 0; r < row_classes; ++r)
        table[r][c] = c == no_row ? ScaledRow<T>{} : scaled_row(system, r, at);
      const ScaledRow<T>& a = table[inner_row][c];
      constant[c] = c == no_row || (a.south == row.south && a.north == row.north &&
                                    a.scaled_mass == row.scaled_mass && a.stiff == row.stiff);
      held[c] = constant[c] && (c == no_row || (is_inner_but_for(table[bottom_row][c], a, true) &&
                                                is_inner_but_for(table[top_row][c], a, false)));
    }
  }
};
template <class T, int K, bool damped>
struct BlockedInside<T, K, ScaledMedium<T, damped>> {
  BlockedInside(const ScaledMedium<T, damped>&, const SweepCoefficients<T, K>&) {}
};

/// Of a constant medium.
template <class Shape>
class UniformRows {
  using T = typename Shape::Value;
  using Medium = typename Shape::Medium;
  static constexpr int V = Shape::V;

 public:
  using Inside = BlockedInside<T, Shape::K, Medium>;
  /// Inner rows couple up and down as in the middle of the medium; and the lowest and the highest do, too, but
  /// to zeros beyond. So in all lanes of the block.
  bool constant = true, held;

  /// Puts the table into shared memory, where lanes find rows of any kind sooner.
  __device__ static void make_table(ScaledRow<T>* table, int thread, const Inside& inside) {
    for (int k = thread; k < Shape::kinds; k += blockDim.x)
      table[k] = inside.table[k / row_classes][k % row_classes];
  }
  /// `table`: that one; `columns`: of the block.
  __device__ UniformRows(const ScaledRow<T>* table, const Lane& lane, ColumnRange columns,
                         const Medium& medium, const Inside& inside)
      : held(medium.topology().wrap_y == 0 && medium.topology().ny > 1),
        table_(table),
        inside_(inside),
        topology_(medium.topology()) {
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      kind_[v] = column_class(lane.col + v, topology_);
      const ScaledRow<T>& a = inside.table[inner_row][kind_[v]];
      to_west_[v] = a.west, to_east_[v] = a.east;
    }
    const int last = topology_.nx - 1;
    const bool of_class_there[] = {
        column_class(0, topology_) == bottom_row && columns.from <= 0 && columns.to > 0,
        columns.to > 1 && columns.from < last,
        column_class(last, topology_) == top_row && columns.from <= last && columns.to > last};
    UNROLL_REGISTERS for (int c = 0; c < no_row; ++c) {
      constant &= !of_class_there[c] || inside.constant[c];
      held &= !of_class_there[c] || inside.held[c];
    }
  }

  /// A row of the system at column v.
  template <BlockedRows rows>
  __device__ __forceinline__ const ScaledRow<T>& of_row(int row, int v) const {
    if (rows != BlockedRows::any) return inside_.table[inner_row][kind_[v]];
    return (table_ + row_class(row, topology_) * row_classes)[kind_[v]];
  }
  template <BlockedRows rows>
  __device__ __forceinline__ T coupled_at(int row, int, int v, T g, T south, T west, T east) const {
    if constexpr (rows == BlockedRows::any) {
      const ScaledRow<T>& a = of_row<rows>(row, v);
      return coupled<T>(g, a.south, south, a.west, west, a.east, east);
    } else {
      return coupled<T>(g, inside_.row.south, south, to_west_[v], west, to_east_[v], east);
    }
  }
  template <BlockedRows rows>
  __device__ __forceinline__ T north(int row, int, int v) const {
    return rows == BlockedRows::any ? of_row<rows>(row, v).north : inside_.row.north;
  }
  template <BlockedRows rows>
  __device__ __forceinline__ T weight_north(int row, int s, int v, T weight) const {
    return rows == BlockedRows::any ? weight * north<rows>(row, s, v) : inside_.weight_north[s - 1];
  }
  /// The mass and stiffness of a row: those of the middle of the medium where rows are like it.
  template <BlockedRows rows>
  __device__ __forceinline__ const ScaledRow<T>& masses(int row, int v) const {
    return rows == BlockedRows::any ? of_row<rows>(row, v) : inside_.row;
  }
  /// What the lane in the east wants of row f - s: its west neighbour.
  __device__ __forceinline__ static T for_east(int, T last) { return last; }

 private:
  const ScaledRow<T>* const table_;
  const Inside& inside_;
  const Topology topology_;
  int kind_[V];
  T to_west_[V], to_east_[V];
};

/// Of a varying medium: faces, as they arrived. All rows are treated alike.
template <class Shape>
class VaryingRows {
  using T = typename Shape::Value;
  static constexpr int V = Shape::V, E = Shape::early, H = Shape::H;

 public:
  using Inside = BlockedInside<T, Shape::K, typename Shape::Medium>;
  __device__ static void make_table(ScaledRow<T>*, int, const Inside&) {}
  __device__ VaryingRows(const ScaledRow<T>*, const Lane&, ColumnRange, const typename Shape::Medium&,
                         const Inside&) {}

  /// Faces of the next row.
  __device__ __forceinline__ void arrive(const Pack<T>& east, const Pack<T>& north) {
    UNROLL_REGISTERS for (int s = H + E; s > 0; --s) UNROLL_REGISTERS for (int v = 0; v < V; ++v)
        to_east_[s][v] = to_east_[s - 1][v],
        to_north_[s][v] = to_north_[s - 1][v];
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) to_east_[0][v] = east.v[v], to_north_[0][v] = north.v[v];
  }

  template <BlockedRows>
  __device__ __forceinline__ T coupled_at(int, int s, int v, T g, T south, T west, T east) const {
    if (v == 0) return coupled_to_lane<T>(g, to_north_[s + E][v], south, west, to_east_[s + E][v], east);
    return coupled<T>(g, to_north_[s + E][v], south, to_east_[s + E][v == 0 ? 0 : v - 1], west,
                      to_east_[s + E][v], east);
  }
  template <BlockedRows>
  __device__ __forceinline__ T north(int, int s, int v) const {
    return to_north_[s + E - 1][v];
  }
  template <BlockedRows rows>
  __device__ __forceinline__ T weight_north(int row, int s, int v, T weight) const {
    return weight * north<rows>(row, s, v);
  }
  /// What the lane in the east wants of row f - s: its west neighbour, as the product with the face between.
  __device__ __forceinline__ T for_east(int s, T last) const { return last * to_east_[s + E][V - 1]; }

 private:
  T to_east_[H + E + 1][V] = {}, to_north_[H + E + 1][V] = {};
};

template <class Shape>
using LaneRows = std::conditional_t<Shape::varies, VaryingRows<Shape>, UniformRows<Shape>>;

}  // namespace wavesim::cuda
