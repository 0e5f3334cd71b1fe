#pragma once
// What each launch is given beside its work: a guard, and where a reduction ends. Compiled by nvcc only.

#include <cuda_runtime.h>

#include "kernels/reduce/all_gather.hpp"
#include "kernels/reduce/sum_order.hpp"

namespace wavesim::cuda {

/// Threads of a block.
inline constexpr int threads = sum_order::lanes;

/// A kernel under a guard does nothing unless *flag == value when it starts.
struct Guard {
  const int* flag = nullptr;
  int value = 0;
  __device__ bool closed() const { return flag && *flag != value; }
};

/// Where a reduction leaves its result, and when the epilogue runs: in the same kernel, or in a launch of its
/// own of that kernel, after the results of all ranks were gathered.
template <class R>
struct Conclusion {
  enum When { at_once, later, now };
  R* out;
  When when = at_once;
  const R* gathered = nullptr;
  int ranks = 0;

  /// Whether this launch is for the epilogue alone, which then has run.
  template <class Epilogue>
  __device__ bool alone(int thread, const Epilogue& epilogue) const {
    if (when != now) return false;
    if (blockIdx.x == 0 && thread == 0) {
      const R result = joined(gathered, ranks);
      *out = result;
      epilogue(result);
    }
    return true;
  }
  template <class Epilogue>
  __device__ void end(const R& result, const Epilogue& epilogue) const {
    *out = result;
    if (when == at_once) epilogue(result);
  }
};

}  // namespace wavesim::cuda
