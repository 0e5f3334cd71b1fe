#pragma once
// level_schedule.hpp on a GPU where levels have few rows: one block of threads for each right-hand side solves
// all rows. In a turn it takes as many rows of one level as it has lanes for; a barrier ends each turn. The
// loads of the next turns are issued meanwhile, so that a turn waits for memory only where it needs a value
// that was found long ago. Compiled by nvcc only.

#include "kernels/backend/cuda.hpp"
#include "kernels/sptrsv/level_schedule.hpp"

namespace wavesim {

namespace cuda {

inline constexpr int alone_threads = 512;
static_assert(alone_threads == 32 * most_lanes_of_a_row);  // a turn takes one slice at least
/// The values found last, in shared memory; older ones are read from x.
inline constexpr int values_kept = 8192;
/// Entries that a lane reads ahead. A row's others come straight from memory.
inline constexpr int entries_ahead = 4;

/// The turns one after the other, in slices: `slice` .. of level `level`.
struct Turn {
  const int* start;  // of levels
  int levels, step, level = 0, slice = 0;
  __device__ bool there() const { return level < levels; }
  __device__ void next() {
    slice += step;
    if (slice >= start[level + 1]) slice = start[++level];
  }
};

/// L lanes of a row lie 32 / L apart in their warp, so that neighbours read neighbouring rows.
template <class T, int L>
__global__ void __launch_bounds__(alone_threads) alone_kernel(ScheduleView<T> A, const int* level, int levels,
                                                              const T* b, T* x, long stride, Guard guard) {
  if (guard.closed()) return;
  constexpr int rows_of_warp = 32 / L, E = entries_ahead;
  extern __shared__ __align__(16) unsigned char memory[];
  T* const kept = reinterpret_cast<T*>(memory);
  int* const start = reinterpret_cast<int*>(kept + values_kept);
  b += long(blockIdx.x) * stride;
  x += long(blockIdx.x) * stride;
  for (int k = threadIdx.x; k <= levels; k += blockDim.x) start[k] = level[k];
  __syncthreads();

  const int lane = int(threadIdx.x) % 32, part = lane / rows_of_warp;
  const int rows = int(blockDim.x) / L;  // of a turn
  const int own = int(threadIdx.x) / 32 * rows_of_warp + lane % rows_of_warp;
  struct Lane {  // what a lane has of its row
    int place = 0, height = 0, width = 0, entry = 0, reference[E];
    bool there = false;
    ScheduleRow row;
    T inverse, value[E], b;
  };
  Turn turn{start, levels, rows / 32};
  // A slice is read two turns ahead, the row and the lane's entries one, b in the turn before.
  const auto slice_of = [&](ScheduleSlice& s) {
    s.height = 0;
    if (!turn.there()) return;
    const int mine = turn.slice + own / 32;
    if (mine < start[turn.level + 1]) s = A.slice[mine];
    turn.next();
  };
  const auto row_of = [&](const ScheduleSlice& s, Lane& to) {
    const int k = own % 32;
    to.there = k < s.height;
    to.place = s.first + k, to.height = s.height, to.width = s.width, to.entry = s.entry + k;
    if (!to.there) return;
    if (part == 0) {
      to.row = A.row[to.place];
      to.inverse = A.inverse ? A.inverse[to.place] : T(1);
    }
#pragma unroll
    for (int e = 0; e < E; ++e) {
      const int at = to.entry + (part + e * L) * s.height;
      const bool within = part + e * L < s.width;
      to.reference[e] = within ? A.reference[at] : no_reference;
      to.value[e] = within ? A.value[at] : T(0);
    }
  };
  const auto right_hand_side = [&](Lane& to) { to.b = to.there && part == 0 ? b[to.row.row] : T(0); };
  const auto solve = [&](const Lane& r) {
    const int oldest = r.place - own + rows - values_kept;  // that no row of this turn overwrites
    const auto value_of = [&](int place) {
      // another lane of this block wrote it before a barrier
      return place >= oldest ? kept[place % values_kept]
                             : *static_cast<const volatile T*>(x + A.row[place].row);
    };
    T sum = r.b;
    if (r.there) {
#pragma unroll
      for (int e = 0; e < E; ++e)
        if (r.reference[e] != no_reference) sum = std::fma(-r.value[e], value_of(r.reference[e]), sum);
      for (int e = part + E * L; e < r.width; e += E * L) {
        int reference[E];
        T value[E];
#pragma unroll
        for (int q = 0; q < E; ++q) {
          const int at = r.entry + (e + q * L) * r.height;
          const bool within = e + q * L < r.width;
          reference[q] = within ? A.reference[at] : no_reference;
          value[q] = within ? A.value[at] : T(0);
        }
#pragma unroll
        for (int q = 0; q < E; ++q)
          if (reference[q] != no_reference) sum = std::fma(-value[q], value_of(reference[q]), sum);
      }
    }
#pragma unroll
    for (int apart = rows_of_warp; apart < 32; apart *= 2) sum += __shfl_xor_sync(~0u, sum, apart);
    if (!r.there || part != 0) return;
    const T found = A.inverse ? r.inverse * sum : sum;
    kept[r.place % values_kept] = found;
    x[r.row.row] = found;
  };

  ScheduleSlice ahead;
  Lane now, next;
  bool more = turn.there();
  slice_of(ahead);
  row_of(ahead, now);
  bool more_next = turn.there();
  slice_of(ahead);
  row_of(ahead, next);
  bool more_ahead = turn.there();
  slice_of(ahead);
  right_hand_side(now);
  while (more) {
    Lane after;
    right_hand_side(next);
    row_of(ahead, after);
    const bool another = turn.there();
    slice_of(ahead);
    solve(now);
    __syncthreads();
    now = next, next = after;
    more = more_next, more_next = more_ahead, more_ahead = another;
  }
}

template <class T, int L>
void start_alone(Cuda& be, const LevelSchedule<Cuda, T>& r, const T* b, T* x, int count, long stride) {
  const int levels = int(r.level.size()) - 1;
  const int bytes = values_kept * int(sizeof(T)) + (levels + 1) * int(sizeof(int));
  [[maybe_unused]] static const bool allowed = allow_shared_memory(alone_kernel<T, L>, 220 * 1024);
  int threads = 32 * L;
  while (threads < alone_threads && 2L * threads * levels < 3L * L * r.rows) threads *= 2;
  alone_kernel<T, L>
      <<<count, threads, bytes, be.stream()>>>(r.view(), r.level.data(), levels, b, x, stride, be.guarding());
  check(cudaGetLastError());
}

template <class T, int L = 1>
void sptrsv_one_block(Cuda& be, const LevelSchedule<Cuda, T>& r, const T* b, T* x, int count, long stride) {
  if constexpr (L < most_lanes_of_a_row)
    if (r.lanes > L) return sptrsv_one_block<T, 2 * L>(be, r, b, x, count, stride);
  start_alone<T, L>(be, r, b, x, count, stride);
}

}  // namespace cuda

}  // namespace wavesim
