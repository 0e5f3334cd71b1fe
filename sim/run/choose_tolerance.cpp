#include "sim/run/choose_tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/input/text.hpp"
#include "sim/run/advice.hpp"

namespace wavesim {

namespace {

// The waves that carry most are longer than the shortest ones by this: so it is with the peak of a Ricker pulse.
constexpr double longer = 2.5;
constexpr double share = 0.1;     // of the other errors
constexpr double largest = 1e-3;  // for the sake of what is rough
constexpr double of_unknown_waves = 1e-6;

/// An error e of the phase speed moves a wave by e omega dt u in a step, and so does a relative error e of the increment
/// d = omega dt u. The residual of A d = b, to b, bounds that of d: A is smallest for the smoothest d.
double below_other_errors(const Config& config, const Model& m, const Scheme& scheme, const Resolution& r) {
  const double z = 2 * std::numbers::pi / (r.steps_per_period * longer);
  const double space = r.space_error / std::pow(longer, double(m.space_order)),
               time = time_phase_error(scheme, z);  // they may be of opposite sign
  const double error = std::max(std::abs(space + time), 0.1 * std::max(space, std::abs(time)));
  return share * error * (config.solver.norm == "increment" ? 1 : z);
}

}  // namespace

void choose_tolerance(Config& config, Model& model, const Scheme& scheme, const TimePlan& plan) {
  double& tolerance = config.solver.tolerance;
  if (!std::isnan(tolerance)) return;
  if (!scheme.solves) {
    tolerance = of_unknown_waves;
    return;
  }
  const Resolution r = resolution(config, model, scheme, plan);
  const bool known = r.wavelength > 0;
  tolerance = known ? std::min(largest, below_other_errors(config, model, scheme, r)) : of_unknown_waves;
  tolerance = std::max(tolerance, reachable_tolerance(config, plan));
  model.notes.push_back("solver.tolerance is " + text(tolerance) +
                        (known
                             ? ": a tenth of the errors of grid and time step"
                             : ": the shortest wave, and so the errors of grid and time step, cannot be told "
                               "from this config"));
}

}  // namespace wavesim
