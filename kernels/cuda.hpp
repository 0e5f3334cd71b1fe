#pragma once
// The CUDA backend: one stream; 16-byte loads and stores; reductions with a fixed number of blocks, so that
// the order of their sums depends on the size only, never on the device. Compiled by nvcc only.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/access.hpp"
#include "kernels/check.hpp"
#include "kernels/cuda_graph.hpp"
#include "kernels/cuda_group.hpp"
#include "kernels/cuda_sum.hpp"
#include "kernels/march.hpp"
#include "kernels/reduce.hpp"
#include "kernels/stages.hpp"
#include "kernels/staging.hpp"
#include "kernels/sum_order.hpp"
#include "kernels/tally.hpp"

namespace wavesim {

namespace cuda {

using namespace sum_order;
inline constexpr int threads = lanes;
/// Of a block of groups: few, because a lane holds a row of its matrix in registers.
inline constexpr int group_threads = 128;

struct Guard {
  const int* flag = nullptr;
  int value = 0;
  __device__ bool closed() const { return flag && *flag != value; }
};

/// Which block of the grid, in the order of the data or against it. Kernels take turns: one that begins where
/// the last one ended finds some of its data in the cache.
__device__ inline int block_of(bool backwards) {
  return backwards ? int(gridDim.x - 1 - blockIdx.x) : int(blockIdx.x);
}

/// Adds the blocks' parts in the order of the data, writes *out and runs tail. Sums are in S: R, or
/// Compensated<R>.
template <class S, class R, class Tail>
__device__ void finish(S r, int thread, bool backwards, double* parts, R* out, const Tail& tail) {
  bool all = false;  // a loop of two turns: the code of the sum over a block is there once
#pragma unroll 1
  for (;;) {
    r = block_sum<threads>(r, thread);
    if (all) break;
    if (thread == 0) {
      Part<S> own;
      own.set(r);
      own.store(parts, block_of(backwards));
    }
    if (blockIdx.x != gridDim.x - 1) return;
    r = join_parts<S, threads>(parts, gridDim.x, thread);
    all = true;
  }
  if (thread == 0) {
    const R result = value_of(r);
    *out = result;
    tail(result);
  }
}

template <class F, class... A>
__global__ void __launch_bounds__(threads) map_kernel(int packs, bool backwards, Guard guard, F f, A... a) {
  constexpr int V = pack_size<A...>();
  if (guard.closed()) return;
  const int k = block_of(backwards) * threads + threadIdx.x;
  if (k >= packs) return;
  Locals<V, A...> v;
  v.load(k * V, a...);
#pragma unroll
  for (int e = 0; e < V; ++e) call(f, v, e);
  v.store(k * V, a...);
}

template <class S, class R, class F, class Tail, class... A>
__global__ void __launch_bounds__(threads)
    map_sum_kernel(int packs, bool backwards, Guard guard, double* parts, R* out, F f, Tail tail, A... a) {
  constexpr int V = pack_size<A...>();
  if (guard.closed()) return;
  S sum = {};
  for (int k = block_of(backwards) * threads + threadIdx.x; k < packs; k += gridDim.x * threads) {
    Locals<V, A...> v;
    v.load(k * V, a...);
#pragma unroll
    for (int e = 0; e < V; ++e) sum.join(call(f, v, e));
    v.store(k * V, a...);
  }
  finish(sum, threadIdx.x, backwards, parts, out, tail);
}

__device__ inline bool on_edge(const Extent& e, int col, int row) {
  return col == 0 || col == e.nx - 1 || row == 0 || row == e.ny - 1;
}

/// Calls g(Locals&, Row) on n rows of this thread from row `row` on: all loads and calls before the first
/// store. `edge` is a constant: without a branch in between, the loads of all rows are in flight together.
template <int n, bool edge, class G, class... A>
__device__ void column(int col, int row, const Extent& e, const G& g, const A&... a) {
  const int first = row * e.pitch + col;
  Locals<1, A...> v[n];
#pragma unroll
  for (int k = 0; k < n; ++k) {
    const Row r{first + k * e.pitch, col, row + k, e.pitch, edge};
    v[k].load(r.i, a...);
    g(v[k], r);
  }
#pragma unroll
  for (int k = 0; k < n; ++k) v[k].store(first + k * e.pitch, a...);
}

/// Calls g(Locals&, Row) on the rows of this thread in a tile. Whether they may lie on an edge that needs
/// care is asked of the tile: its threads agree.
template <class G, class... A>
__device__ void tile_rows(int tile, int tiles_x, const Rows& rows, const G& g, const A&... a) {
  constexpr int height = tile_y * rows_per_lane;
  static_assert(rows_per_lane == 4);
  const Extent& e = rows.extent;
  const int first_col = tile % tiles_x * tile_x, first_row = tile / tiles_x * height;
  const int col = first_col + threadIdx.x, row = first_row + threadIdx.y * rows_per_lane;
  const bool inside =
      first_col > 0 && first_col + tile_x < e.nx && first_row > 0 && first_row + height < e.ny;
  if (!inside && col >= e.nx) return;
  const int there = e.ny - row;
  if (inside || (!rows.edges && there >= rows_per_lane)) return column<4, false>(col, row, e, g, a...);
  if (there >= rows_per_lane) return column<4, true>(col, row, e, g, a...);
  if (there >= 2) column<2, true>(col, row, e, g, a...);
  if (there > 0 && there % 2 == 1) column<1, true>(col, e.ny - 1, e, g, a...);
}

template <class F, class... A>
__global__ void __launch_bounds__(threads)
    rows_kernel(Rows rows, int tiles_x, bool backwards, Guard guard, F f, A... a) {
  if (guard.closed()) return;
  const auto visit = [&](Locals<1, A...>& v, Row r) { call(f, v, 0, r); };
  tile_rows(block_of(backwards), tiles_x, rows, visit, a...);
}

/// For kernels that only write, matrix assembly that is: 16 bytes of each operand, past the caches. Padding
/// within a pack is written as zero.
template <class F, class... A>
__global__ void __launch_bounds__(threads) rows_out_kernel(Extent e, int across, Guard guard, F f, A... a) {
  constexpr int V = pack_size<A...>();
  if (guard.closed()) return;
  const int col = (blockIdx.x % across * tile_x + threadIdx.x) * V;
  const int row = blockIdx.x / across * tile_y + threadIdx.y;
  if (col >= e.nx || row >= e.ny) return;
  Locals<V, A...> v = {};
#pragma unroll
  for (int k = 0; k < V; ++k)
    if (col + k < e.nx) {
      const Row r{row * e.pitch + col + k, col + k, row, e.pitch, on_edge(e, col + k, row)};
      call(f, v, k, r);
    }
  v.stream(row * e.pitch + col, a...);
}

template <class S, class R, class F, class Tail, class... A>
__device__ void rows_sum(const Rows& rows, int tiles_x, int tiles, bool backwards, Guard guard, double* parts,
                         R* out, const F& f, const Tail& tail, const A&... a) {
  if (guard.closed()) return;
  S sum = {};
  const auto visit = [&](Locals<1, A...>& v, Row r) { sum.join(call(f, v, 0, r)); };
  for (int tile = block_of(backwards); tile < tiles; tile += gridDim.x)
    tile_rows(tile, tiles_x, rows, visit, a...);
  finish(sum, threadIdx.y * tile_x + threadIdx.x, backwards, parts, out, tail);
}
template <class S, class R, class F, class Tail, class... A>
__global__ void __launch_bounds__(threads)
    rows_sum_kernel(Rows rows, int tiles_x, int tiles, bool backwards, Guard guard, double* parts, R* out,
                    F f, Tail tail, A... a) {
  rows_sum<S>(rows, tiles_x, tiles, backwards, guard, parts, out, f, tail, a...);
}
/// The same for kernels that read a matrix. Four blocks on a multiprocessor leave a thread 64 registers: the
/// loads of four rows are in flight together.
template <class S, class R, class F, class Tail, class... A>
__global__ void __launch_bounds__(threads, 4)
    matrix_sum_kernel(Rows rows, int tiles_x, int tiles, bool backwards, Guard guard, double* parts, R* out,
                      F f, Tail tail, A... a) {
  rows_sum<S>(rows, tiles_x, tiles, backwards, guard, parts, out, f, tail, a...);
}

/// One stage, over many blocks.
template <class F>
__global__ void __launch_bounds__(threads) stage_kernel(int first, int last, Guard guard, F f) {
  if (guard.closed()) return;
  const int k = first + blockIdx.x * threads + threadIdx.x;
  if (k < last) f(k);
}
/// Stages s, s + step, ... that are small, in one block: a barrier costs less than a launch.
inline constexpr int stage_threads = 1024;
template <class F>
__global__ void __launch_bounds__(stage_threads)
    small_stages_kernel(const int* start, int s, int count, int step, Guard guard, F f) {
  if (guard.closed()) return;
  for (; count > 0; --count, s += step) {
    const int k = start[s] + threadIdx.x;
    if (k < start[s + 1]) f(k);
    __syncthreads();
  }
}

/// A thread for each element, which waits for those it depends on (Liu et al. 2016; Fiorentini 2022, 1.2).
/// Blocks take their elements when they start, in ascending order, so that those before them are done or
/// under way whatever order the blocks start in. A thread that cannot go on yet lets the others of its warp
/// take their turn in the same loop, so that it never holds up the one it waits for. done[i] == epoch: f(i)
/// has run and what it wrote can be seen.
template <class F>
__global__ void __launch_bounds__(threads) in_order_kernel(int n, bool forward, Dependencies on, int* done,
                                                           int epoch, unsigned* ticket, Guard guard, F f) {
  if (guard.closed()) return;
  __shared__ unsigned block;
  if (threadIdx.x == 0) block = atomicInc(ticket, gridDim.x - 1);
  __syncthreads();
  const int place = int(block) * threads + int(threadIdx.x);
  if (place >= n) return;
  const int i = forward ? place : n - 1 - place;
  volatile int* const flag = done;
  int k = on.start[i];
  const int end = on.start[i + 1];
  for (bool waiting = true; waiting;) {
    while (k < end) {
      const int j = on.neighbour[k];
      if ((forward ? j < i : j > i) && flag[j] != epoch) break;
      ++k;
    }
    if (k == end) {
      __threadfence();  // before: what the others wrote ahead of their flags
      f(i);
      __threadfence();
      flag[i] = epoch;
      waiting = false;
    }
  }
}

/// Several groups of W lanes to a warp; the threads of a group return together.
template <int W, class F>
__device__ void run_groups(int count, const Guard& guard, const F& f) {
  if (guard.closed()) return;
  const int k = blockIdx.x * (group_threads / W) + threadIdx.x / W;
  if (k < count) f(Group<W>(threadIdx.x), k);
}
template <int W, class F>
__global__ void __launch_bounds__(group_threads) groups_kernel(int count, Guard guard, F f) {
  run_groups<W>(count, guard, f);
}
/// The same where f says how many blocks should be resident on a multiprocessor, to hide one another's waits.
template <int W, class F>
__global__ void __launch_bounds__(group_threads, F::resident)
    resident_groups_kernel(int count, Guard guard, F f) {
  run_groups<W>(count, guard, f);
}

/// Stages of groups in one cluster of blocks: its barrier costs less than a launch, and orders memory among
/// the blocks.
inline constexpr int cluster_blocks = 8, cluster_threads = 512;
template <int W, class F>
__global__ void __cluster_dims__(cluster_blocks) __launch_bounds__(cluster_threads)
    groups_in_stages_kernel(int stages, Guard guard, F f) {
  if (guard.closed()) return;
  const Group<W> g(threadIdx.x);
  constexpr int each = cluster_threads / W;
  for (int s = 0; s < stages; ++s) {
    const int count = f.groups(s);
    // neighbouring problems on different multiprocessors
    for (int k = threadIdx.x / W * cluster_blocks + blockIdx.x; k < count; k += each * cluster_blocks)
      f(g, s, k);
    cooperative_groups::this_cluster().sync();
  }
}

template <class F>
__global__ void once_kernel(Guard guard, F f) {
  if (!guard.closed()) f();
}

}  // namespace cuda

class Cuda {
 public:
  static constexpr bool asynchronous = true;

