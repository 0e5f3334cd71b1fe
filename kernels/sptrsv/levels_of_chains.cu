// levels_of_chains.hpp on a GPU: a block of three warps for each group of chains. One warp finds levels; the
// other two copy what it will read into shared memory. So it needs few instructions for a level: an
// instruction of a warp that is alone on its multiprocessor takes several cycles.
#include "kernels/sptrsv/levels_of_chains.hpp"

#include <algorithm>

#include "kernels/backend/cuda.hpp"

namespace wavesim {

namespace cuda {

/// Capacity of shared memory: rows of each chain, and levels that a lane keeps for its neighbours.
inline constexpr int chain_ahead = 32, levels_kept = 16, chain_threads = 96;
/// Rows in one group of asynchronous copies, groups in flight, and rows that are searched together for levels
/// of other groups.
inline constexpr int rows_copied = 8, copies_under_way = 3, rows_looked_at = 16;

struct ChainShared {
  int4 row[chain_ahead][chain_group];                 // ChainRow
  unsigned long long kept[levels_kept][chain_group];  // the place in the chain, above, and the level
  int at[chain_group];                                // rows of each chain that are done,
  int filled[chain_group];                            // and rows of it that have been copied
};

template <class V>
__device__ V seen(const V* p) {
  return *static_cast<const volatile V*>(p);
}
template <class V>
__device__ void show(V* p, V v) {
  *static_cast<volatile V*>(p) = v;
}
/// One load of 16 bytes, after everything that the thread has read before.
__device__ inline int4 seen_row(const int4* p) {
  int4 v;
  asm volatile("ld.volatile.shared.v4.s32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(unsigned(__cvta_generic_to_shared(p)))
               : "memory");
  return v;
}

/// Copies rows to shared memory in their order.
__device__ inline void copy_rows(ChainShared& own, const ChainRow* rows, int length, int lane) {
  int filled[copies_under_way + 1] = {};  // after the last groups of copies, the latest first
  for (bool left = true; left;) {
    const int limit = min(length, seen(&own.at[lane]) + chain_ahead);
    int to = filled[0];
#pragma unroll
    for (int u = 0; u < rows_copied; ++u)
      if (to < limit) {
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(
                         unsigned(__cvta_generic_to_shared(&own.row[to % chain_ahead][lane]))),
                     "l"(rows + to)
                     : "memory");
        ++to;
      }
    asm volatile("cp.async.commit_group;\n cp.async.wait_group %0;" ::"n"(copies_under_way) : "memory");
#pragma unroll
    for (int g = copies_under_way; g > 0; --g) filled[g] = filled[g - 1];
    filled[0] = to;
    __threadfence_block();
    show(&own.filled[lane], filled[copies_under_way]);
    left = __any_sync(0xffffffffu, filled[copies_under_way] < length);
  }
}

/// Replaces words that name rows of other groups by their levels as soon as these are known. It polls several
/// rows of each chain together, as one read of global memory takes as long as many levels.
template <int words>
__device__ void look_far(ChainShared& own, int length, const int* level, int lane) {
  const volatile int* const everywhere = level;
  for (int from = 0; __any_sync(0xffffffffu, from < length);) {
    from = max(from, seen(&own.at[lane]));
    const int filled = seen(&own.filled[lane]);
    __threadfence_block();
    int d[rows_looked_at][words];
    bool waits[rows_looked_at];
#pragma unroll
    for (int u = 0; u < rows_looked_at; ++u) {
      const int4 r = from + u < filled ? seen_row(&own.row[(from + u) % chain_ahead][lane]) : int4{};
      const int word[ChainRow::words] = {r.y, r.z, r.w};
      waits[u] = false;
#pragma unroll
      for (int e = 0; e < words; ++e) {
        d[u][e] = -1;
        if (ChainWord::is_far(word[e])) {
          waits[u] = true;
          d[u][e] = everywhere[ChainWord::row(word[e])];
        }
      }
    }
    bool all_known = true;
    int next = from;
#pragma unroll
    for (int u = 0; u < rows_looked_at; ++u) {
      bool known = from + u < filled;
      if (waits[u]) {
        int* const word = reinterpret_cast<int*>(&own.row[(from + u) % chain_ahead][lane]) + 1;
#pragma unroll
        for (int e = 0; e < words; ++e) {
          if (d[u][e] >= 0) show(word + e, ChainWord::known(d[u][e] + 1));
          known = known && !(d[u][e] < 0 && ChainWord::is_far(seen(word + e)));
        }
      }
      all_known = all_known && known;
      next += all_known;
    }
    from = next;
  }
}

/// No deadlock: all blocks are resident, and all lanes of the first warp advance in one loop. Of the rows
/// without a level, the first in the order of the solve depends on no other, and its lane has done all rows
/// before it.
template <int words>
__global__ void __launch_bounds__(chain_threads)
    chain_level_kernel(ChainRows chains, bool forward, Dependencies on, int* level) {
  constexpr unsigned all = 0xffffffffu;
  __shared__ ChainShared own;
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  const int chain = int(blockIdx.x) * chain_group + lane;
  int first = 0, length = 0;
  if (chain < chains.count) {
    first = chains.start[chain];
    length = chains.start[chain + 1] - first;
  }
  if (warp == 0) {
    for (int q = 0; q < levels_kept; ++q) own.kept[q][lane] = ~0ull;
    own.at[lane] = own.filled[lane] = 0;
  }
  __syncthreads();
  if (warp == 1) return copy_rows(own, chains.row + first, length, lane);
  if (warp == 2) return look_far<words>(own, length, level, lane);

  int* everywhere = level;
  asm volatile("" : "+l"(everywhere));  // or each turn would load it from the parameters
  unsigned at = 0;                      // rows that are done
  int above = 0;                        // one more than the level of the last row
  int4 row{};                           // the next one,
  bool there = false;                   // if it has been copied,
  bool lost = false;                    // and whether it needs a level that a lane no longer keeps
  for (;;) {
    constexpr int turns = 16;
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) {
      // A row that was read before all its levels were known is read again in the next turn.
      const int filled = seen(&own.filled[lane]);
      const int4 again = seen_row(&own.row[at % chain_ahead][lane]),
                 next = seen_row(&own.row[(at + 1) % chain_ahead][lane]);
      const int word[ChainRow::words] = {row.y, row.z, row.w};
      unsigned long long kept[words];
#pragma unroll
      for (int e = 0; e < words; ++e)
        kept[e] = seen(&own.kept[unsigned(word[e]) % levels_kept][unsigned(ChainWord::lane(word[e]))]);
      bool ready = there;
      int d = above;
      lost = false;
#pragma unroll
      for (int e = 0; e < words; ++e) {
        const bool near = unsigned(word[e]) < unsigned(ChainWord::first_known);
        const int after = int(kept[e] >> 32) - ChainWord::place(word[e]);
        ready = ready && (near ? after == 0 : word[e] >= 0);
        lost = lost || (near && after > 0);
        d = max(d, near ? int(unsigned(kept[e])) : ChainWord::above(word[e]));
      }
      __syncwarp();  // all lanes have read the levels that the others keep
      if (ready) {
        above = d + 1;
        show(&own.kept[at % levels_kept][lane], static_cast<unsigned long long>(at) << 32 | unsigned(above));
        asm volatile("st.volatile.global.s32 [%0], %1;" ::"l"(everywhere + row.x), "r"(d) : "memory");
        ++at;
        show(&own.at[lane], int(at));
      }
      row = ready ? next : again;
      there = int(at) < filled;
      __syncwarp();
    }
    if (__all_sync(all, int(at) >= length)) break;
    if (there && lost) {  // the row reads its levels from global memory; the matrix says which
      bool complete = row.y >= 0 && row.z >= 0 && row.w >= 0;  // the other warp has written all words
      int d = above;
      for (int k = on.start[row.x]; complete && k < on.start[row.x + 1]; ++k) {
        const int j = on.neighbour[k];
        if (forward ? j >= row.x : j <= row.x) continue;
        const int its = seen(everywhere + j);
        complete = its >= 0;
        d = max(d, its + 1);
      }
      int* const words_of_row = reinterpret_cast<int*>(&own.row[at % chain_ahead][lane]) + 1;
      for (int e = 0; complete && e < ChainRow::words; ++e) show(words_of_row + e, ChainWord::known(d));
    }
    __syncwarp();
  }
}

}  // namespace cuda

int chains_at_once(Cuda&) {
  static const int chains = [] {
    int device = 0, multiprocessors = 0, few = 0, many = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, cuda::chain_level_kernel<1>,
                                                        cuda::chain_threads, 0));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&many, cuda::chain_level_kernel<ChainRow::words>,
                                                        cuda::chain_threads, 0));
    return multiprocessors * std::min(few, many) * chain_group;
  }();
  return chains;
}

void levels_of_chains(Cuda& be, const ChainRows& chains, bool forward, Dependencies on, int* level) {
  be.counts().add("depths by chains", 0, false);
  if (chains.count == 0) return;
  const int groups = (chains.count + chain_group - 1) / chain_group;
  const auto kernel =
      chains.words <= 1 ? cuda::chain_level_kernel<1> : cuda::chain_level_kernel<ChainRow::words>;
  // Blocks wait for one another. A cooperative launch fails if not all of them can be resident.
  void* arguments[] = {const_cast<ChainRows*>(&chains), &forward, &on, &level};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(unsigned(groups)),
                                    dim3(cuda::chain_threads), arguments, 0, be.stream()));
}

}  // namespace wavesim
