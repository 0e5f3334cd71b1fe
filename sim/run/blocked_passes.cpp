#include "sim/run/blocked_passes.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/lax_wendroff/lax_wendroff.hpp"
#include "kernels/leapfrog/leapfrog.hpp"
#include "kernels/temporal/blocked_sweeps.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/run/cost.hpp"
#include "solvers/stationary/blocked_sweeps.hpp"
#include "solvers/stationary/chebyshev.hpp"

namespace wavesim {

bool is_damped(const Model& m) {
  const auto radiates = [](const EdgeCondition& e) { return e.radiation; };
  return !m.damping.uniform() || m.damping.constant != 0 || !m.pml.empty() ||
         std::any_of(m.edges.begin(), m.edges.end(), radiates);
}

int sweeps_of_a_pass_of(const Model& m) {
  return m.space_order == 4 ? sweeps_of_a_pass<NinePoint> : sweeps_of_a_pass<FivePoint>;
}

bool fuses_steps(const Config& c, const Model& m, const Scheme& scheme) {
  if (c.solver.guess != "previous" || c.solver.energy == "exact") return false;
  if (m.space_order == 4 && is_damped(m) && is_constant(m)) return false;
  return fused_form(scheme.step) == (m.space_order == 4 ? FusedForm::three_levels : FusedForm::first_order);
}

Passes passes_of(const Config& c, const Model& m, const Scheme& scheme, double condition) {
  const SolverOptions o = c.solver_options();
  const int sweeps = sweeps_of_a_pass_of(m);
  if (!scheme.solves || sweeps == 0 || find_method(o.method)->blocked.uniform == 0 ||
      o.choices.count(option::sweeps_a_pass) != int(option::sweeps_a_pass.usual))
    return {};
  const Topology topology = make_unknowns(m).topology;
  const bool fits =
      c.precision == "single" ? temporal::fits<float>(topology) : temporal::fits<double>(topology);
  if (stores_rows(c.solver.format) || !fits || o.accurate || o.mixed) return {};
  Passes p;
  p.anew = restarts({1, condition}, sweeps);
  p.whole = p.anew && fuses_steps(c, m, scheme);
  double n = double(iteration_bound(c.solver, condition)) / sweeps;
  if (p.anew && condition > 1 + 1e-12)
    n = std::log(1 / o.tolerance) /
        std::log(std::cosh(sweeps * std::acosh((condition + 1) / (condition - 1))));
  const long most = (c.solver.max_iterations + sweeps - 1) / sweeps;
  p.count = std::clamp(long(std::ceil(n)), 1L, most);
  return p;
}

int steps_of_an_explicit_pass(const Model& m, const DeviceFacts& device, bool tracks) {
  const bool gpu = device.kind == "cuda";
  return m.space_order == 8 ? lax_wendroff_steps(gpu) : leapfrog_steps(gpu, !is_constant(m), tracks);
}

double seconds_of_an_explicit_step(const DeviceFacts& device, const Model& m, double word) {
  struct Measured {                   // bench/steps on an H200, and on two cores at 2048^2
    double doubles, single, varying;  // seconds; how much of that in single precision, in a varying medium
  };
  constexpr Measured second_order[] = {{0.88e-9, 0.5, 1.6}, {0.19e-9, 0.5, 1.9}},
                     eighth_order[] = {{4.1e-9, 0.65, 1.1}, {0.97e-9, 0.85, 1.4}};
  const bool gpu = device.kind == "cuda";
  const Measured& of = m.space_order == 8 ? eighth_order[gpu] : second_order[gpu];
  return of.doubles * (word == 4 ? of.single : 1) * (is_constant(m) ? 1 : of.varying) /
         std::max(1, device.units);
}

double seconds_of_an_explicit_step_in_layers(const DeviceFacts& device, double word) {
  // a shot of 512^2 on one core, one of 4096^2 on an H200
  const double doubles = device.kind == "cuda" ? 18e-9 : 13e-9;
  return doubles * (word == 4 ? 0.6 : 1) / std::max(1, device.units);
}

double seconds_of_a_sweep(const DeviceFacts& device, const Model& m, double word) {
  const bool gpu = device.kind == "cuda";
  const double doubles = gpu ? 0.29e-9 : 1.0e-9;
  const bool constant = is_constant(m);
  const double nine =
      constant ? (gpu ? 1.6 : 1.1) : (gpu ? 14 : 3.4);  // on a GPU sweep by sweep in a varying medium
  const double other = m.space_order == 4 ? nine : constant ? 1 : 1.7;
  return doubles * word / 8 * other / std::max(1, device.units);
}

}  // namespace wavesim
