#pragma once
// The leaves of a sum that the blocks which end reductions on several GPUs of one host bring each other: no launch stands
// between the parts of a sum and its epilogue. A leaf is its own flag, like the part of a block (cuda_sum.hpp). Compiled by
// nvcc only.

#include "kernels/comm/row_share.hpp"
#include "kernels/numbers/sentinel.hpp"
#include "kernels/reduce/sum_order.hpp"

namespace wavesim {

/// In the memory of a rank's GPU, where the others write. Two places for each leaf, in turns: a rank is at most one sum ahead
/// of another, since it waits for the other's leaves of each.
struct LeafInbox {
  static constexpr int most_doubles = 16;  // of a leaf
  cuda::Sentinel<double>::Bits leaves[2]
                                     [sum_order::lanes * most_doubles];  // sentinels until they are written
  unsigned turn;
};
/// What a rank's kernels know of those.
struct LeafPeers {
  static constexpr int most = 64;
  int rank = 0, ranks = 1;
  LeafInbox* of[most] = {};
};

namespace cuda {

/// By all threads of one block: thread t has leaf t, which belongs to `band` and is known if that is one of this rank's bands.
/// Returns the leaf as the rank has it whose band it is. Threads whose band is `bands` or more have no leaf, and keep theirs.
template <class S>
__device__ S leaf_of_all_ranks(const LeafPeers& peers, S leaf, int thread, int band, int bands) {
  using Bits = Sentinel<double>::Bits;
  constexpr int n = sizeof(S) / sizeof(double);
  static_assert(n <= LeafInbox::most_doubles);
  LeafInbox& own = *peers.of[peers.rank];
  const unsigned turn = own.turn;
  const int rank = band < bands ? rank_of_band(band, bands, peers.ranks) : peers.rank;
  double* const values = reinterpret_cast<double*>(&leaf);
  if (rank == peers.rank && band < bands) {
    for (int r = 0; r < peers.ranks; ++r) {
      if (r == rank) continue;
      Bits* const to = peers.of[r]->leaves[turn % 2] + thread * n;
#pragma unroll
      for (int k = 0; k < n; ++k) {
        Bits bits = Bits(__double_as_longlong(values[k]));
        if (bits == Sentinel<double>::bits) bits = Sentinel<double>::quiet;
        asm volatile("st.relaxed.sys.global.b64 [%0], %1;" ::"l"(to + k), "l"(bits) : "memory");
      }
    }
  }
  __syncwarp();  // who waits does so after its neighbours have written
  if (rank != peers.rank) {
    Bits* const from = own.leaves[turn % 2] + thread * n;
#pragma unroll
    for (int k = 0; k < n; ++k) {
      Bits bits;
      do {
        asm volatile("ld.relaxed.sys.global.b64 %0, [%1];" : "=l"(bits) : "l"(from + k) : "memory");
      } while (bits == Sentinel<double>::bits);
      values[k] = __longlong_as_double(static_cast<long long>(bits));
      from[k] = Sentinel<double>::bits;
    }
  }
  __syncthreads();
  if (thread == 0) own.turn = turn + 1;
  return leaf;
}

}  // namespace cuda

}  // namespace wavesim
