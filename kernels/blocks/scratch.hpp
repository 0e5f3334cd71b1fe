#pragma once
// Groups of lanes (host_group.hpp) with scratch memory, where lanes exchange more than one value at a time:
// shared memory on a GPU, the stack on a CPU. A functor F has
//   template <int W> using Scratch a trivial struct; its initial contents are undefined
//   operator()(g, k, scratch)      the k-th problem, by a group of W lanes. It may do the last one twice.
// The groups of a GPU's warp have to call sync(), broadcast() and the like together: loops around these have
// together(g, n) turns. For a GPU F also has
//   threads(W)                     how many threads take the turns of W lanes
//   resident(W)                    how many blocks of threads are to be resident on a multiprocessor

#include "kernels/backend/backend.hpp"
#ifdef __CUDACC__
#include "kernels/blocks/cuda_wide_group.hpp"
#endif

namespace wavesim {

/// The largest n of the groups that go through the same steps as g.
template <class G>
HD int together(const G& g, int n) {
  if constexpr (requires { g.together(n); })
    return g.together(n);
  else
    return n;
}

#ifdef __CUDACC__

namespace cuda {

/// Of a block: few, so that their scratch memory fits into the 48 KiB that a kernel has by default.
inline constexpr int scratch_threads = 64;

template <int W, class F>
__global__ void __launch_bounds__(scratch_threads, F::resident(W))
    groups_with_scratch_kernel(int count, Guard guard, F f) {
  constexpr int threads = F::threads(W), each = scratch_threads / threads;
  __shared__ typename F::template Scratch<W> scratches[each];
  if (guard.closed()) return;
  const int k = blockIdx.x * each + threadIdx.x / threads;
  f(WideGroup<W, threads>(threadIdx.x), k < count ? k : count - 1, scratches[threadIdx.x / threads]);
}

}  // namespace cuda

template <int W, class F>
void groups_with_scratch(Cuda& be, const char* label, int count, double moved, const F& f) {
  be.counts().add(label, moved, false);
  if (count == 0) return;
  constexpr int each = cuda::scratch_threads / F::threads(W);
  cuda::groups_with_scratch_kernel<W>
      <<<(count + each - 1) / each, cuda::scratch_threads, 0, be.stream()>>>(count, be.guarding(), f);
  check(cudaGetLastError());
}

#else

template <int W, class F>
void groups_with_scratch(Host& be, const char* label, int count, double moved, const F& f) {
  be.groups<W>(label, count, moved, [&](const auto& g, int k) {
    typename F::template Scratch<W> scratch;
    f(g, k, scratch);
  });
}

#endif

}  // namespace wavesim
