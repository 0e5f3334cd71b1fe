#pragma once
// level_schedule.hpp on a GPU: a block of three warps for each band. One solves; the others copy what it will
// read into shared memory, so that it has few instructions to the slice: those of a warp alone on its
// multiprocessor take several cycles each. Compiled by nvcc only.

#include "kernels/backend/cuda.hpp"
#include "kernels/lists/each.hpp"
#include "kernels/numbers/sentinel.hpp"
#include "kernels/sptrsv/cuda_solve_one_block.hpp"
#include "kernels/sptrsv/level_schedule.hpp"

namespace wavesim {

namespace cuda {

inline constexpr int schedule_reach = 16;  // slices whose values a band keeps
/// Slices for which there is room in shared memory: of the matrix, and of b and of the values of other bands,
/// whose addresses stand in the matrix. Copies start as many slices ahead, less the one that is being solved.
inline constexpr int matrix_ahead = 16, values_ahead = 8, slices_ahead = 64, sptrsv_threads = 96;
static_assert(schedule_reach > values_ahead && matrix_ahead == 2 * values_ahead);

/// 8 bytes of marks.
inline constexpr unsigned long long marks(double) { return Sentinel<double>::bits; }
inline constexpr unsigned long long marks(float) {
  return (static_cast<unsigned long long>(Sentinel<float>::bits) << 32) | Sentinel<float>::bits;
}

__device__ inline void copy_ahead(void* to, const void* from, std::integral_constant<int, 4>) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
__device__ inline void copy_ahead(void* to, const void* from, std::integral_constant<int, 8>) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
/// Past the cache of the multiprocessor, which would keep what other bands have not written yet.
__device__ inline void copy_ahead(void* to, const void* from, std::integral_constant<int, 16>) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
template <class V>
__device__ void copy_ahead(V* to, const V* from) {
  copy_ahead(to, from, std::integral_constant<int, int(sizeof(V))>{});
}
__device__ inline void end_of_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int pending>
__device__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
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
struct RelayShared {
  alignas(16) typename Sentinel<T>::Bits cell[values_ahead][E][32][cell_values<T, V>];
  ScheduleSlice slice[slices_ahead];
  ScheduleRow row[matrix_ahead][32];
  T inverse[matrix_ahead][32];
  T value[matrix_ahead][E][32];
  int reference[matrix_ahead][E][32];
  T b[values_ahead][V][32];
  T kept[V][schedule_reach * 32];
};

/// ticket: the next band to start; armed: whether there is work (the pass that sets it runs under the guard);
/// finished: bands that are done.
struct ScheduleControl {
  unsigned ticket, armed, finished;
};

/// Says of all cells that nothing is there, and arms the relay.
struct MarkCells {
  ulonglong2* cells;
  ScheduleControl* control;
  unsigned long long mark;
  HD void operator()(int k) const {
    cells[k] = {mark, mark};
    if (k == 0) control->armed = 1;
  }
};

template <class T, int V, int E>
__global__ void __launch_bounds__(sptrsv_threads)
    sptrsv_kernel(ScheduleView<T> A, const T* b, T* x, int count, long stride,
                  typename Sentinel<T>::Bits* cells, ScheduleControl* control) {
  using Bits = typename Sentinel<T>::Bits;
  extern __shared__ __align__(16) unsigned char memory[];
  auto& own = *reinterpret_cast<RelayShared<T, V, E>*>(memory);
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  // Bands that wait for each other start one after the other, whatever order the blocks start in.
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
  /// The value of another band, if `bits` is not yet it.
  const auto waited_for = [&](Bits bits, int c, int v) {
    const volatile Bits* cell = cells + std::size_t(~c) * cell_values<T, V> + v;
    while (bits == Sentinel<T>::bits) bits = *cell;
    return bits;
  };

  // What the solving lane needs of a row, loaded while the slice before is on its way.
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
    // What a long row has beyond: straight from memory, some of it ahead.
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
      if (bits == Sentinel<T>::bits) bits = Sentinel<T>::quiet;  // of a row without entries whose b is that
      const T found = value_of_bits<T>(bits);
      own.kept[v][place] = found;
      if (row.cell >= 0)
        *static_cast<volatile Bits*>(cells + std::size_t(row.cell) * cell_values<T, V> + v) = bits;
      if (v < vectors) x[row.row + v * stride] = found;
    }
  };

