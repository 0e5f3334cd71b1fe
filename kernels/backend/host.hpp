#pragma once
// The CPU backend: OpenMP. Reductions follow sum_order.hpp, whatever the number of threads.

#include <omp.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/backend/access.hpp"
#include "kernels/backend/elements.hpp"
#include "kernels/backend/host_group.hpp"
#include "kernels/backend/host_loops.hpp"
#include "kernels/backend/host_memory.hpp"
#include "kernels/backend/stages.hpp"
#include "kernels/comm/ghost_rows.hpp"
#include "kernels/memory/cache_lines.hpp"
#include "kernels/numbers/subnormals.hpp"
#include "kernels/reduce/reduce.hpp"
#include "kernels/reduce/sum_order.hpp"
#include "kernels/temporal/blocked_sweeps.hpp"

namespace wavesim {

class Host : public HostMemory, public GhostRows<Host> {
 public:
  static constexpr bool asynchronous = false;

  template <class T>
  void zero(T* to, std::size_t n) {
    map(
        "0", int(n), [](T& v) { v = 0; }, Out<T>{to});
  }
  void synchronize() {}

  /// Kernels enqueued under a guard do nothing unless *flag == value when they start; the host loop asks by
  /// itself.
  void guard(const int*, int) {}
  void unguard() {}

  /// Nothing: on a CPU a call costs no more than its replay.
  struct Recording {
    explicit operator bool() const { return false; }
  };
  template <class F>
  Recording record(F) {
    return {};
  }
  void enqueue(const Recording&) {}

  /// Calls f() while *flag == value. f is also under a guard for that condition, because another backend may
  /// learn of it late.
  template <class F>
  void repeat_while(const int* flag, int value, F f) {
    while (*flag == value) f();
  }

  /// f(values...) on each of n elements.
  template <class F, class... A>
  void map(const char* label, Elements all, F f, A... a) {
    const int n = all.count();
    counts_.add(label, n * bytes_per_point<A...>(), false);
#pragma omp parallel if (n > small)
    {
      const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
      const int from = all.first + int(long(n) * thread / threads),
                to = all.first + int(long(n) * (thread + 1) / threads);
      SIMD for (int i = from; i < to; ++i) host::point(f, i, a...);
    }
  }

  /// The same; f returns R, joined over all elements into *out. Then the epilogue(*out) runs once: with other
  /// ranks (share) after the results of all of them were joined.
  template <class R, class F, class Epilogue, class... A>
  void map_sum(const char* label, Elements n, R* out, F f, Epilogue epilogue, A... a) {
    counts_.add(label, n.count() * bytes_per_point<A...>(), true);
    if constexpr (Compensable<R>)
      if (compensates_) return map_sum_in<Compensated<R>>(n, out, f, epilogue, a...);
    map_sum_in<R>(n, out, f, epilogue, a...);
  }

  /// The same with sums in S: R, or Compensated<R>.
  template <class S, class R, class F, class Epilogue, class... A>
  void map_sum_in(Elements n, R* out, F f, Epilogue epilogue, A... a) {
    using namespace sum_order;
    constexpr int V = pack_size<A...>();
    const Cut cut = cut_elements<V>(n.extent);
    const int each = cut.blocks_per_band;
    const RowStarts starts = n.extent.starts();
    std::vector<S> partial(std::size_t(cut.blocks()));
#pragma omp parallel for schedule(static) if (n.count() > small)
    for (int b = cut.own.first * each; b < cut.own.end * each; ++b) {
      alignas(cache_line) S lane[lanes] = {};
      const int band = b / each, end = std::min(starts(cut.bands.first_row(band + 1)), n.end);
      for (long first = starts(cut.bands.first_row(band)) + long(b % each) * lanes * V; first < end;
           first += long(each) * lanes * V) {
        const int packs = int(end - first < lanes * V ? (end - first) / V : lanes);
        SIMD for (int t = 0; t < packs; ++t) UNROLL for (int e = 0; e < V; ++e) lane[t].join(
            host::point(f, int(first) + t * V + e, a...));
      }
      partial[std::size_t(b)] = host::block_sum(lane);
    }
    conclude(cut, partial.data(), n.extent, out, epilogue);
  }

