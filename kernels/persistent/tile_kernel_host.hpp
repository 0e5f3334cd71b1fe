#pragma once
// tile_kernel.hpp on the CPU, block by block and lane by lane: for tests, because passes over memory are faster there.

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/persistent/tile_kernel.hpp"

namespace wavesim {

template <>
class TileKernel<Host> {
 public:
  TileKernel(Host& be, Extent e) : be_(be), share_(e), cut_(sum_order::cut_rows(e)) {}

  template <class P>
  bool fits(std::size_t) const {
    return share_.fits();
  }
  template <class P>
  void run(const char* label, std::size_t shared, double bytes, P program) {
    using namespace persistent;
    be_.counts().add(label, bytes, true);
    std::vector<typename P::Lane> lane(std::size_t(share_.blocks) * lanes);
    std::memset(static_cast<void*>(lane.data()), 0x7f,
                lane.size() * sizeof(lane[0]));  // what a lane does not set is of no use
    std::vector<typename P::Shared> memory(std::size_t(share_.blocks) * shared);
    const auto all = [&](auto f) {
      for (int b = 0; b < share_.blocks; ++b)
        for (int t = 0; t < lanes; ++t)
          f(TileLane(share_, b, t), lane[std::size_t(b) * lanes + std::size_t(t)],
            memory.data() + std::size_t(b) * shared);
    };
    typename P::State state = program.state;
    all([&](TileLane at, auto& own, auto* s) { program.begin(at, own, s); });
    const auto go_on = [&](auto number) {
      constexpr int phase = number;
      using R = typename P::template R<phase>;
      std::vector<R> sums(lane.size() * P::rounds);
      all([&](TileLane at, auto& own, auto* s) {
        R of[P::rounds] = {};
        program.template measure<phase>(at, own, s, state, of);
        std::copy(of, of + P::rounds, sums.begin() + (&own - lane.data()) * P::rounds);
      });
      if (!program.next(state, sum_of_tiles<R, P::rounds>(sums), true)) return false;
      all([&](TileLane at, auto& own, auto*) { program.template fetch<phase>(at, own); });
      all([&](TileLane at, auto& own, auto* s) { program.template advance<phase>(at, own, s, state); });
      return true;
    };
    while (go_on(std::integral_constant<int, 0>{}) && go_on(std::integral_constant<int, 1>{})) {
    }
    all([&](TileLane at, auto& own, auto* s) { program.end(at, own, s); });
  }

 private:
  /// Of the lanes of a block, from `at(lane)`.
  template <class R, class F>
  static R sum_of_lanes(const F& at) {
    R lane[sum_order::lanes];
    for (int t = 0; t < sum_order::lanes; ++t) lane[t] = at(t);
    return host::block_sum(lane);
  }
  template <class R, int rounds>
  R sum_of_tiles(const std::vector<R>& sums) const {
    std::vector<R> parts(std::size_t(cut_.most_parts_of_leaf()) * sum_order::lanes);
    for (int b = 0; b < share_.blocks; ++b)
      for (int place = 0; place < share_.of_block; ++place)
        if (const int tile = share_.tile(b, place); tile >= 0) {
          const int first = b * persistent::lanes + place % TileShare::at_once * sum_order::lanes,
                    round = place / TileShare::at_once;
          parts[std::size_t(sum_order::part_of_tile(cut_, share_.across, tile))] = sum_of_lanes<R>(
              [&](int t) { return sums[std::size_t(first + t) * rounds + std::size_t(round)]; });
        }
    return sum_of_lanes<R>([&](int leaf) {
      R sum = {};
      for (int k = 0; k < cut_.parts_of_leaf(leaf); ++k)
        sum.join(parts[std::size_t(k) * sum_order::lanes + std::size_t(leaf)]);
      return sum;
    });
  }

  Host& be_;
  TileShare share_;
  sum_order::Cut cut_;
};

}  // namespace wavesim
