// bench_efficiency: what a dry run foresees for several H200 of one host: percents of the speed of one, for the cases of
// bench/scaling. No GPU is needed.

#include <cstdio>
#include <string>

#include "build_facts.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/model/sampled_model.hpp"
#include "sim/run/cost.hpp"

namespace wavesim {

namespace {

constexpr double copy_bandwidth = 4.1e12;  // bench/results/h200/targets.txt

/// Of n x rows cells on so many GPUs.
double seconds(const std::string& settings, long n, long rows, int gpus) {
  Config config = parse_config("grid: {size: [1, 1], cells: [20, 20]}\n" + settings, "efficiency", ".");
  config.grid.size[1] = double(rows) / double(n);
  config.grid.cells = {n, rows};
  const Model model = build_sampled_model(config, 1e4).model;
  const Scheme scheme = make_scheme(config.time, config.space.order);
  const TimePlan plan = plan_time(config, scheme, model);
  DeviceFacts h200;
  h200.kind = "cuda";
  h200.units = 132;
  const Cost one = cost(config, model, scheme, plan, h200, copy_bandwidth, 0);
  return seconds_on_gpus(one, make_unknowns(model, 8).extent, plan.steps, gpus);
}

}  // namespace

}  // namespace wavesim

int main() {
  using namespace wavesim;
  const std::string constant = "medium: {speed: 1}\n", implicit = "time: {steps: 100, courant: 1}\n",
                    varying = "medium: {speed: '1 + 0.5 * sin(7 * x) * cos(5 * y)'}\n";
  // each step in one pass, as those of bench/scaling are
  const std::string passes = "solver: {method: chebyshev, norm: relative-2, tolerance: 1e-3}\n";
  const struct {
    const char* name;
    std::string settings;
  } kinds[] = {{"explicit", constant + "time: {steps: 100, scheme: explicit, courant: 0.7}\n"},
               {"chebyshev", constant + implicit + passes},
               {"varying speed, chebyshev", varying + implicit + passes},
               {"nine points, numerov, chebyshev",
                constant + "space: {order: 4}\ntime: {steps: 100, scheme: numerov, courant: 0.7}\n" + passes},
               {"cg", constant + implicit + "solver: {method: cg, norm: relative-2, tolerance: 1e-8}\n"}};
  std::printf("wavesim %s (%s)\n", version, commit);
  std::printf("foreseen: percents of the speed of as many H200 %8d %8d %8d\n", 2, 4, 8);
  for (const auto& kind : kinds)
    for (const long n : {0, 16384, 8192, 4096}) {  // 0: weak, 8192^2 a GPU
      std::printf("%-48s",
                  ((n == 0 ? "weak 8192^2, " : "strong " + std::to_string(n) + "^2, ") + kind.name).c_str());
      for (const int gpus : {2, 4, 8}) {
        const long side = n == 0 ? 8192 : n, rows = n == 0 ? 8192L * gpus : n, work = n == 0 ? 1 : gpus;
        const double one = seconds(kind.settings, side, side, 1),
                     several = seconds(kind.settings, side, rows, gpus);
        std::printf(" %8.1f", 100 * one / several / double(work));
      }
      std::printf("\n");
    }
}
