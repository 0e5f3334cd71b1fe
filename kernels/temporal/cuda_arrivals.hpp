#pragma once
// Rows of fields on their way from memory to a lane in blocked sweeps on a GPU (blocked_sweeps_cuda.hpp):
// asynchronous copies into a ring of rows in shared memory, [row][source][columns]. A lane reads only what it fetched
// itself, and zeros where it is outside of the domain.

#include <cuda_pipeline.h>

#include "kernels/temporal/cuda_lane.hpp"
#include "kernels/temporal/cuda_shared_memory.hpp"

namespace wavesim::cuda {

/// Copies 16 bytes to shared memory without waiting. They are the first to leave the cache.
template <class T>
__device__ void copy_and_forget(T* to, const T* from) {
#ifdef __CUDA_ARCH__
  unsigned long long first_out;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first_out));
  asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(
                   unsigned(__cvta_generic_to_shared(to))),
               "l"(from), "l"(first_out)
               : "memory");
#else
  __pipeline_memcpy_async(to, from, 16);  // in tests, where a CPU takes the lanes one after the other
#endif
}

template <class Shape>
class Arrivals {
  using T = typename Shape::Value;
  using Medium = typename Shape::Medium;
  using Fields = typename Shape::Fields;

 public:
  /// `ring`: where it is in shared memory; `first`: the row that arrives first.
  __device__ Arrivals(T* ring, const Lane& lane, int first, RowStarts starts, const Medium& medium,
                      const Fields& fields)
      : ring_(ring + unsigned(lane.col - lane.thread * Shape::V) % Shape::line + lane.thread * Shape::V),
        lane_(lane),
        first_(first),
        starts_(starts),
        medium_(medium),
        fields_(fields) {}

  /// Where the sources of row `row` are.
  __device__ T* place(int row) const {
    return ring_ + (unsigned(row - first_ + Shape::ahead) % Shape::ahead) * Shape::row;
  }
  /// The lane's columns of source n, of Shape's.
  __device__ static Pack<T> source(const T* place, int n) { return pack(place + n * Shape::columns); }

  /// Waits for the row that is fetched `ahead - 2` calls before the last.
  __device__ static void wait() { __pipeline_wait_prior(Shape::ahead - 2); }

  /// Starts to copy what arrives with row `row`.
  __device__ __forceinline__ void fetch(int row) const {
    int where[places] = {row,
                         row + Shape::row_of_p,
                         row + Shape::row_of_g,
                         row + Shape::row_of_u,
                         row + Shape::early,
                         row + Shape::early - 1,
                         row + Shape::leaving_row};
    find(where);
    if (lane_.in_domain) {
      T* const to = place(row);
      if constexpr (Shape::is_step)
        fetch_step(to, where);
      else
        fetch_solve(to, where);
      if constexpr (Shape::varies) {
        copy_once(to, Shape::at_east, medium_.east, where[of_east]);
        copy_once(to, Shape::at_north, medium_.north, where[of_north]);
        copy_once(to, Shape::at_leaving_root, medium_.sqrt_diagonal, where[leaves]);
      }
    }
    __pipeline_commit();
  }

 private:
  enum { here, of_p, of_g, of_u, of_east, of_north, leaves, places };

  /// Where rows are in memory. Rows beyond the domain are ghost rows, which hold zeros.
  __device__ __forceinline__ void find(int (&where)[places]) const {
    const Topology& t = medium_.topology();
    if (t.wrap_y != 0)  // a division would cost more than a turn or none
      UNROLL_REGISTERS for (int& w : where) {
        while (w < 0) w += t.ny;
        while (w >= t.ny) w -= t.ny;
      }
    UNROLL_REGISTERS for (int& w : where) w = starts_(max(min(w, t.ny), -1)) + lane_.from_col;
  }
  __device__ __forceinline__ static void copy(T* to, int n, const T* from, int at) {
    __pipeline_memcpy_async(to + n * Shape::columns, from + at, 16);
  }
  __device__ __forceinline__ static void copy_once(T* to, int n, const T* from, int at) {
    if constexpr (Shape::forgets)
      copy_and_forget(to + n * Shape::columns, from + at);
    else
      copy(to, n, from, at);
  }
  __device__ __forceinline__ void fetch_step(T* to, const int (&where)[places]) const {
    copy(to, Shape::at_u, fields_.u, where[of_u]);
    copy(to, Shape::at_p, fields_.p, where[of_p]);
    if constexpr (Shape::forced)
      if (fields_.force) copy_once(to, Shape::at_force, fields_.force, where[of_g]);
    if constexpr (Shape::varies) {
      copy(to, Shape::at_root, medium_.sqrt_diagonal, where[of_u]);
      copy_once(to, Shape::at_mass, medium_.scaled_mass, where[of_g]);
      if constexpr (temporal::damped<Medium>)
        copy_once(to, Shape::at_damped_mass, medium_.scaled_damped_mass, where[of_g]);
    }
    if constexpr (!Shape::from_zero) copy_once(to, Shape::at_tried, fields_.tried, where[here]);
    copy_once(to, Shape::at_leaving, fields_.u, where[leaves]);
    copy_once(to, Shape::at_leaving + 1, fields_.p, where[leaves]);
  }
  __device__ __forceinline__ void fetch_solve(T* to, const int (&where)[places]) const {
    copy_once(to, Shape::at_b, fields_.b, where[of_g]);
    if constexpr (Shape::varies)
      copy(to, Shape::at_root, medium_.sqrt_diagonal, where[Shape::from_zero ? of_g : here]);
    if constexpr (!Shape::from_zero) {
      if (fields_.x) copy_once(to, Shape::at_x, fields_.x, where[here]);
      if (fields_.before) copy_once(to, Shape::at_before, fields_.before, where[of_g]);
    }
  }

  T* const ring_;
  const Lane lane_;
  const int first_;
  const RowStarts starts_;
  const Medium& medium_;
  const Fields& fields_;
};

}  // namespace wavesim::cuda