  /// f(Row, values...) on each point of the extent; f may gather neighbours. `gathered`: bytes it reads so
  /// for each point.
  template <class F, class... A>
  void rows(const char* label, Rows rows, double gathered, F f, A... a) {
    const Extent& e = rows.extent;
    counts_.add(label, e.own_points() * (gathered + bytes_per_point<A...>()), false);
#pragma omp parallel if (e.own_points() > small)
    {
      const SubnormalsAreZero guard(subnormals_are_zero_);
#pragma omp for schedule(static)
      for (int row = e.first_own; row < e.end_own(); ++row) {
        const int first = e.index(row, 0);
        host::columns(rows, row, 0, e.nx, [&](int col, auto edge) {
          host::at(f, Row{first + col, col, row, e.pitch, edge()}, a...);
        });
      }
    }
  }
  /// From here on `rows` takes subnormal numbers for zero, as passes of several steps do.
  void take_subnormals_for_zero() { subnormals_are_zero_ = true; }

  template <Matrix matrix = Matrix::computed, class R, class F, class Epilogue, class... A>
  void rows_sum(const char* label, Rows rows, double gathered, R* out, F f, Epilogue epilogue, A... a) {
    counts_.add(label, rows.extent.own_points() * (gathered + bytes_per_point<A...>()), true);
    if constexpr (Compensable<R>)
      if (compensates_) return rows_sum_in<matrix, Compensated<R>>(rows, out, f, epilogue, a...);
    rows_sum_in<matrix, R>(rows, out, f, epilogue, a...);
  }

  /// The same with sums in S: R, or Compensated<R>.
  template <Matrix matrix, class S, class R, class F, class Epilogue, class... A>
  void rows_sum_in(Rows rows, R* out, F f, Epilogue epilogue, A... a) {
    using namespace sum_order;
    // rows that share a loop: a stored matrix needs all registers for one row
    constexpr int at_once = matrix == Matrix::computed ? rows_per_lane : 1;
    const Extent& e = rows.extent;
    const Cut cut = cut_rows(e);
    const int across = tiles_x(e), each = cut.blocks_per_band;
    std::vector<S> partial(std::size_t(cut.blocks()));
    // A thread takes the rows of several neighbouring tiles together: longer loops and longer pieces of memory.
    // There are so many that each thread has two turns.
    const int together =
        std::min(std::clamp(cut.blocks() / (2 * omp_get_max_threads()), 1, neighbours), each);
#pragma omp parallel for schedule(static) collapse(2) if (e.own_points() > small)
    for (int band = cut.own.first; band < cut.own.end; ++band)
      for (int b0 = 0; b0 < each; b0 += together) {
        const int b1 = std::min(b0 + together, each), width = (b1 - b0) * tile_x;
        const int end = cut.bands.first_tile(band + 1) * across;
        CacheLines<S> lane(std::size_t(width) * tile_y);  // of the lanes of one row
        for (int first = cut.bands.first_tile(band) * across; first < end; first += each)
          for (int b = b0; b < b1 && first + b < end;) {  // one row of tiles after another
            const int tile = first + b, col0 = tile % across * tile_x,
                      row0 = tile / across * tile_y * rows_per_lane;
            const int run = std::min({across - tile % across, b1 - b, end - tile});
            const int to = std::min(e.nx, col0 + run * tile_x);
            for (int y = 0; y < tile_y; ++y) {
              S* const own = &lane[std::size_t(y) * width + (b - b0) * tile_x] - col0;
              const int row = row0 + y * rows_per_lane, n = std::min(rows_per_lane, e.ny - row);
              host::columns_of<at_once>(rows, row, n, col0, to, [&](int row, int col, auto edge) {
                own[col].join(host::at(f, Row{e.index(row, col), col, row, e.pitch, edge()}, a...));
              });
            }
            b += run;
          }
        for (int b = b0; b < b1; ++b) {
          S block[lanes];
          for (int y = 0; y < tile_y; ++y)
            std::copy_n(&lane[std::size_t(y) * width + (b - b0) * tile_x], tile_x, block + y * tile_x);
          partial[std::size_t(band) * each + b] = host::block_sum(block);
        }
      }
    conclude(cut, partial.data(), e, out, epilogue);
  }

