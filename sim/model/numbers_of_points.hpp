#pragma once
// What follows from the model at single points: of ranks those find it that have the rows round a point, and all are told.

#include <vector>

#include "sim/model/grid.hpp"

namespace wavesim {

/// numbers(k), a list of doubles, of each of `count` points; row(k): of nodes, which the k-th point lies in or above. All ranks
/// together, with the same points.
template <class Row, class Numbers>
std::vector<std::vector<double>> numbers_of_points(const Grid& grid, std::size_t count, const Row& row,
                                                   const Numbers& numbers) {
  std::vector<std::vector<double>> all(count);
  std::vector<double> own;  // of each point that this rank has: which, how many numbers, the numbers
  for (std::size_t k = 0; k < count; ++k) {
    if (!grid.is_sure(row(k))) continue;
    all[k] = numbers(k);
    own.push_back(double(k)), own.push_back(double(all[k].size()));
    own.insert(own.end(), all[k].begin(), all[k].end());
  }
  if (!grid.own.ranks) return all;
  for (const std::vector<double>& list : grid.own.lists(own))
    for (auto at = list.begin(); at != list.end();) {
      std::vector<double>& of_point = all[std::size_t(*at++)];
      const auto n = std::ptrdiff_t(*at++);
      of_point.assign(at, at + n);
      at += n;
    }
  return all;
}

}  // namespace wavesim
