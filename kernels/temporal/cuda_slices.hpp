#pragma once
// The slices of a block of blocked sweeps, one after the other as its rows are done. Compiled for CPUs in tests, too.

#include "kernels/temporal/block_plan.hpp"

namespace wavesim::cuda {

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

}  // namespace wavesim::cuda
