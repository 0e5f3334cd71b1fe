#pragma once
// The kernel of cuda_solve.hpp: a block of three warps for each band. One warp solves; the others copy what it
// will read into shared memory. So it needs few instructions for a slice: an instruction of a warp that is
// alone on its multiprocessor takes several cycles. Compiled by nvcc only.

#include "kernels/backend/cuda.hpp"
#include "kernels/numbers/sentinel.hpp"
#include "kernels/sptrsv/cuda_async_copy.hpp"
#include "kernels/sptrsv/level_schedule.hpp"

namespace wavesim::cuda {

inline constexpr int schedule_reach = 16;  // slices whose values a band keeps
/// Slices that shared memory holds: of the matrix, and of b with the values of other bands, whose addresses are
/// in the matrix. Copies start that many slices ahead, less the one that is being solved.
inline constexpr int matrix_ahead = 16, values_ahead = 8, slices_ahead = 64, sptrsv_threads = 96;
static_assert(schedule_reach > values_ahead && matrix_ahead == 2 * values_ahead);

/// 8 bytes of sentinels.
inline constexpr unsigned long long sentinel_word(double) { return Sentinel<double>::bits; }
inline constexpr unsigned long long sentinel_word(float) {
  return (static_cast<unsigned long long>(Sentinel<float>::bits) << 32) | Sentinel<float>::bits;
}

template <class T>
__device__ typename Sentinel<T>::Bits bits_of_value(T v) {
  if constexpr (sizeof(T) == 8)
    return static_cast<typename Sentinel<T>::Bits>(__double_as_longlong(v));
  else
    return __float_as_uint(v);
}
template <class T>
__device__ T value_of_bits(typename Sentinel<T>::Bits b) {
  if constexpr (sizeof(T) == 8)
    return __longlong_as_double(static_cast<long long>(b));
  else
    return __uint_as_float(b);
}

/// Values of V right-hand sides in a cell of at least 16 bytes.
template <class T, int V>
inline constexpr int cell_values = V* int(sizeof(T)) < 16 ? 16 / int(sizeof(T)) : V;

/// What a band has in shared memory: E entries of a row and V right-hand sides.
template <class T, int V, int E>
struct SolveShared {
  alignas(16) typename Sentinel<T>::Bits cell[values_ahead][E][32][cell_values<T, V>];
  ScheduleSlice slice[slices_ahead];
  ScheduleRow row[matrix_ahead][32];
  T inverse[matrix_ahead][32];
  T value[matrix_ahead][E][32];
  int reference[matrix_ahead][E][32];
  T b[values_ahead][V][32];
  T kept[V][schedule_reach * 32];
};

/// ticket: the next band to start; armed: whether to solve at all (SetSentinels, which runs under the guard,
/// sets it); finished: bands that are done.
struct ScheduleControl {
  unsigned ticket, armed, finished;
};

/// Fills all cells with sentinels, and arms the solve.
struct SetSentinels {
  ulonglong2* cells;
  ScheduleControl* control;
  unsigned long long sentinel;
  HD void operator()(int k) const {
    cells[k] = {sentinel, sentinel};
    if (k == 0) control->armed = 1;
  }
};

template <class T, int V, int E>
__global__ void __launch_bounds__(sptrsv_threads)
    sptrsv_kernel(ScheduleView<T> A, const T* b, T* x, int count, long stride,
                  typename Sentinel<T>::Bits* cells, ScheduleControl* control) {
  using Bits = typename Sentinel<T>::Bits;
  extern __shared__ __align__(16) unsigned char memory[];
  auto& own = *reinterpret_cast<SolveShared<T, V, E>*>(memory);
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  // Bands start in their order, whatever order the blocks start in: a band waits for earlier ones only.
  __shared__ int task;
  if (threadIdx.x == 0)
    task = *static_cast<volatile unsigned*>(&control->armed) ? int(atomicAdd(&control->ticket, 1u)) : -1;
  __syncthreads();
  if (task < 0) return;
  const int group = task / A.bands, band = task % A.bands;
  const int vectors = min(V, count - group * V);
  b += long(group) * V * stride;
  x += long(group) * V * stride;
  cells += std::size_t(group) * A.cells * cell_values<T, V>;
  const int first = A.band[band], slices = A.band[band + 1] - first;

  const auto fetch_slices = [&](int s) {  // s .. s + 31
    if (s + lane < slices) copy_ahead(&own.slice[(s + lane) % slices_ahead], A.slice + first + s + lane);
  };
  const auto fetch_matrix = [&](int s) {
    if (s >= slices) return;
    const ScheduleSlice S = own.slice[s % slices_ahead];
    if (lane >= S.height) return;
    const int to = s % matrix_ahead;
    copy_ahead(&own.row[to][lane], A.row + S.first + lane);
    if (A.inverse) copy_ahead(&own.inverse[to][lane], A.inverse + S.first + lane);
    const int at = S.entry + lane;
#pragma unroll
    for (int e = 0; e < E; ++e)
      if (e < S.width) {
        copy_ahead(&own.reference[to][e][lane], A.reference + at + e * S.height);
        copy_ahead(&own.value[to][e][lane], A.value + at + e * S.height);
      }
  };
  const auto fetch_values = [&](int s) {
    if (s >= slices) return;
    const ScheduleSlice S = own.slice[s % slices_ahead];
    if (lane >= S.height) return;
    const int from = s % matrix_ahead, to = s % values_ahead;
    const T* bs = b + own.row[from][lane].row;
#pragma unroll
    for (int v = 0; v < V; ++v)
      if (v < vectors) copy_ahead(&own.b[to][v][lane], bs + v * stride);
#pragma unroll
    for (int e = 0; e < E; ++e)
      if (e < S.width) {
        const int c = own.reference[from][e][lane];
        if (c < 0 && c != no_reference) {
          const Bits* cell = cells + std::size_t(~c) * cell_values<T, V>;
#pragma unroll
          for (int part = 0; part < cell_values<T, V>; part += 16 / int(sizeof(T)))
            copy_ahead(reinterpret_cast<uint4*>(&own.cell[to][e][lane][part]),
                       reinterpret_cast<const uint4*>(cell + part));
        }
      }
  };
  /// The value of another band; `bits` is what was read of it before, perhaps the sentinel.
  const auto waited_for = [&](Bits bits, int c, int v) {
    const volatile Bits* cell = cells + std::size_t(~c) * cell_values<T, V> + v;
    while (bits == Sentinel<T>::bits) bits = *cell;
    return bits;
  };

  // What the solving lane needs of a row, loaded while the slice before it is solved.
  int height = 0, width = 0, entry = 0, reference[E];
  ScheduleRow row;
  T inverse = 1, value[E], sum[V];
  Bits remote[E][V];
  const auto load = [&](int s) {
    const ScheduleSlice S = own.slice[s % slices_ahead];
    height = s < slices ? S.height : 0;
    width = S.width;
    entry = S.entry + lane;
    if (lane >= height) return;
    const int m = s % matrix_ahead, w = s % values_ahead;
    row = own.row[m][lane];
    if (A.inverse) inverse = own.inverse[m][lane];
#pragma unroll
    for (int e = 0; e < E; ++e) {
      reference[e] = e < width ? own.reference[m][e][lane] : no_reference;
      value[e] = own.value[m][e][lane];
#pragma unroll
      for (int v = 0; v < V; ++v) remote[e][v] = own.cell[w][e][lane][v];
    }
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] = v < vectors ? own.b[w][v][lane] : T(0);
  };
  const auto solve = [&](int s) {
    if (lane >= height) return;
    T near[E][V];
#pragma unroll
    for (int e = 0; e < E; ++e)
#pragma unroll
      for (int v = 0; v < V; ++v) near[e][v] = reference[e] >= 0 ? own.kept[v][reference[e]] : T(0);
#pragma unroll
    for (int e = 0; e < E; ++e) {
      const int c = reference[e];
      if (c == no_reference) continue;
#pragma unroll
      for (int v = 0; v < V; ++v) {
        if (c < 0 && remote[e][v] == Sentinel<T>::bits) remote[e][v] = waited_for(remote[e][v], c, v);
        sum[v] = std::fma(-value[e], c < 0 ? value_of_bits<T>(remote[e][v]) : near[e][v], sum[v]);
      }
    }
    // The other entries of a long row come from global memory, a few loads at a time.
    constexpr int piece = 4;
    for (int e = E; e < width; e += piece) {
      int c[piece];
      T a[piece];
      Bits far[piece][V];
#pragma unroll
      for (int q = 0; q < piece; ++q) {
        const int at = entry + (e + q) * height;
        const bool there = e + q < width;
        c[q] = there ? A.reference[at] : no_reference;
        a[q] = there ? A.value[at] : T(0);
      }
#pragma unroll
      for (int q = 0; q < piece; ++q)
        if (c[q] < 0 && c[q] != no_reference) {
#pragma unroll
          for (int v = 0; v < V; ++v) far[q][v] = __ldcg(cells + std::size_t(~c[q]) * cell_values<T, V> + v);
        }
#pragma unroll
      for (int q = 0; q < piece; ++q) {
        if (c[q] == no_reference) continue;
#pragma unroll
        for (int v = 0; v < V; ++v)
          sum[v] = std::fma(-a[q],
                            c[q] >= 0 ? own.kept[v][c[q]] : value_of_bits<T>(waited_for(far[q][v], c[q], v)),
                            sum[v]);
      }
    }
    const int place = s % schedule_reach * 32 + lane;
#pragma unroll
    for (int v = 0; v < V; ++v) {
      Bits bits = bits_of_value(A.inverse ? inverse * sum[v] : sum[v]);
      if (bits == Sentinel<T>::bits) bits = Sentinel<T>::quiet;  // b may hold these bits
      const T found = value_of_bits<T>(bits);
      own.kept[v][place] = found;
      if (row.cell >= 0)
        *static_cast<volatile Bits*>(cells + std::size_t(row.cell) * cell_values<T, V> + v) = bits;
      if (v < vectors) x[row.row + v * stride] = found;
    }
  };

