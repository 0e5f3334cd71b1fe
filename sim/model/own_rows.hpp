#pragma once
// Which rows of nodes a process keeps values of, where ranks share out a model.

#include <algorithm>
#include <climits>
#include <cstddef>
#include <limits>
#include <optional>

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
  static constexpr long beside = most_ghosts + 8;
  long first = 0, end = LONG_MAX;
  Ranks* ranks = nullptr;  // that have the others; null: there are none

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
  /// The node with the lowest number that any rank has found.
  std::optional<NodeValue> first_found(std::optional<NodeValue> own) const {
    if (!ranks) return own;
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    NodeValue lowest{none, 0};
    for (const NodeValue& found : ranks->all_of(own.value_or(lowest)))
      if (found.node < lowest.node) lowest = found;
    return lowest.node == none ? std::nullopt : std::optional(lowest);
  }
  /// The value that those have who have a row.
  double of_row(long row, double own) const {
    if (!ranks) return own;
    struct Told {
      bool has;
      double value;
    };
    for (const Told& told : ranks->all_of(Told{has(row), own}))
      if (told.has) return told.value;
    return own;
  }
};

}  // namespace wavesim