  /// f(k) on the elements of each stage, one stage after the other, from the last to the first if not
  /// `forward`: f sees what earlier stages wrote. `bytes`: read and written by all of it.
  template <class F>
  void staged(const char* label, const Stages<Host>& stages, bool forward, double bytes, F f) {
    counts_.add(label, bytes, false);
    for (int n = 0; n < stages.count(); ++n) {
      const int s = forward ? n : stages.count() - 1 - n;
      const int first = stages.start[s], last = stages.start[std::size_t(s) + 1];
#pragma omp parallel for schedule(static) if (last - first > small_stage)
      for (int k = first; k < last; ++k) f(k);
    }
  }

  /// f(i) on each of n elements as if one after the other, from the last to the first if not `forward`.
  /// f(i) sees what those wrote that come before i and are among its dependencies, if it reads it with
  /// `fresh`. What an element writes that comes after i it may read only if that one has i among its
  /// dependencies, and then finds it as it was.
  template <class F>
  void in_order(const char* label, int n, bool forward, Dependencies, double bytes, F f) {
    counts_.add(label, bytes, false);
    for (int k = 0; k < n; ++k) f(forward ? k : n - 1 - k);
  }

  /// f(group of W lanes, k) for each of `count` small problems, W = 4, 8, 16 or 32 (host_group.hpp): dense
  /// blocks, whose rows have to see one another. f is a functor with a template parameter for the group.
  /// `moved`: bytes that all of them read and write.
  template <int W, class F>
  void groups(const char* label, int count, double moved, F f) {
    counts_.add(label, moved, false);
#pragma omp parallel for schedule(static) if (long(count) * W > small)
    for (int k = 0; k < count; ++k) f(HostGroup<W>{}, k);
  }

  /// f(group, stage, k) for the f.groups(stage) problems of each of `stages` stages, one stage after the
  /// other in one launch: each sees what the stages before it wrote. For stages so small that a launch costs
  /// more than the work.
  template <int W, class F>
  void groups_in_stages(const char* label, int stages, double moved, F f) {
    counts_.add(label, moved, false);
    for (int s = 0; s < stages; ++s) {
      const int count = f.groups(s);
#pragma omp parallel for schedule(static) if (long(count) * W > small)
      for (int k = 0; k < count; ++k) f(HostGroup<W>{}, s, k);
    }
  }

  /// K sweeps with D^-1 A in one pass, of a system or a fused step, then epilogue(*out): blocked_sweeps_host.hpp.
  template <class T, int K, class System, class Fields, class Epilogue>
  void blocked_sweeps(const char* label, Extent e, const System& system, const Fields& fields,
                      const SweepCoefficients<T, K>& steps, typename Fields::Result* out, Epilogue epilogue);
  /// K explicit steps in one pass over memory: leapfrog_host.hpp, lax_wendroff_host.hpp.
  template <int K, class Pass>
  void leapfrog(const char* label, const Pass& pass);
  /// Of what lies around it, with perfectly matched layers: layers_host.hpp.
  template <class Layers>
  void leapfrog_in_layers(const char* label, const Layers& layers);
  template <int K, class Pass>
  void lax_wendroff(const char* label, const Pass& pass);
  /// f() once.
  template <class F>
  void once(const char*, F f) {
    f();
  }

  /// Whether sums are compensated (compensated.hpp) from here on; returns what held before.
  bool compensate(bool on) { return std::exchange(compensates_, on); }
  bool compensates() const { return compensates_; }

  /// The end of a reduction, from the parts of its blocks, and what follows it.
  template <class S, class R, class Epilogue>
  void conclude(const sum_order::Cut& cut, const S* partial, const Extent& e, R* out,
                const Epilogue& epilogue) {
    S leaf[sum_order::lanes] = {};
    for (int band = 0; band < cut.bands.count; ++band)
      for (int b = 0; b < cut.blocks_per_band; ++b)
        leaf[cut.leaves.leaf(band, b)].join(partial[std::size_t(band) * cut.blocks_per_band + b]);
    if (e.shared) gather(leaf, cut.bands, cut.leaves.count());
    *out = value_of(host::block_sum(leaf));
    epilogue(*out);
  }

 private:
  static constexpr int small = 1 << 14;
  static constexpr int small_stage = 1 << 11;  // a row of a sparse matrix is more work than an element
  static constexpr int neighbours = 16;        // tiles at most

  bool compensates_ = false;
  bool subnormals_are_zero_ = false;
};

}  // namespace wavesim