  Cuda() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    constexpr int parts = std::max(sum_order::blocks, sum_order::most_blocks) * most_sums;
    parts_ = allocate<double>(parts);
    cuda::mark_parts_kernel<<<sum_order::blocks_of(parts), cuda::threads, 0, stream_>>>(
        reinterpret_cast<cuda::Bits*>(parts_), parts);
    check(cudaGetLastError());
    order_ticket_ = allocate<unsigned>(1);
    staging_.emplace(stream_);
  }
  Cuda(const Cuda&) = delete;
  ~Cuda() {
    cudaStreamSynchronize(stream_);
    cudaFree(parts_);
    cudaFree(order_ticket_);
    cudaFree(done_);
    staging_.reset();
    cudaStreamDestroy(stream_);
  }

  template <class T>
  T* allocate(std::size_t n) {
    at_once();
    const std::size_t bytes = n ? n * sizeof(T) : 1;
    void* p = nullptr;
    if (cudaMalloc(&p, bytes) == cudaErrorMemoryAllocation) {
      std::size_t free = 0, total = 0;
      cudaMemGetInfo(&free, &total);
      throw DeviceError(
          "the GPU has no room for another " + std::to_string(bytes >> 20) + " MiB (" +
          std::to_string(free >> 20) + " of " + std::to_string(total >> 20) +
          " MiB free); use fewer cells, precision: single, solver.format: stencil, or --device cpu");
    }
    check(cudaGetLastError());
    check(cudaMemsetAsync(p, 0, bytes, stream_));
    tally_.allocated += double(n * sizeof(T));
    return static_cast<T*>(p);
  }
  void release(void* p) {
    if (recorder_) return release_later_.push_back(p);
    cudaStreamSynchronize(stream_);
    cudaFree(p);
  }

