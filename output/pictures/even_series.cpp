#include "output/pictures/even_series.hpp"

#include <algorithm>
#include <cmath>

namespace wavesim {

EvenSeries even_series(const std::vector<double>& time, const std::vector<double>& value) {
  EvenSeries s{time, value};
  s.value.resize(time.size(), 0.0);
  for (double& v : s.value)
    if (!std::isfinite(v)) v = 0;
  const std::size_t last = time.size() - 1;
  const double step = (time[last] - time[0]) / double(last);
  bool even = true;
  for (std::size_t k = 0; k < last; ++k) even = even && std::abs(time[k + 1] - time[k] - step) < 1e-3 * step;
  if (even) return s;
  const std::vector<double> before = s.value;
  for (std::size_t k = 0, i = 0; k <= last; ++k) {
    s.time[k] = k == last ? time[last] : time[0] + double(k) * step;
    while (i + 1 < last && time[i + 1] <= s.time[k]) ++i;
    const double part = std::clamp((s.time[k] - time[i]) / (time[i + 1] - time[i]), 0.0, 1.0);
    s.value[k] = before[i] + part * (before[i + 1] - before[i]);
  }
  return s;
}

}  // namespace wavesim
