#pragma once
// The rows that a block of threads has in shared memory in passes of steps of eighth order (lax_wendroff_cuda.hpp). Each
// thread reads what it has copied itself, but for what lanes show one another.

#include <cuda_pipeline.h>

#include "kernels/lax_wendroff/cuda_shape.hpp"

namespace wavesim::cuda {

template <class Shape>
class LaxWendroffRows {
  using Pass = typename Shape::Pass;
  using T = typename Shape::T;
  using Lane = LaxWendroffLane<Shape>;
  static constexpr int V = Shape::V;

 public:
  double* const pushed;  // [stages][columns]: what each stage adds; afterwards what steps have left

  __device__ LaxWendroffRows(unsigned char* memory, const Pass& pass, const Lane& lane)
      : pushed(reinterpret_cast<double*>(memory)),
        rows_(reinterpret_cast<T*>(pushed + Shape::stages * Shape::columns) + lane.thread * V),
        shown_(reinterpret_cast<T*>(pushed + Shape::stages * Shape::columns) + Shape::rows * Shape::columns +
               Shape::reach + lane.thread * V),
        pass_(pass),
        lane_(lane),
        first_(lane.row0 - Shape::halo),
        last_(lane.row0 + lane.rows + Shape::halo) {}

  /// What lanes at the ends of a block see of lanes that are not there is zero. A barrier is to follow.
  __device__ void begin() const {
    for (int k = lane_.thread; k < Shape::rows * Shape::columns; k += temporal::lanes)
      rows_[k - lane_.thread * V] = 0;
    T* const shown = shown_ - Shape::reach - lane_.thread * V;
    for (int k = lane_.thread; k < Shape::shown; k += temporal::lanes) shown[k] = 0;
  }

  /// Starts to copy what arrives in turn f.
  __device__ void fetch(int f) const {
    if (f < last_) {
      copy(Shape::at_u, Shape::rows_of_state, f, pass_.u, f);
      copy(Shape::at_p, Shape::rows_of_state, f, pass_.p, f - Shape::late_p);
      if constexpr (Shape::varies) {
        copy(Shape::at_over_mass, Shape::rows_of_over_mass, f, pass_.medium.over_mass,
             f - Shape::late_over_mass);
        if (pass_.medium.inertia)
          copy(Shape::at_inertia, Shape::rows_of_inertia, f, pass_.medium.inertia, f - Shape::late_inertia);
      }
    }
    __pipeline_commit();
  }
  /// Waits for what was fetched `ahead - 1` calls before the last.
  __device__ static void wait() { __pipeline_wait_prior(Shape::ahead - 1); }

  /// What arrived in turn f, with the signs of images: row f of u(n), row f - 8 of p.
  __device__ Pack<T> u(int f) const {
    return with_sign(pack(place(Shape::at_u, Shape::rows_of_state, f)), f);
  }
  __device__ Pack<T> p(int f) const {
    return with_sign(pack(place(Shape::at_p, Shape::rows_of_state, f)), f - Shape::late_p);
  }
  __device__ Pack<T> over_mass(int f) const {
    return pack(place(Shape::at_over_mass, Shape::rows_of_over_mass, f));
  }
  __device__ Pack<T> inertia(int f) const {
    return pack(place(Shape::at_inertia, Shape::rows_of_inertia, f));
  }
  /// p' that step s < K leaves in turn f, and that it left eight turns before: read it first.
  __device__ T* left_p(int s, int f) const {
    return place(Shape::at_left_p + (s - 1) * Shape::lag, Shape::lag, f);
  }
  /// What lanes show in turns of parity k for a stage; columns of neighbours lie beside.
  __device__ T* shown(int k, int stage) const {
    return shown_ + (k * Shape::stages + stage) * Shape::shown_row;
  }

 private:
  __device__ T* place(int block, int rows, int f) const {
    return rows_ + (block + unsigned(f - first_ + rows * 64) % unsigned(rows)) * Shape::columns;
  }
  __device__ void copy(int block, int rows, int f, const T* field, int row) const {
    if (row < first_ || row >= last_) return;
    T* const to = place(block, rows, f);
    const T* const from = field + pass_.extent.index(pass_.y.place(row).at, 0);
    if (lane_.whole)
      __pipeline_memcpy_async(to, from + lane_.col, 16);
    else
      UNROLL_REGISTERS for (int v = 0; v < V; ++v)
          __pipeline_memcpy_async(to + v, from + lane_.at[v], sizeof(T));
  }
  __device__ Pack<T> with_sign(Pack<T> values, int row) const {
    const T sign = unsigned(row) < unsigned(pass_.y.points) ? T(1) : T(pass_.y.place(row).sign);
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) values.v[v] *= sign * lane_.sign[v];
    return values;
  }

  T* const rows_;
  T* const shown_;
  const Pass& pass_;
  const Lane& lane_;
  const int first_, last_;
};

}  // namespace wavesim::cuda
