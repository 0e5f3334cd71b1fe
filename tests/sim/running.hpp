#pragma once
// A run without writers: the stepper of a config, step by step, on the CPU or a GPU.

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/device.hpp"
#include "sim/run/stepper_setup.hpp"
#include "sim/time/stepper.hpp"
#include "tests/sim/given.hpp"

namespace wavesim::test {

class Running {
 public:
  explicit Running(const std::string& yaml, const std::string& device = "cpu")
      : Running(config(yaml), device) {}
  explicit Running(Config c, const std::string& device = "cpu")
      : config_(std::move(c)),
        model(build_model(config_)),
        scheme(make_scheme(config_.time, config_.space.order)),
        plan(plan_time(config_, scheme, model)) {
    const StepperSetup setup = setup_of(config_, model, scheme, plan);
    const bool single = config_.precision == "single";
    stepper = make_stepper(device, single, setup);
  }

  /// The next step; fails the test if its solve does.
  StepResult step() {
    StepResult r = stepper->step(done++);
    EXPECT_TRUE(r.report.converged()) << "step " << done << ": " << word(r.report.status);
    iterations.push_back(r.report.iterations);
    return r;
  }
  /// All remaining steps.
  void finish() {
    while (done < plan.steps) step();
  }

  double time() const { return plan.dt * double(done); }
  /// A quantity on all nodes, edges and layers included.
  std::vector<double> field(Quantity q = Quantity::displacement) const {
    Window w;
    w.count = {model.grid.nodes(0), model.grid.nodes(1)};
    const Values values = stepper->read(q, w, time(), false);
    const auto v = values.as<double>();
    return {v.begin(), v.end()};
  }
  template <class F>
  std::vector<double> on_nodes(const F& f) const {
    std::vector<double> v;
    for (long iy = 0; iy < model.grid.nodes(1); ++iy)
      for (long ix = 0; ix < model.grid.nodes(0); ++ix) v.push_back(f(model.grid.x(ix), model.grid.y(iy)));
    return v;
  }
  /// Largest difference between u and f(x, y) on the nodes.
  template <class F>
  double error(const F& f) const {
    const auto u = field(), v = on_nodes(f);
    double e = 0;
    for (std::size_t i = 0; i < u.size(); ++i) e = std::max(e, std::abs(u[i] - v[i]));
    return e;
  }

 private:
  Config config_;

 public:
  Model model;
  Scheme scheme;
  TimePlan plan;
  std::unique_ptr<Stepper> stepper;
  long done = 0;
  std::vector<int> iterations;
};

/// By Cholesky's factorisation, where A lies.
inline void expect_positive_definite(std::vector<std::vector<double>> A, const char* what = "") {
  for (std::size_t k = 0; k < A.size(); ++k) {
    ASSERT_GT(A[k][k], 0) << what;
    for (std::size_t i = k + 1; i < A.size(); ++i)
      for (std::size_t j = k + 1; j <= i; ++j) A[i][j] -= A[i][k] * A[j][k] / A[k][k];
  }
}

/// The largest relative change of the energy from here to the end, looked at every hundredth step.
inline double energy_drift(Running& run) {
  const double first = run.stepper->energy();
  double drift = 0;
  while (run.done < run.plan.steps) {
    run.step();
    if (run.done % 100 == 0) drift = std::max(drift, std::abs(run.stepper->energy() / first - 1));
  }
  return drift;
}

/// "cpu", and "cuda" where a GPU answers.
inline std::vector<std::string> devices() {
  return cuda_facts().empty() ? std::vector<std::string>{"cpu"} : std::vector<std::string>{"cpu", "cuda"};
}

/// printf into a string, for configs with numbers in them.
template <class... A>
std::string with(const char* format, A... a) {
  char text[4096];
  std::snprintf(text, sizeof text, format, a...);  // NOLINT(clang-diagnostic-format-security): of a test
  return text;
}

}  // namespace wavesim::test