  /// Copies are complete on return.
  template <class T>
  void upload(T* to, const T* from, std::size_t n) {
    at_once();
    staging_->upload(to, from, n * sizeof(T));
  }
  template <class T>
  void download(T* to, const T* from, std::size_t n) {
    at_once();
    staging_->download(to, from, n * sizeof(T));
  }
  template <class T>
  void zero(T* to, std::size_t n) {
    tally_.add("0", double(n) * sizeof(T), false);
    check(cudaMemsetAsync(to, 0, n * sizeof(T), stream_));
  }
  void synchronize() {
    at_once();
    check(cudaStreamSynchronize(stream_));
  }
  cudaStream_t stream() const { return stream_; }

  /// Kernels enqueued under a guard do nothing unless *flag == value when they start.
  /// Guards nest: the innermost holds.
  void guard(const int* flag, int value) {
    outer_.push_back(guard_);
    guard_ = {flag, value};
  }
  void unguard() {
    guard_ = outer_.back();
    outer_.pop_back();
  }

  /// Work that was recorded, to be enqueued again as a whole: one launch, with loops that need no host.
  using Recording = cuda::Recording;
  /// What f enqueues; none of it runs now. Empty if it cannot be enqueued again as it is.
  template <class F>
  Recording record(F f) {
    at_once();
    const cuda::Guard guard = guard_;
    const std::size_t nested = outer_.size();
    Recording made;
    try {
      cuda::Recorder recorder(stream_);
      recorder_ = &recorder;
      f();
      made = recorder.finish();
    } catch (const cuda::NotRepeatable&) {
      end_recording(guard, nested);
    } catch (const DeviceError&) {  // a library that allocates, say; an error of the device itself comes back
      cudaGetLastError();
      end_recording(guard, nested);
    } catch (...) {
      end_recording(guard, nested);
      throw;
    }
    end_recording(guard, nested);
    return made;
  }
  void enqueue(const Recording& work) {
    at_once();
    work.enqueue(stream_);
  }
  /// Within a recording: what f enqueues, again and again while *flag == value. f is under a guard for the
  /// same: the first turn does not ask.
  template <class F>
  void repeat_while(const int* flag, int value, F f) {
    recorder_->repeat_while(flag, value, f);
  }