  // The first slices: all there before the first is solved.
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
    // Copies that began in turns up to s - values_ahead + 2 are there: the matrix up to s + values_ahead + 1,
    // and the values up to s + 1.
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
    *control = {};  // all have started: nobody reads it any more
}

template <class T, int V, int E>
void start_solve(Cuda& be, const ScheduleView<T>& A, const T* b, T* x, int count, long stride,
                 typename Sentinel<T>::Bits* cells, ScheduleControl* control) {
  constexpr int bytes = int(sizeof(RelayShared<T, V, E>));
  static const bool allowed = [] {
    check(cudaFuncSetAttribute(sptrsv_kernel<T, V, E>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    return true;
  }();
  (void)allowed;
  const int groups = (count + V - 1) / V;
  sptrsv_kernel<T, V, E>
      <<<groups * A.bands, sptrsv_threads, bytes, be.stream()>>>(A, b, x, count, stride, cells, control);
  check(cudaGetLastError());
}

}  // namespace cuda

/// Two bands on a multiprocessor have room, whatever they keep.
inline ScheduleLimits schedule_limits(Cuda&) {
  int device = 0, multiprocessors = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return {2 * multiprocessors, cuda::schedule_reach, true};
}

template <class T, int V>
void solve_together(Cuda& be, const LevelSchedule<Cuda, T>& r, SolveWorkspace<Cuda, T>& memory, const T* b,
                    T* x, int count, long stride) {
  static_assert(2 * sizeof(cuda::RelayShared < T, V, V == 1 ? 8 : 4 >) < 200 * 1024);
  using Bits = typename cuda::Sentinel<T>::Bits;
  const int groups = (count + V - 1) / V;
  const std::size_t values = std::size_t(groups) * r.cells * cuda::cell_values<T, V>;
  if (memory.cells.size() < values || !memory.cells.data())
    memory.cells = Buffer<Cuda, T>(be, values + 16 / sizeof(T));
  if (!memory.control.data()) memory.control = Buffer<Cuda, unsigned>(be, 3);
  // Marks into the cells. A closed guard leaves them as they are, and the control word unarmed.
  auto* words = reinterpret_cast<ulonglong2*>(memory.cells.data());
  auto* control = reinterpret_cast<cuda::ScheduleControl*>(memory.control.data());
  each(be, "marks of a relay", int(values * sizeof(T) / 16) + 1, sizeof(ulonglong2),
       cuda::MarkCells{words, control, cuda::marks(T{})});
  auto* cells = reinterpret_cast<Bits*>(memory.cells.data());
  if (r.width <= 2)
    cuda::start_solve<T, V, 2>(be, r.view(), b, x, count, stride, cells, control);
  else
    cuda::start_solve<T, V, V == 1 ? 8 : 4>(be, r.view(), b, x, count, stride, cells, control);
}

template <class T>
void schedule(Cuda& be, const char* label, const LevelSchedule<Cuda, T>& r, SolveWorkspace<Cuda, T>& memory,
              const T* b, T* x, int count, long stride) {
  if (r.rows == 0) return;
  be.counts().add(label, r.bytes(count), false);
  if (r.reach == 0)
    cuda::sptrsv_one_block(be, r, b, x, count, stride);
  else if (count == 1)
    solve_together<T, 1>(be, r, memory, b, x, count, stride);
  else
    solve_together<T, 4>(be, r, memory, b, x, count, stride);
}

}  // namespace wavesim
