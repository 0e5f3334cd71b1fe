#pragma once
// A writer that keeps all that it is told.

#include "sim/run/simulation.hpp"
#include "tests/sim/restarted.hpp"

namespace wavesim::test {

/// What writers are told, but for seconds; stops the run after a step.
class Told final : public Writer {
 public:
  long stop_after = -1;
  std::atomic<bool> stop = false;
  std::vector<Bits> all;

  void begin(const RunInfo&) override {}
  void frame(const Frame& f) override {
    std::vector<double> numbers{1, double(f.step), f.time, f.energy, f.residual, double(f.iterations)};
    for (const Plane& p : f.planes)
      p.values.visit([&](auto values) { numbers.insert(numbers.end(), values.begin(), values.end()); });
    all.push_back(bits(numbers));
  }
  void sample(const ReceiverSample& s) override {
    std::vector<double> numbers{2, double(s.step), s.time};
    numbers.insert(numbers.end(), s.values.begin(), s.values.end());
    samples.push_back(bits(numbers));
  }
  void step(const StepRecord& r) override {
    all.push_back(
        bits({3, double(r.step), r.time, double(r.iterations), r.residual_2, r.residual_max, r.energy}));
    if (r.step == stop_after) stop = true;
  }
  void finish(const RunSummary& s) override {
    summary =
        bits({double(s.steps), double(s.iterations_min), double(s.iterations_max), s.iterations_mean,
              double(s.parted_steps), double(s.parted_first), s.energy_first, s.energy_last, s.energy_drift});
  }
  /// They come in packets: their order among the other calls is not that of the steps.
  std::vector<Bits> samples;
  Bits summary;
};

}  // namespace wavesim::test
