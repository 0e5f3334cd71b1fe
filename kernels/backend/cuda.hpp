#pragma once
// The CUDA backend: one stream (cuda_stream.hpp); 16-byte loads and stores; reductions with a fixed number of blocks, so that
// the order of their sums depends on the size only, never on the device. Compiled by nvcc only.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "kernels/backend/access.hpp"
#include "kernels/backend/cuda_group_kernels.hpp"
#include "kernels/backend/cuda_kernels.hpp"
#include "kernels/backend/cuda_stream.hpp"
#include "kernels/backend/device_share.hpp"
#include "kernels/backend/elements.hpp"
#include "kernels/backend/stages.hpp"
#include "kernels/comm/ghost_rows.hpp"
#include "kernels/reduce/reduce.hpp"
#include "kernels/reduce/sum_order.hpp"
#include "kernels/temporal/blocked_sweeps.hpp"

namespace wavesim {

class Cuda : public CudaStream, public GhostRows<Cuda> {
 public:
  static constexpr bool asynchronous = true;

  Cuda() {
    constexpr int parts = sum_order::most_blocks * most_sums;
    parts_ = allocate<double>(parts);
    cuda::set_sentinels_kernel<<<sum_order::blocks_of(parts), cuda::threads, 0, stream_>>>(
        reinterpret_cast<cuda::Sentinel<double>::Bits*>(parts_), parts);
    check(cudaGetLastError());
    tickets_ = allocate<unsigned>(2);
  }
  Cuda(const Cuda&) = delete;
  ~Cuda() {
    cudaStreamSynchronize(stream_);
    for (void* p : {static_cast<void*>(parts_), static_cast<void*>(tickets_), static_cast<void*>(done_),
                    static_cast<void*>(leaves_)})
      if (p) release_on_device(p, stream_);
  }

  template <class F, class... A>
  void map(const char* label, Elements n, F f, A... a) {
    counts_.add(label, n.count() * bytes_per_point<A...>(), false);
    constexpr int V = sum_order::pack_size<A...>();
    const int first = n.first / V, end = n.end / V;
    cuda::map_kernel<<<sum_order::blocks_of(end - first), cuda::threads, 0, stream_>>>(first, end, turn(),
                                                                                       guard_, f, a...);
    check(cudaGetLastError());
  }
  template <class R, class F, class Epilogue, class... A>
  void map_sum(const char* label, Elements n, R* out, F f, Epilogue epilogue, A... a) {
    counts_.add(label, n.count() * bytes_per_point<A...>(), true);
    if constexpr (Compensable<R>)
      if (compensates_) return map_sum_in<Compensated<R>>(n, out, f, epilogue, a...);
    map_sum_in<R>(n, out, f, epilogue, a...);
  }
  template <class S, class R, class F, class Epilogue, class... A>
  void map_sum_in(Elements n, R* out, F f, Epilogue epilogue, A... a) {
    const auto cut = sum_order::cut_elements<sum_order::pack_size<A...>()>(n.extent);
    const bool backwards = turn();
    conclude<S>(cut, n.extent.shared, out, [&](dim3 blocks, const cuda::Conclusion<R>& conclusion) {
      cuda::map_sum_kernel<S><<<blocks, cuda::threads, 0, stream_>>>(
          cut, n.extent.starts(), n.end, backwards, guard_, parts_, conclusion, f, epilogue, a...);
    });
  }
  template <class F, class... A>
  void rows(const char* label, Rows rows, double gathered, F f, A... a) {
    const Extent& e = rows.extent;
    counts_.add(label, e.own_points() * (gathered + bytes_per_point<A...>()), false);
    if constexpr (sizeof...(A) > 0 && (... && !A::reads)) {
      const int columns = sum_order::tile_x * sum_order::pack_size<A...>();
      const int across = (e.nx + columns - 1) / columns,
                up = (e.end_own() - e.first_own + sum_order::tile_y - 1) / sum_order::tile_y;
      cuda::rows_out_kernel<<<across * up, tile_block(), 0, stream_>>>(e, across, guard_, f, a...);
    } else {
      cuda::rows_kernel<<<sum_order::own_tiles(e), tile_block(), 0, stream_>>>(
          rows, sum_order::first_own_tile(e), sum_order::tiles_x(e), turn(), guard_, f, a...);
    }
    check(cudaGetLastError());
  }
  template <Matrix matrix = Matrix::computed, class R, class F, class Epilogue, class... A>
  void rows_sum(const char* label, Rows rows, double gathered, R* out, F f, Epilogue epilogue, A... a) {
    counts_.add(label, rows.extent.own_points() * (gathered + bytes_per_point<A...>()), true);
    if constexpr (Compensable<R>)
      if (compensates_) return rows_sum_in<matrix, Compensated<R>>(rows, out, f, epilogue, a...);
    rows_sum_in<matrix, R>(rows, out, f, epilogue, a...);
  }
  template <Matrix matrix, class S, class R, class F, class Epilogue, class... A>
  void rows_sum_in(Rows rows, R* out, F f, Epilogue epilogue, A... a) {
    const auto cut = sum_order::cut_rows(rows.extent);
    constexpr auto kernel = [] {
      if constexpr (matrix == Matrix::read)
        return cuda::matrix_sum_kernel<S, R, F, Epilogue, A...>;
      else
        return cuda::rows_sum_kernel<S, R, F, Epilogue, A...>;
    }();
    const bool backwards = turn();
    conclude<S>(cut, rows.extent.shared, out, [&](dim3 blocks, const cuda::Conclusion<R>& conclusion) {
      kernel<<<blocks, tile_block(), 0, stream_>>>(rows, sum_order::tiles_x(rows.extent), cut, backwards,
                                                   guard_, parts_, conclusion, f, epilogue, a...);
    });
  }
  template <int W, class F>
  void groups(const char* label, int count, double moved, F f) {
    counts_.add(label, moved, false);
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
    counts_.add(label, moved, false);
    cuda::groups_in_stages_kernel<W>
        <<<cuda::cluster_blocks, cuda::cluster_threads, 0, stream_>>>(stages, guard_, f);
    check(cudaGetLastError());
  }
  template <class F>
  void staged(const char* label, const Stages<Cuda>& stages, bool forward, double bytes, F f) {
    counts_.add(label, bytes, false);
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
    counts_.add(label, bytes, false);
    if (n == 0) return;
    at_once();             // an epoch is used once
    if (n > done_size_) {  // new flags hold 0, which is no epoch
      if (done_) release(done_);
      done_ = nullptr;
      done_ = allocate<int>(n);
      done_size_ = n;
    }
    cuda::in_order_kernel<<<sum_order::blocks_of(n), cuda::threads, 0, stream_>>>(
        n, forward, on, done_, ++epoch_, tickets_, guard_, f);
    check(cudaGetLastError());
  }
  /// Defined in blocked_sweeps_cuda.hpp.
  template <class T, int K, class System, class Fields, class Epilogue>
  void blocked_sweeps(const char* label, Extent e, const System& system, const Fields& fields,
                      const SweepCoefficients<T, K>& steps, typename Fields::Result* out, Epilogue epilogue);
  /// Defined in leapfrog_cuda.hpp.
  template <int K, class Pass>
  void leapfrog(const char* label, const Pass& pass);
  /// Passes one after the other in one launch, each from what the one before has left.
  template <int K, class Pass>
  void leapfrog_in_turn(const char* label, const Pass& pass, int passes);
  /// Whether such passes may be taken in turn: several backends share the GPU, and few blocks have the whole grid.
  template <class Pass>
  bool leapfrogs_in_turn(const Pass& pass, int K) const {
    return blocks_at_once_ <= cuda::cluster_blocks && !pass.extent.shared &&
           plan_pass(pass, K, blocks_at_once_).blocks() <= cuda::cluster_blocks;
  }
  /// Defined in layers_cuda.hpp.
  template <class Layers>
  void leapfrog_in_layers(const char* label, const Layers& layers);
  /// Defined in lax_wendroff_cuda.hpp.
  template <int K, class Pass>
  void lax_wendroff(const char* label, const Pass& pass);
  template <class F>
  void once(const char*, F f) {
    cuda::once_kernel<<<1, 1, 0, stream_>>>(guard_, f);
    check(cudaGetLastError());
  }

