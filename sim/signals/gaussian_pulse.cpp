#include <cmath>

#include "sim/signals/signal.hpp"

namespace wavesim {

namespace {

/// s = amplitude exp(-(t - delay)^2 / (2 width^2)).
struct GaussianPulse : Signal {
  double width = 1, amplitude = 1;
  std::optional<double> delay;

  void fields(Section& s) override {
    s("width", width, {.text = "standard deviation in time", .unit = "s", .required = true, .above = 0});
    s("amplitude", amplitude, {.text = "value at the peak"});
    s("delay", delay,
      {.text = "time of the peak; default 6 widths, where the start is at 1e-8 of it", .unit = "s"});
  }
  double at(double t) const override {
    const double r = (t - delay.value_or(6 * width)) / width;
    return amplitude * std::exp(-0.5 * r * r);
  }
  /// There the spectrum, exp(-(2 pi f width)^2 / 2), is down to 3 % of its peak.
  double highest_frequency() const override { return 0.42 / width; }
};

}  // namespace

Kind<Signal> gaussian_pulse_kind() {
  return {"gaussian-pulse", "Gaussian bell in time", Form::nested, make_kind<Signal, GaussianPulse>};
}

}  // namespace wavesim