  /// The guard that holds.
  const cuda::Guard& guarding() const { return guard_; }

  template <class F, class... A>
  void map(const char* label, int n, F f, A... a) {
    tally_.add(label, n * bytes_per_point<A...>(), false);
    const int packs = n / sum_order::pack_size<A...>();
    cuda::map_kernel<<<sum_order::blocks_of(packs), cuda::threads, 0, stream_>>>(packs, turn(), guard_, f,
                                                                                 a...);
    check(cudaGetLastError());
  }
  template <class R, class F, class Tail, class... A>
  void map_sum(const char* label, int n, R* out, F f, Tail tail, A... a) {
    tally_.add(label, n * bytes_per_point<A...>(), true);
    if constexpr (Compensable<R>)
      if (compensates_) return map_sum_in<Compensated<R>>(n, out, f, tail, a...);
    map_sum_in<R>(n, out, f, tail, a...);
  }
  template <class S, class R, class F, class Tail, class... A>
  void map_sum_in(int n, R* out, F f, Tail tail, A... a) {
    static_assert(sizeof(S) <= most_sums * sizeof(double));
    const int packs = n / sum_order::pack_size<A...>(),
              grid = sum_order::at_most_blocks(sum_order::blocks_of(packs));
    cuda::map_sum_kernel<S>
        <<<grid, cuda::threads, 0, stream_>>>(packs, turn(), guard_, parts_, out, f, tail, a...);
    check(cudaGetLastError());
  }
  template <class F, class... A>
  void rows(const char* label, Rows rows, double gathered, F f, A... a) {
    const Extent& e = rows.extent;
    tally_.add(label, e.points() * (gathered + bytes_per_point<A...>()), false);
    if constexpr (sizeof...(A) > 0 && (... && !A::reads)) {
      const int columns = sum_order::tile_x * sum_order::pack_size<A...>();
      const int across = (e.nx + columns - 1) / columns,
                up = (e.ny + sum_order::tile_y - 1) / sum_order::tile_y;
      cuda::rows_out_kernel<<<across * up, tile_block(), 0, stream_>>>(e, across, guard_, f, a...);
    } else {
      cuda::rows_kernel<<<sum_order::tiles(e), tile_block(), 0, stream_>>>(rows, sum_order::tiles_x(e),
                                                                           turn(), guard_, f, a...);
    }
    check(cudaGetLastError());
  }
  template <Matrix matrix = Matrix::computed, class R, class F, class Tail, class... A>
  void rows_sum(const char* label, Rows rows, double gathered, R* out, F f, Tail tail, A... a) {
    tally_.add(label, rows.extent.points() * (gathered + bytes_per_point<A...>()), true);
    if constexpr (Compensable<R>)
      if (compensates_) return rows_sum_in<matrix, Compensated<R>>(rows, out, f, tail, a...);
    rows_sum_in<matrix, R>(rows, out, f, tail, a...);
  }
  template <Matrix matrix, class S, class R, class F, class Tail, class... A>
  void rows_sum_in(Rows rows, R* out, F f, Tail tail, A... a) {
    static_assert(sizeof(S) <= most_sums * sizeof(double));
    const int tiles = sum_order::tiles(rows.extent), grid = sum_order::blocks_of_tiles(tiles);
    constexpr auto kernel = [] {
      if constexpr (matrix == Matrix::read)
        return cuda::matrix_sum_kernel<S, R, F, Tail, A...>;
      else
        return cuda::rows_sum_kernel<S, R, F, Tail, A...>;
    }();
    kernel<<<grid, tile_block(), 0, stream_>>>(rows, sum_order::tiles_x(rows.extent), tiles, turn(), guard_,
                                               parts_, out, f, tail, a...);
    check(cudaGetLastError());
  }
  template <int W, class F>
  void groups(const char* label, int count, double moved, F f) {
    tally_.add(label, moved, false);
    if (count == 0) return;
    constexpr int each = cuda::group_threads / W;
    constexpr auto kernel = [] {
      if constexpr (requires { F::resident; })
        return cuda::resident_groups_kernel<W, F>;
      else
        return cuda::groups_kernel<W, F>;
    }();
    kernel<<<(count + each - 1) / each, cuda::group_threads, 0, stream_>>>(count, guard_, f);
    check(cudaGetLastError());
  }
  template <int W, class F>
  void groups_in_stages(const char* label, int stages, double moved, F f) {
    tally_.add(label, moved, false);
    cuda::groups_in_stages_kernel<W>
        <<<cuda::cluster_blocks, cuda::cluster_threads, 0, stream_>>>(stages, guard_, f);
    check(cudaGetLastError());
  }
  template <class F>
  void staged(const char* label, const Stages<Cuda>& stages, bool forward, double bytes, F f) {
    tally_.add(label, bytes, false);
    const int count = stages.count(), step = forward ? 1 : -1;
    const auto stage = [&](int n) { return forward ? n : count - 1 - n; };
    const auto size = [&](int s) { return stages.start[std::size_t(s) + 1] - stages.start[s]; };
    for (int n = 0; n < count;) {
      const int s = stage(n);
      int run = 0;
      while (n + run < count && size(stage(n + run)) <= cuda::stage_threads) ++run;
      if (run > 0)
        cuda::small_stages_kernel<<<1, cuda::stage_threads, 0, stream_>>>(stages.copy.data(), s, run, step,
                                                                          guard_, f);
      else
        cuda::stage_kernel<<<sum_order::blocks_of(size(s)), cuda::threads, 0, stream_>>>(
            stages.start[s], stages.start[std::size_t(s) + 1], guard_, f);
      check(cudaGetLastError());
      n += run > 0 ? run : 1;
    }
  }
  template <class F>
  void in_order(const char* label, int n, bool forward, Dependencies on, double bytes, F f) {
    tally_.add(label, bytes, false);
    if (n == 0) return;
    at_once();             // an epoch is used once
    if (n > done_size_) {  // new flags hold 0, which no epoch is
      if (done_) release(done_);
      done_ = nullptr;
      done_ = allocate<int>(n);
      done_size_ = n;
    }
    cuda::in_order_kernel<<<sum_order::blocks_of(n), cuda::threads, 0, stream_>>>(
        n, forward, on, done_, ++epoch_, order_ticket_, guard_, f);
    check(cudaGetLastError());
  }
  /// Defined in march_cuda.hpp: long, and wanted in one place.
  template <class T, int K, class Fields, class Tail>
  void march(const char* label, Extent e, const FivePointSystem<T, UniformCoefficients<T>>& system,
             const Fields& fields, const MarchSteps<T, K>& steps, typename Fields::Result* out, Tail tail);
  template <class F>
  void once(const char*, F f) {
    cuda::once_kernel<<<1, 1, 0, stream_>>>(guard_, f);
    check(cudaGetLastError());
  }

