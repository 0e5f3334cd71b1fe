#pragma once
// The coefficients that a lane has for the rows at work in passes of several leapfrog steps on a GPU (leapfrog_cuda.hpp):
// of a constant medium those of inner rows and a table of all kinds, of a varying one the faces of K rows.

#include <type_traits>

#include "kernels/leapfrog/cuda_shared_rows.hpp"

namespace wavesim::cuda {

template <class Shape>
class UniformLane {
  using T = typename Shape::T;
  using Medium = typename Shape::Pass::Medium;
  static constexpr int K = Shape::K, V = Shape::V;

 public:
  __device__ UniformLane(const LeapfrogRows<Shape>& rows, const Lane& lane, const Medium& medium)
      : medium_(medium), table_(rows.table) {
    const LeapfrogRow<T>& middle = medium.kinds[inner_row][inner_row];
    bool alike = true;
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      kind_[v] = column_class(lane.col + v, medium.topology);
      const LeapfrogRow<T>& a = table_[inner_row * row_classes + kind_[v]];
      west_[v] = a.west, east_[v] = a.east;
      alike = alike && (kind_[v] == no_row ||
                        (a.keep == middle.keep && a.south == middle.south && a.north == middle.north));
    }
    alike_ = __syncthreads_and(alike);
  }
  __device__ bool inner(int from, int to) const {
    const Topology& t = medium_.topology;
    return alike_ && (t.wrap_y != 0 || (from > 0 && to < t.ny - 1));
  }
  /// Row f arrives, step s is to be done in row f - s.
  template <bool inner>
  __device__ __forceinline__ void arrive(int f) {
    if constexpr (inner) return;
    const Topology& t = medium_.topology;
    UNROLL_REGISTERS for (int s = 1; s <= K; ++s) {
      const int row = f - s;
      int kind = row == 0 ? int(bottom_row) : inner_row + int(row == t.ny - 1);
      kind = unsigned(row) >= unsigned(t.ny) ? int(no_row) : kind;
      rows_[s] = table_ + (t.wrap_y != 0 ? int(inner_row) : kind) * row_classes;
    }
  }
  /// p' but for the northern neighbour. `inner`: the row is one, and couples up and down as the middle of the medium.
  template <bool inner>
  __device__ __forceinline__ T but_north(int s, int v, T p, T u, T south, T west, T east) const {
    if constexpr (!inner) return rows_[s][kind_[v]].but_north(p, u, south, west, east);
    const LeapfrogRow<T>& middle = medium_.kinds[inner_row][inner_row];
    return LeapfrogRow<T>{middle.keep, middle.south, west_[v], east_[v], 0}.but_north(p, u, south, west,
                                                                                      east);
  }
  template <bool inner>
  __device__ __forceinline__ T with_north(int s, int v, T y, T u, T north) const {
    if constexpr (!inner) return rows_[s][kind_[v]].with_north(y, u, north);
    return medium_.kinds[inner_row][inner_row].with_north(y, u, north);
  }

 private:
  const Medium& medium_;
  const LeapfrogRow<T>* const table_;
  const LeapfrogRow<T>* rows_[K + 1];
  int kind_[V];
  T west_[V], east_[V];
  bool alike_;
};

template <class Shape>
class VaryingLane {
  using T = typename Shape::T;
  using Medium = typename Shape::Pass::Medium;
  static constexpr int K = Shape::K, V = Shape::V;

 public:
  __device__ VaryingLane(const LeapfrogRows<Shape>& rows, const Lane&, const Medium& medium)
      : rows_(rows), damped_(medium.keep != nullptr) {}
  __device__ static bool inner(int, int) { return true; }  // rows differ in what arrives alone

  template <bool>
  __device__ __forceinline__ void arrive(int f) {
    const int row = f - 1;  // which step 1 is to be done in
    UNROLL_REGISTERS for (int s = K; s > 1; --s) west_[s] = west_[s - 1];
    west_[1] = rows_.before(row, Shape::of_east);
    take(east_, rows_.source(row, Shape::of_east));
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) north_[K + 1][v] = north_[K][v];
    take(north_, rows_.source(row, Shape::of_north));
    take(inverse_, rows_.source(row, Shape::of_inverse));
    if (damped_) take(keep_, rows_.source(row, Shape::of_keep));
  }
  template <bool>
  __device__ __forceinline__ T but_north(int s, int v, T p, T u, T south, T west, T east) {
    sum_[s][v] = Medium::but_north(u, north_[s + 1][v], south,
                                   v == 0 ? west_[s] : east_[s][v == 0 ? 0 : v - 1], west, east_[s][v], east);
    return damped_ ? keep_[s][v] * p : p;
  }
  template <bool>
  __device__ __forceinline__ T with_north(int s, int v, T kept, T u, T north) const {
    return std::fma(inverse_[s][v], Medium::pulled(sum_[s][v], north_[s][v], north, u), kept);
  }

 private:
  template <int n>
  __device__ __forceinline__ static void take(T (&rows)[n][V], const Pack<T>& next) {
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      UNROLL_REGISTERS for (int s = K; s > 1; --s) rows[s][v] = rows[s - 1][v];
      rows[1][v] = next.v[v];
    }
  }

  const LeapfrogRows<Shape>& rows_;
  const bool damped_;
  T west_[K + 1] = {}, east_[K + 1][V] = {}, north_[K + 2][V] = {}, inverse_[K + 1][V] = {},
              keep_[K + 1][V] = {}, sum_[K + 1][V];
};

template <class Shape>
using LaneMedium = std::conditional_t<Shape::varies, VaryingLane<Shape>, UniformLane<Shape>>;

}  // namespace wavesim::cuda
