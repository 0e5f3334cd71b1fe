#include "solvers/automatic/cpu_costs.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/grid/coefficients.hpp"
#include "kernels/temporal/host_shares.hpp"

namespace wavesim {

namespace {
constexpr double single_sweeps = 0.6;  // a sweep is bound by operations: less than half is saved
}

CpuCosts::CpuCosts(const Prices& prices, const SystemFacts& facts)
    : prices_(prices), facts_(facts), medium_(facts.row_bytes > 0 ? 1 : 0) {
  const Work work = find_method("cg")->work;
  const double row = medium_ == 1 ? VariableCoefficients<double>::words * sizeof(double) : 0;
  seconds_a_byte_ = at(cg().each) / (facts.points * (work.moved * sizeof(double) + work.products * row));
}

double CpuCosts::interpolated(const std::vector<double>& seconds, const std::vector<double>& measures,
                              double measure) const {
  constexpr double least = 1e-9;  // s
  std::size_t k = 1;
  while (k + 1 < prices_.cells.size() && prices_.cells[k] * prices_.cells[k] < facts_.points) ++k;
  const double before = prices_.cells[k - 1], after = prices_.cells[k];
  const double at = std::log(facts_.points / (before * before)) / (2 * std::log(after / before));
  const auto rate = [&](std::size_t i) { return std::max(least, seconds[i]) / measures[i]; };
  if (at <= 0 && k == 1) return seconds[0];
  return measure * rate(k - 1) * std::pow(rate(k) / rate(k - 1), std::clamp(at, 0.0, 1.0));
}

double CpuCosts::at(const std::vector<double>& seconds) const {
  std::vector<double> points;
  for (const double n : prices_.cells) points.push_back(n * n);
  return interpolated(seconds, points, facts_.points);
}

double CpuCosts::points_of_a_thread(double nx, double ny, bool single) const {
  const Extent e = make_extent(int(nx), int(ny), single ? 4 : 8);
  const int steps = facts_.blocked_sweeps;
  const SweepPlan p = single ? plan_sweeps<float>(e, steps) : plan_sweeps<double>(e, steps);
  const int together = slices_together(p, steps, prices_.threads);
  return double(rows_of_a_thread(p, p.slices(), steps, prices_.threads, together)) * (p.inner + 2 * p.margin);
}

double CpuCosts::blocked_pass(const PriceCurve& c) const {
  std::vector<double> of_sizes;
  for (const double n : prices_.cells) of_sizes.push_back(points_of_a_thread(n - 1, n - 1, false));
  const bool single = facts_.word == 4;
  return (single ? single_sweeps : 1) *
         interpolated(c.each, of_sizes, points_of_a_thread(facts_.nx, facts_.ny, single));
}

}  // namespace wavesim
