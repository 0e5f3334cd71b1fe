#include "sim/medium/sharpened_means.hpp"

#include <algorithm>
#include <vector>

namespace wavesim {

void sharpen_means(NodeField& field, const Grid& grid, int axis, bool faces) {
  const bool periodic = grid.periodic[axis];
  const long cells = grid.cells[axis], count = periodic || faces ? cells : cells + 1;
  if (count < 6) return;
  const long lines = grid.nodes(1 - axis);
#pragma omp parallel
  {
    std::vector<double> mean, bend;
#pragma omp for schedule(static)
    for (long line = 0; line < lines; ++line) {
      const auto value = [&](long k) -> double& {
        return field.values[axis == 0 ? grid.index(k, line) : grid.index(line, k)];
      };
      mean.clear(), bend.clear();
      for (long k = 0; k < count; ++k) mean.push_back(value(k));
      const auto at = [&](long k) { return mean[std::size_t((k + count) % count)]; };
      for (long k = 0; k < count; ++k) {
        const double low = at(k - 1), high = at(k + 1);
        const bool all = low > 0 && at(k) > 0 && high > 0 && (periodic || (k > 0 && k < count - 1));
        bend.push_back(all ? low - 2 * at(k) + high : 0);
      }
      if (!periodic) {  // on a straight line where a neighbour is no mean
        const auto first = bend.begin() + (faces ? 0 : 1);
        const auto last = bend.rbegin() + (faces ? 0 : 1);
        first[0] = 2 * first[1] - first[2];
        last[0] = 2 * last[1] - last[2];
      }
      for (long k = 0; k < count; ++k) {
        const double v = at(k);
        if (v > 0) value(k) = v - std::clamp(bend[std::size_t(k)] / 24, -v / 4, v / 4);
      }
      if (periodic && !faces) value(cells) = value(0);
    }
  }
}

}  // namespace wavesim
