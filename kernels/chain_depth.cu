// The same on a GPU: a warp for a group of chains.
#include "kernels/chain_depth.hpp"

#include <cstdlib>
#include "kernels/cuda.hpp"

namespace wavesim {

namespace cuda {

/// Rows whose depths a lane leaves for its neighbours.
inline constexpr int depths_kept = 16;

/// What a warp has in shared memory. Depths of other groups are copied `ahead` rows before they are wanted,
/// and rows, which say where those stand, twice as many.
template <int E, int ahead>
struct ChainShared {
  int4 far[ahead][E][chain_group];
  ChainRow<E> row[2 * ahead][chain_group];
  unsigned long long kept[depths_kept][chain_group];  // the place in the chain, above, and the depth
};

template <int bytes>
__device__ void copy_row_ahead(void* to, const void* from) {
  asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2;" ::"r"(
                   unsigned(__cvta_generic_to_shared(to))),
               "l"(from), "n"(bytes)
               : "memory");
}
/// Past the cache of the multiprocessor, which would keep what others have not written yet.
__device__ inline void copy_depths_ahead(int4* to, const int* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}

/// All warps are resident, and each of them lets all its lanes take their turn in one loop: the row that is
/// least in the order of the solve among those that are not done waits for nobody, and its lane has done all
/// rows before.
template <int E, int ahead>
__global__ void __launch_bounds__(chain_group)
    chain_depth_kernel(ChainRows<E> chains, int n, bool forward, Dependencies on, int* depth) {
  constexpr unsigned all = 0xffffffffu;
  constexpr int rows_ahead = 2 * ahead;
  extern __shared__ __align__(16) unsigned char memory[];
  auto& own = *reinterpret_cast<ChainShared<E, ahead>*>(memory);
  const int lane = int(threadIdx.x), chain = int(blockIdx.x) * chain_group + lane;
  int first = 0, length = 0;
  if (chain < chains.count) {
    first = chains.start[chain];
    length = chains.start[chain + 1] - first;
  }
  int at = 0, known = 0;  // the place in the chain; the depth of that row as far as it has been looked at
  volatile int* const everywhere = depth;
  const auto fetch_row = [&](int p) {
    if (p < length)
      copy_row_ahead<int(sizeof(ChainRow<E>))>(&own.row[p % rows_ahead][lane], chains.row + first + p);
  };
  const auto fetch_far = [&](int p) {
    if (p >= length) return;
    const ChainRow<E> r = own.row[p % rows_ahead][lane];
#pragma unroll
    for (int e = 0; e < E; ++e)
      if (const int j = ~r.other[e]; j >= 0 && (j | 3) < n)
        copy_depths_ahead(&own.far[p % ahead][e][lane], depth + (j & ~3));
  };
  /// The copy of what word e of the current row wants; -1 if there is none yet.
  const auto far_depth = [&](int e, int w) {
    return (~w | 3) < n ? reinterpret_cast<const int*>(&own.far[at % ahead][e][lane])[~w & 3] : -1;
  };
  for (int q = 0; q < depths_kept; ++q) own.kept[q][lane] = ~0ull;
  for (int p = 0; p < rows_ahead; ++p) fetch_row(p);
  asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;" ::: "memory");
  for (int p = 0; p < ahead; ++p) fetch_far(p);
  asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;" ::: "memory");
  __syncwarp();

  ChainRow<E> row = own.row[0][lane], next = own.row[1][lane];
  bool by_matrix = false;  // the row's others are looked for in the matrix, from entry k on
  int k = 0, end = 0;
  while (!__all_sync(all, at >= length)) {
    // one group of copies to the turn: those of `ahead` turns ago are there
    asm volatile("cp.async.wait_group %0;" ::"n"(ahead - 1) : "memory");
    const bool working = at < length;
    unsigned long long near[E];
    int far[E];
    bool stale = false;
#pragma unroll
    for (int e = 0; e < E; ++e) {
      const int w = row.other[e];
      near[e] = own.kept[ChainWord::place(w) % depths_kept][ChainWord::lane(w)];
      far[e] = far_depth(e, w);
      stale = stale || (working && w < 0 && far[e] < 0);
    }
    if (stale) {  // copies anew, and of the rows that follow: others go on meanwhile
      for (int p = at; p < at + ahead; ++p) fetch_far(p);
      asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;" ::: "memory");
#pragma unroll
      for (int e = 0; e < E; ++e) {
        const int w = row.other[e];
        if (w < 0) far[e] = (~w | 3) < n ? far_depth(e, w) : everywhere[~w];
      }
    }
    bool ready = working, lost = false;
#pragma unroll
    for (int e = 0; e < E; ++e) {
      const int w = row.other[e];
      if (!working || w == ChainWord::nobody) continue;
      int d = far[e];
      if (w >= 0) {
        const int after = int(near[e] >> 32) - ChainWord::place(w);
        d = after == 0 ? int(unsigned(near[e])) : -1;
        if (w == ChainWord::more) d = -1;
        lost = lost || after > 0 || w == ChainWord::more;
      }
      ready = ready && d >= 0;
      known = max(known, d + 1);
    }
    if (lost || by_matrix) {
      if (!by_matrix) {
        k = on.start[row.row];
        end = on.start[row.row + 1];
        by_matrix = true;
      }
      for (; k < end; ++k) {
        const int j = on.neighbour[k];
        if (forward ? j >= row.row : j <= row.row) continue;
        const int d = everywhere[j];
        if (d < 0) break;
        known = max(known, d + 1);
      }
      ready = k == end;
      if (ready) by_matrix = false;
    }
    __syncwarp();  // all have read what the others left
    if (ready) {
      own.kept[at % depths_kept][lane] = static_cast<unsigned long long>(at) << 32 | unsigned(known);
      everywhere[row.row] = known++;
      ++at;
      row = next;
      next = own.row[(at + 1) % rows_ahead][lane];
      fetch_row(at + rows_ahead - 1);
      fetch_far(at + ahead - 1);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    __syncwarp();
  }
  asm volatile("cp.async.wait_group 0;" ::: "memory");
}

template <int E, int ahead>
constexpr int chain_shared_bytes = int(sizeof(ChainShared<E, ahead>));

}  // namespace cuda