  // The first slices are all in shared memory before the first one is solved.
  if (warp == 0) {
    fetch_slices(0);
    fetch_slices(32);
  }
  end_of_copies();
  wait_for_copies<0>();
  __syncthreads();
  if (warp == 2)
    for (int s = 0; s < matrix_ahead - 1; ++s) fetch_matrix(s);
  end_of_copies();
  wait_for_copies<0>();
  __syncthreads();
  if (warp == 1)
    for (int s = 0; s < values_ahead - 1; ++s) fetch_values(s);
  end_of_copies();
  wait_for_copies<0>();
  __syncthreads();
  if (warp == 0) load(0);
  for (int s = 0; s < slices; ++s) {
    // The copies that began in turns up to s - values_ahead + 2 are complete: the matrix up to slice
    // s + values_ahead + 1, and the values up to slice s + 1.
    wait_for_copies<values_ahead - 3>();
    __syncthreads();
    if (warp == 0) {
      solve(s);
      load(s + 1);
    } else if (warp == 1) {
      fetch_values(s + values_ahead - 1);
      end_of_copies();
    } else {
      fetch_matrix(s + matrix_ahead - 1);
      if (s % 32 == 0 && s > 0) fetch_slices(s + 32);
      end_of_copies();
    }
  }
  wait_for_copies<0>();
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(&control->finished, 1u) == gridDim.x - 1)
    *control = {};  // all blocks have started: none reads it any more
}

}  // namespace wavesim::cuda
