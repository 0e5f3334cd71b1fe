#pragma once
// Looking up what a rim does to the line from a node to its next one.

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/model/rim.hpp"

namespace wavesim {

/// The entry of a list, ordered by node and axis, for the face from a node to its next one; null: there is none.
template <class T>
const T* find_face(const std::vector<T>& list, std::size_t node, int axis) {
  const std::pair key(node, axis);
  const auto at = std::lower_bound(list.begin(), list.end(), key,
                                   [](const T& c, const auto& k) { return std::pair(c.node, c.axis) < k; });
  return at != list.end() && at->node == node && at->axis == axis ? &*at : nullptr;
}

/// The share of the line from a node to its next one that lies inside a fixed rim; 1 where the rim follows the
/// grid.
inline double share_inside(const Rim& rim, std::size_t node, int axis) {
  const Rim::Crossing* const c = find_face(rim.crossings, node, axis);
  return c ? c->share : 1;
}

}  // namespace wavesim