namespace {

#define AHEAD(call) \
  switch (chain_ahead()) { case 4: { constexpr int ahead = 4; call; } break; case 16: { constexpr int ahead = 16; call; } break; \
    default: { constexpr int ahead = 8; call; } }
int chain_ahead() { const char* e = std::getenv("CHAIN_AHEAD"); return e ? std::atoi(e) : 8; }

template <int E>
int resident_chains() {
  int device = 0, multiprocessors = 0, blocks = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  AHEAD((check(cudaFuncSetAttribute(cuda::chain_depth_kernel<E, ahead>, cudaFuncAttributeMaxDynamicSharedMemorySize, cuda::chain_shared_bytes<E, ahead>)), check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, cuda::chain_depth_kernel<E, ahead>, chain_group,
                                                      cuda::chain_shared_bytes<E, ahead>))))
  return multiprocessors * blocks * chain_group;
}

}  // namespace

int chains_at_once(Cuda&, int words) {
  static const int few = resident_chains<1>(), many = resident_chains<3>();
  return words == 1 ? few : many;
}

template <int E>
void chain_depths(Cuda& be, const ChainRows<E>& chains, int n, bool forward, Dependencies on, int* depth) {
  be.tally().add("depths by chains", 0, false);
  if (chains.count == 0) return;
  const int groups = (chains.count + chain_group - 1) / chain_group;
  AHEAD((cuda::chain_depth_kernel<E, ahead><<<groups, chain_group, cuda::chain_shared_bytes<E, ahead>, be.stream()>>>(
      chains, n, forward, on, depth)))
  check(cudaGetLastError());
}

template void chain_depths(Cuda&, const ChainRows<1>&, int, bool, Dependencies, int*);
template void chain_depths(Cuda&, const ChainRows<3>&, int, bool, Dependencies, int*);

}  // namespace wavesim
