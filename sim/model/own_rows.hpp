#pragma once
// Which rows of nodes a process keeps values of, where ranks share out a model.

#include <algorithm>
#include <climits>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "kernels/comm/ranks.hpp"
#include "kernels/grid/extent.hpp"

namespace wavesim {

/// A node and the value there.
struct NodeValue {
  std::size_t node;
  double value;
};

/// All rows; or those from `first` to `end` - 1: a rank's own, and some on either side that its coefficients are made from.
/// Values of other rows are not computed, and their memory is not touched. What is asked of all ranks, they ask together.
struct OwnRows {
  /// The outermost rows, whose values may differ from those of one process: what they depend on may lie beyond them. One thing
  /// is made from another, and each looks some rows further: which nodes a staircase rim holds 1, what is cut out of that 1, cut
  /// cells 1, faces 1, means of the medium 2, the filter of fourth order 3, the curvature of rims 3; 12 in all.
  static constexpr long unsure = 16;
  static constexpr long beside = most_ghosts + unsure;
  long first = 0, end = LONG_MAX;
  Ranks* ranks = nullptr;  // that have the others; null: there are none
  /// Where there are: all rows, each of one rank, of sure rows alone: rank k's are partition[k] to partition[k + 1] - 1.
  std::vector<long> partition{};

  bool has(long row) const { return row >= first && row < end; }

  /// Of all ranks.
  double least(double own) const {
    if (ranks)
      for (const double v : ranks->all_of(own)) own = std::min(own, v);
    return own;
  }
  double most(double own) const {
    if (ranks)
      for (const double v : ranks->all_of(own)) own = std::max(own, v);
    return own;
  }
  bool any(bool own) const { return ranks ? ranks->any(std::array{own})[0] : own; }
  /// The lists of all ranks, in their order.
  template <class V>
  std::vector<std::vector<V>> lists(std::vector<V> own) const {
    if (!ranks) return {std::move(own)};
    std::vector<std::size_t> start{0};
    for (const std::size_t count : ranks->all_of(own.size()))
      start.push_back(start.back() + count * sizeof(V));
    std::vector<V> all(start.back() / sizeof(V));
    const auto begin_of = [&](std::size_t k) { return all.begin() + std::ptrdiff_t(start[k] / sizeof(V)); };
    std::copy(own.begin(), own.end(), begin_of(std::size_t(ranks->rank())));
    ranks->all_gather(all.data(), start);
    std::vector<std::vector<V>> lists;
    for (std::size_t k = 0; k + 1 < start.size(); ++k) lists.emplace_back(begin_of(k), begin_of(k + 1));
    return lists;
  }
  /// Flags that all ranks have as many of: true where any rank says so.
  void join(std::vector<char>& flags) const {
    if (!ranks) return;
    for (const std::vector<char>& of_one : lists(flags))
      for (std::size_t k = 0; k < flags.size(); ++k) flags[k] = flags[k] || of_one[k];
  }
  /// The node with the lowest number that any rank has found.
  std::optional<NodeValue> first_found(std::optional<NodeValue> own) const {
    if (!ranks) return own;
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    NodeValue lowest{none, 0};
    for (const NodeValue& found : ranks->all_of(own.value_or(lowest)))
      if (found.node < lowest.node) lowest = found;
    return lowest.node == none ? std::nullopt : std::optional(lowest);
  }
  /// The value of a rank that `has` it.
  double told(bool has, double own) const {
    if (!ranks) return own;
    struct Told {
      bool has;
      double value;
    };
    for (const Told& told : ranks->all_of(Told{has, own}))
      if (told.has) return told.value;
    return own;
  }
};

}  // namespace wavesim
