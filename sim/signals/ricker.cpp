#include <cmath>
#include <numbers>

#include "sim/signals/signal.hpp"

namespace wavesim {

namespace {

/// s = amplitude (1 - 2 a) exp(-a), a = (pi frequency (t - delay))^2: the second derivative of a Gaussian
/// (Ricker 1953); its spectrum peaks at `frequency`.
struct Ricker : Signal {
  double frequency = 1, amplitude = 1;
  std::optional<double> delay;

  void fields(Section& s) override {
    s("frequency", frequency,
      {.text = "where the spectrum peaks", .unit = "Hz", .required = true, .above = 0});
    s("amplitude", amplitude, {.text = "value at the peak"});
    s("delay", delay,
      {.text = "time of the peak; default 1.5 / frequency, where the start is at 1e-8 of it", .unit = "s"});
  }
  double at(double t) const override {
    const double r = std::numbers::pi * frequency * (t - delay.value_or(1.5 / frequency));
    return amplitude * (1 - 2 * r * r) * std::exp(-r * r);
  }
  /// There the spectrum, f^2 exp(-f^2 / frequency^2), is down to 3 % of its peak.
  double highest_frequency() const override { return 2.5 * frequency; }
};

}  // namespace

Kind<Signal> ricker_kind() {
  return {"ricker", "Ricker wavelet: the second derivative of a Gaussian", Form::nested,
          make_kind<Signal, Ricker>};
}

}  // namespace wavesim
