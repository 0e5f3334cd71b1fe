#pragma once
// The slices of a block of blocked sweeps, one after the other as its rows are done. Compiled for CPUs in tests, too.

#include "kernels/temporal/block_plan.hpp"

namespace wavesim::cuda {

/// With the number of the current slice in a register.
class SlicesInTurn {
 public:
  __device__ explicit SlicesInTurn(const SweepPlan& plan)
      : plan_(plan), slice_(plan.first_slice(blockIdx.x / plan.strips)) {}
  /// The row after the last of the slice.
  __device__ int end() const { return plan_.first_row_of(slice_ + 1); }
  /// Whether it is the block's.
  __device__ bool any() const { return slice_ < plan_.first_slice(blockIdx.x / plan_.strips + 1); }
  /// Where its part is; goes on with the next slice.
  __device__ int next() { return plan_.part(blockIdx.x % plan_.strips, slice_++); }

 private:
  const SweepPlan& plan_;
  int slice_;
};

/// Found by a row, each time anew: where the rows at work leave no register for a number.
class SlicesByRow {
 public:
  __device__ explicit SlicesByRow(const SweepPlan& plan) : plan_(plan) {}
  /// The row after the last of the slice that `row` lies in; of the block's first slice for rows before that.
  __device__ int end(int row) const { return plan_.first_row_of(slice(row) + 1); }
  /// Where the part of that slice is.
  __device__ int part(int row) const { return plan_.part(block() % plan_.strips, slice(row)); }

 private:
  __device__ int slice(int row) const {
    int slice = plan_.first_slice(block() / plan_.strips);
    while (plan_.first_row_of(slice + 1) <= row) ++slice;
    return slice;
  }
  /// Volatile: not to be found once and kept.
  __device__ static int block() {
#ifdef __CUDA_ARCH__
    int k;
    asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(k));
    return k;
#else
    return int(blockIdx.x);
#endif
  }

  const SweepPlan& plan_;
};

}  // namespace wavesim::cuda
