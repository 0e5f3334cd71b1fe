#include <cmath>
#include <numbers>

#include "sim/signals/signal.hpp"

namespace wavesim {

namespace {

/// s = amplitude sin(2 pi frequency t + phase) for t >= 0, multiplied over the first `ramp` periods by
/// (1 - cos(pi t / T)) / 2, T = ramp / frequency.
struct Sinusoid : Signal {
  double frequency = 1, amplitude = 1, phase = 0, ramp = 0;

  void fields(Section& s) override {
    s("frequency", frequency, {.unit = "Hz", .required = true, .above = 0});
    s("amplitude", amplitude, {.text = "largest value"});
    s("phase", phase, {.text = "at t = 0: 0 begins as a sine, pi/2 as a cosine", .unit = "rad"});
    s("ramp", ramp, {.text = "periods over which the amplitude grows smoothly from 0", .least = 0});
  }
  double at(double t) const override {
    if (t < 0) return 0;
    const double turn = 2 * std::numbers::pi * frequency * t;
    const double grown = frequency * t < ramp ? 0.5 * (1 - std::cos(turn / (2 * ramp))) : 1;
    return amplitude * grown * std::sin(turn + phase);
  }
  double highest_frequency() const override { return frequency; }
};

}  // namespace

Kind<Signal> sinusoid_kind() {
  return {"sinusoid", "sine of one frequency from t = 0, with an optional smooth start", Form::nested,
          make_kind<Signal, Sinusoid>};
}

}  // namespace wavesim
