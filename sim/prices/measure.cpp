#include "sim/prices/measure.hpp"

#include <algorithm>
#include <ctime>
#include <vector>

#include "kernels/backend/device.hpp"
#include "kernels/backend/errors.hpp"
#include "sim/time/stepper.hpp"

namespace wavesim {

namespace {

/// From grids that lie in the first caches to those that lie in none. Of small factors, for transforms.
constexpr std::array<long, 6> sizes{40, 100, 200, 400, 720, largest_measured};

/// Seconds. One thread alone is timed by its processor, so that other programs count little.
double now(int threads) {
  timespec t{};
  clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// A step: seconds, and iterations or passes of several.
struct TimedStep {
  double seconds = 0, passes = 1;
};
/// The first one, and the middle one of those after it: what steps of a run take, not what they take at best.
struct TimedSteps {
  TimedStep first, usual;
};

Config config_for(long cells, bool varies, const char* solver, double courant, double tolerance) {
  const std::string n = std::to_string(cells);
  char rest[200];
  std::snprintf(rest, sizeof rest, "time: {courant: %g, steps: 1000}, solver: {%s, tolerance: %g}}", courant,
                solver, tolerance);
  return parse_config("{grid: {size: [1, 1], cells: [" + n + ", " + n +
                          "]}, medium: {speed: " + (varies ? "'1 + 0.5 * sin(20 * x) * sin(15 * y)'" : "1") +
                          "}, edges: fixed, initial: {displacement: {gaussian: {center: [0.4, 0.5], width: "
                          "0.05, amplitude: 1}}}, " +
                          rest,
                      "prices");
}

class Timer {
 public:
  Timer(long cells, bool varies, int threads)
      : cells_(cells),
        varies_(varies),
        threads_(threads),
        model_(build_model(config_for(cells, varies, "method: cg", 1, 0.1))) {}

  /// Of an iteration or pass from what more of them take longer: at a loose tolerance and at a tight one.
  void add(PriceCurve& curve, const char* solver, double courant, int pass = 1) const {
    const TimedSteps loose = steps(solver, courant, 1e-2, pass), tight = steps(solver, courant, 1e-8, pass);
    const TimedStep &few = loose.usual, &many = tight.usual;
    double each = many.seconds / many.passes, solve = 0;
    if (many.passes > few.passes) {
      const double slope = (many.seconds - few.seconds) / (many.passes - few.passes);
      each = std::clamp(slope, 0.3 * each, each);
      solve = std::max(0.0, few.seconds - few.passes * each);
    }
    curve.set_up.push_back(std::max(0.0, tight.first.seconds - solve - each * tight.first.passes));
    curve.solve.push_back(solve);
    curve.each.push_back(each);
  }

 private:
  TimedSteps steps(const char* solver, double courant, double tolerance, int pass) const {
    constexpr double enough = 0.03;  // s
    const Config config = config_for(cells_, varies_, solver, courant, tolerance);
    const Scheme scheme = make_scheme(config.time, config.space.order);
    const TimePlan plan = plan_time(config, scheme, model_);
    const auto stepper = make_host_stepper(false, {model_, scheme, plan, config.solver_options()});
    const double begin = now(threads_);
    double before = begin;
    TimedSteps s;
    std::vector<TimedStep> all;
    for (long n = 0; n < 3 || (n < 100 && before - begin < enough); ++n) {
      const StepResult result = stepper->step(n);
      const double after = now(threads_), took = after - before;
      before = after;
      const double passes = std::max(1.0, double(result.report.iterations) / pass);
      if (n == 0)
        s.first = {took, passes};
      else
        all.push_back({took, passes});
    }
    const auto middle = all.begin() + long(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end(),
                     [](const TimedStep& a, const TimedStep& b) { return a.seconds < b.seconds; });
    s.usual = *middle;
    return s;
  }

  long cells_;
  bool varies_;
  int threads_;
  Model model_;
};

}  // namespace

Prices measure_prices(long largest, const std::function<void(long)>& progress) {
  if (largest < sizes[1])
    throw InputError("prices are measured at two sizes at least; take a largest grid of " +
                     std::to_string(sizes[1]) + " cells or more");
  const DeviceFacts cpu = cpu_facts();
  Prices p;
  p.machine = cpu.name;
  p.threads = cpu.units;
  for (const long cells : sizes) {
    if (cells > largest) break;
    progress(cells);
    p.cells.push_back(double(cells));
    for (const bool varies : {false, true}) {
      const Timer timer(cells, varies, p.threads);
      // passes that begin anew and take steps as a whole are those of small time steps (chebyshev.hpp)
      timer.add(p.cg[varies], "method: cg", 5);
      timer.add(p.sweeps[varies], "method: chebyshev", 5, 8);
      timer.add(p.steps[varies], "method: chebyshev", 1, 8);
      timer.add(p.multigrid[varies], "method: cg, preconditioner: multigrid", 20);
      if (!varies) timer.add(p.transform, "method: sine-transform", 5);
    }
  }
  return p;
}

}  // namespace wavesim