  /// Whether sums are compensated (compensated.hpp) from here on; returns what held before.
  bool compensate(bool on) { return std::exchange(compensates_, on); }
  bool compensates() const { return compensates_; }

  /// Fields of shared extents are shared out among ranks from here on; null: there are none.
  void share(SharedRows* with) {
    shared_ = with;
    if (with && !leaves_) leaves_ = allocate<double>(std::size_t(sum_order::lanes) * most_sums);
  }
  /// While work is recorded, and it cannot be part of that, the recording is given up.
  SharedRows* shared() const {
    if (!shared_->can_be_recorded()) at_once();
    return shared_;
  }

 private:
  static constexpr int most_sums = LeafInbox::most_doubles;  // that a block of a reduction leaves

  /// Where a reduction leaves its result, of all ranks or of this one.
  template <class R>
  cuda::Conclusion<R> conclusion_of(bool among_ranks, R* out) const {
    using Conclusion = cuda::Conclusion<R>;
    const LeafPeers* const peers = among_ranks ? shared()->leaf_peers() : nullptr;
    return {out, among_ranks && !peers ? Conclusion::later : Conclusion::at_once, leaves_, peers};
  }
  /// Launches a reduction with its epilogue in the same kernel; where ranks gather their leaves they do it in between.
  /// launch(blocks, conclusion).
  template <class S, class R, class Launch>
  void conclude(const sum_order::Cut& cut, bool among_ranks, R* out, const Launch& launch) {
    static_assert(sizeof(S) <= most_sums * sizeof(double));
    using Conclusion = cuda::Conclusion<R>;
    const Conclusion own = conclusion_of(among_ranks, out);
    launch(dim3(unsigned(cut.blocks_per_band), unsigned(cut.own.count())), own);
    check(cudaGetLastError());
    if (own.when == Conclusion::at_once) return;
    shared()->gather(leaves_, cut.bands, cut.leaves.count() * int(sizeof(S) / sizeof(double)));
    launch(dim3(1), Conclusion{out, Conclusion::now, leaves_});
    check(cudaGetLastError());
  }

  /// Whether the next kernel goes backwards: kernels alternate.
  bool turn() { return std::exchange(backwards_, !backwards_); }
  static dim3 tile_block() { return dim3(sum_order::tile_x, sum_order::tile_y); }

  const int blocks_at_once_ =
      blocks_at_once / std::clamp(backends_on_device, 1, blocks_at_once);  // of a pass
  double* parts_ = nullptr;                                                // of the blocks of a reduction
  bool backwards_ = false;
  unsigned* tickets_ = nullptr;  // of blocks that take their elements in order, and of blocked sweeps
  int *done_ = nullptr, done_size_ = 0, epoch_ = 0;  // of in_order
  bool compensates_ = false;
  SharedRows* shared_ = nullptr;
  double* leaves_ = nullptr;  // of all ranks
};

}  // namespace wavesim
