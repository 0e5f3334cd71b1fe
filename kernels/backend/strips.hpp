#pragma once
// Work on `n` neighbouring elements of each of `count` pieces: lines cut into pieces, or rows of which one call
// handles several elements. A thread of a GPU has one element of one piece; a thread of a CPU has 16
// neighbouring elements, so that its inner loops vectorise.

#include "kernels/backend/backend.hpp"

namespace wavesim {

#ifndef __CUDACC__
/// f(Width<W>, first, piece) for elements first, ..., first + W - 1, in whatever order. The last W may reach
/// beyond n. `moved`: bytes read and written. `shared`: the threads of a CPU share it out; else where much is moved.
template <class F>
void strips(Host& be, const char* label, int n, int count, double moved, F f, bool shared) {
  be.counts().add(label, moved, false);
  constexpr int W = 16;
  const int across = (n + W - 1) / W;
  const long all = long(across) * count;
#pragma omp parallel for schedule(static) if (shared)
  for (long k = 0; k < all; ++k) f(Width<W>{}, int(k % across) * W, int(k / across));
}
template <class F>
void strips(Host& be, const char* label, int n, int count, double moved, F f) {
  strips(be, label, n, count, moved, f, moved > 1 << 17);
}
#else
namespace cuda {
/// A warp has 32 elements of one piece, a block has several pieces: data that these share is in its cache.
inline constexpr int strip_pieces = 4;
template <class F>
__global__ void __launch_bounds__(32 * strip_pieces)
    strips_kernel(int n, int across, int count, Guard guard, F f) {
  if (guard.closed()) return;
  const int k = int(blockIdx.x) % across * 32 + int(threadIdx.x),
            piece = int(blockIdx.x) / across * strip_pieces + int(threadIdx.y);
  if (k < n && piece < count) f(Width<1>{}, k, piece);
}
}  // namespace cuda

template <class F>
void strips(Cuda& be, const char* label, int n, int count, double moved, F f, bool /*shared*/ = true) {
  be.counts().add(label, moved, false);
  const int across = (n + 31) / 32, up = (count + cuda::strip_pieces - 1) / cuda::strip_pieces;
  cuda::strips_kernel<<<across * up, dim3(32, cuda::strip_pieces), 0, be.stream()>>>(n, across, count,
                                                                                     be.guarding(), f);
  check(cudaGetLastError());
}
#endif

}  // namespace wavesim
