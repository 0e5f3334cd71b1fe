#pragma once
// level_schedule.hpp on a GPU: which kernel solves, and its launch. Compiled by nvcc only.

#include "kernels/backend/cuda.hpp"
#include "kernels/lists/each.hpp"
#include "kernels/sptrsv/cuda_solve_kernel.hpp"
#include "kernels/sptrsv/cuda_solve_one_block.hpp"
#include "kernels/sptrsv/level_schedule.hpp"

namespace wavesim {

namespace cuda {

template <class T, int V, int E>
void start_solve(Cuda& be, const ScheduleView<T>& A, const T* b, T* x, int count, long stride,
                 typename Sentinel<T>::Bits* cells, ScheduleControl* control) {
  constexpr int bytes = int(sizeof(SolveShared<T, V, E>));
  [[maybe_unused]] static const bool allowed = allow_shared_memory(sptrsv_kernel<T, V, E>, bytes);
  const int groups = (count + V - 1) / V;
  sptrsv_kernel<T, V, E>
      <<<groups * A.bands, sptrsv_threads, bytes, be.stream()>>>(A, b, x, count, stride, cells, control);
  check(cudaGetLastError());
}

/// A block for each 256 rows of a right-hand side.
template <class T>
__global__ void diagonal_kernel(ScheduleView<T> A, int rows, const T* b, T* x, long stride, Guard guard) {
  if (guard.closed()) return;
  const int k = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < rows) solve_diagonal_row(A, k, b + blockIdx.y * stride, x + blockIdx.y * stride);
}
template <class T>
void solve_diagonal(Cuda& be, const LevelSchedule<Cuda, T>& r, const T* b, T* x, int count, long stride) {
  constexpr int threads = 256;
  for (int n = 0; n < count; n += 65535) {  // blocks of a grid in y
    const dim3 blocks(unsigned((r.rows + threads - 1) / threads), unsigned(std::min(count - n, 65535)));
    diagonal_kernel<<<blocks, threads, 0, be.stream()>>>(r.view(), r.rows, b + n * stride, x + n * stride,
                                                         stride, be.guarding());
  }
  check(cudaGetLastError());
}

}  // namespace cuda

/// Two bands fit on a multiprocessor.
inline ScheduleLimits schedule_limits(Cuda&) {
  int device = 0, multiprocessors = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return {2 * multiprocessors, cuda::schedule_reach, true};
}

template <class T, int V>
void solve_together(Cuda& be, const LevelSchedule<Cuda, T>& r, SolveWorkspace<Cuda, T>& memory, const T* b,
                    T* x, int count, long stride) {
  static_assert(2 * sizeof(cuda::SolveShared < T, V, V == 1 ? 8 : 4 >) < 200 * 1024);
  using Bits = typename cuda::Sentinel<T>::Bits;
  const int groups = (count + V - 1) / V;
  const std::size_t values = std::size_t(groups) * r.cells * cuda::cell_values<T, V>;
  if (memory.cells.size() < values || !memory.cells.data())
    memory.cells = Buffer<Cuda, T>(be, values + 16 / sizeof(T));
  if (!memory.control.data()) memory.control = Buffer<Cuda, unsigned>(be, 3);
  // Under a closed guard the cells keep what they hold, and the solve is not armed.
  auto* words = reinterpret_cast<ulonglong2*>(memory.cells.data());
  auto* control = reinterpret_cast<cuda::ScheduleControl*>(memory.control.data());
  each(be, "sentinels of a schedule", int(values * sizeof(T) / 16) + 1, sizeof(ulonglong2),
       cuda::SetSentinels{words, control, cuda::sentinel_word(T{})});
  auto* cells = reinterpret_cast<Bits*>(memory.cells.data());
  if (r.width <= 2)
    cuda::start_solve<T, V, 2>(be, r.view(), b, x, count, stride, cells, control);
  else
    cuda::start_solve<T, V, V == 1 ? 8 : 4>(be, r.view(), b, x, count, stride, cells, control);
}

template <class T>
void sptrsv(Cuda& be, const char* label, const LevelSchedule<Cuda, T>& r, SolveWorkspace<Cuda, T>& memory,
            const T* b, T* x, int count, long stride) {
  if (r.rows == 0) return;
  be.counts().add(label, r.bytes(count), false);
  if (r.width == 0)
    cuda::solve_diagonal(be, r, b, x, count, stride);
  else if (r.reach == 0)
    cuda::sptrsv_one_block(be, r, b, x, count, stride);
  else if (count == 1)
    solve_together<T, 1>(be, r, memory, b, x, count, stride);
  else
    solve_together<T, 4>(be, r, memory, b, x, count, stride);
}

}  // namespace wavesim
