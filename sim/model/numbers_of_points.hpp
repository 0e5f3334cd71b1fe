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
  if (!grid.own.ranks) {
    for (std::size_t k = 0; k < count; ++k) all[k] = numbers(k);
    return all;
  }
  const auto rank = std::size_t(grid.own.ranks->rank());
  const std::vector<long> partition = grid.partition();
  const long first = partition[rank], end = partition[rank + 1];
  std::vector<double> own;  // of each point in this rank's rows: which, how many numbers, the numbers
  for (std::size_t k = 0; k < count; ++k) {
    if (row(k) < first || row(k) >= end) continue;
    const std::vector<double> of_point = numbers(k);
    own.push_back(double(k)), own.push_back(double(of_point.size()));
    own.insert(own.end(), of_point.begin(), of_point.end());
  }
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