  /// Whether sums are compensated (accurate.hpp) from here on; returns what held before.
  bool compensate(bool on) { return std::exchange(compensates_, on); }
  bool compensates() const { return compensates_; }

  Tally& tally() { return tally_; }
  const Tally& tally() const { return tally_; }

 private:
  static constexpr int most_sums = 16;  // doubles that a block of a reduction leaves

  /// What follows cannot be part of a recording.
  void at_once() const {
    if (recorder_) throw cuda::NotRepeatable{};
  }
  void end_recording(cuda::Guard guard, std::size_t nested) {
    recorder_ = nullptr;
    guard_ = guard;
    outer_.resize(nested);
    for (void* p : release_later_) release(p);
    release_later_.clear();
  }

  /// Whether the next kernel goes backwards: they take turns.
  bool turn() { return std::exchange(backwards_, !backwards_); }
  static dim3 tile_block() { return dim3(sum_order::tile_x, sum_order::tile_y); }

  cudaStream_t stream_ = nullptr;
  double* parts_ = nullptr;  // of the blocks of a reduction
  bool backwards_ = false;
  unsigned* order_ticket_ = nullptr;
  int *done_ = nullptr, done_size_ = 0, epoch_ = 0;  // of in_order
  std::optional<Staging> staging_;
  cuda::Guard guard_;
  std::vector<cuda::Guard> outer_;
  cuda::Recorder* recorder_ = nullptr;  // while something is recorded
  std::vector<void*> release_later_;
  bool compensates_ = false;
  Tally tally_;
};

}  // namespace wavesim
