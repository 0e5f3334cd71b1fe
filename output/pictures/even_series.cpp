#include "output/pictures/even_series.hpp"

#include <algorithm>
#include <cmath>

namespace wavesim {

namespace {

/// The cubic through the four samples around t (Lagrange); at the ends of the series those nearest to it.
double between(const std::vector<double>& time, const std::vector<double>& value, std::size_t left,
               double t) {
  const std::size_t count = std::min<std::size_t>(4, time.size());
  const std::size_t first = std::min(left > 0 ? left - 1 : 0, time.size() - count);
  double sum = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    double weight = 1;
    for (std::size_t j = first; j < first + count; ++j)
      if (j != i) weight *= (t - time[j]) / (time[i] - time[j]);
    sum += weight * value[i];
  }
  return sum;
}

}  // namespace

bool rises(const std::vector<double>& time) {
  if (time.size() < 2 || !std::isfinite(time.front()) || !std::isfinite(time.back())) return false;
  for (std::size_t k = 1; k < time.size(); ++k)
    if (!(time[k] > time[k - 1])) return false;
  return true;
}

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
    s.value[k] = between(time, before, i, s.time[k]);
  }
  return s;
}

}  // namespace wavesim
