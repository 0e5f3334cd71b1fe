#include "sim/medium/sharpened_means.hpp"

#include <algorithm>
#include <vector>

namespace wavesim {

void sharpen_means(NodeField& field, const Grid& grid, int axis, bool faces) {
  const bool periodic = grid.periodic[axis];
  const long cells = grid.cells[axis], count = periodic || faces ? cells : cells + 1;
  if (count < 6) return;
  // along y from `low` to `high` - 1, where others have the rest: next to it means stay, in rows beside the own
  const long low = axis == 0 ? 0 : grid.first_row(),
             high = axis == 0 ? count : std::min(count, grid.end_row());
  const long first_line = axis == 0 ? grid.first_row() : 0,
             end_line = axis == 0 ? grid.end_row() : grid.nodes(0);
#pragma omp parallel
  {
    std::vector<double> mean, bend;
#pragma omp for schedule(static)
    for (long line = first_line; line < end_line; ++line) {
      const auto value = [&](long k) -> double& {
        return field.values[axis == 0 ? grid.index(k, line) : grid.index(line, k)];
      };
      mean.clear(), bend.clear();
      for (long k = low; k < high; ++k) mean.push_back(value(k));
      const auto at = [&](long k) { return mean[std::size_t((k - low + high - low) % (high - low))]; };
      for (long k = low; k < high; ++k) {
        const double before = at(k - 1), after = at(k + 1);
        const bool all = before > 0 && at(k) > 0 && after > 0 && (periodic || (k > low && k < high - 1));
        bend.push_back(all ? before - 2 * at(k) + after : 0);
      }
      if (!periodic) {  // on a straight line where a neighbour is no mean
        const auto first = bend.begin() + (faces ? 0 : 1);
        const auto last = bend.rbegin() + (faces ? 0 : 1);
        if (low == 0) first[0] = 2 * first[1] - first[2];
        if (high == count) last[0] = 2 * last[1] - last[2];
      }
      for (long k = low; k < high; ++k) {
        const double v = at(k);
        if (v > 0) value(k) = v - std::clamp(bend[std::size_t(k - low)] / 24, -v / 4, v / 4);
      }
      if (periodic && !faces) value(cells) = value(0);
    }
  }
}

}  // namespace wavesim
