#include "sim/run/blocked_passes.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/temporal/blocked_sweeps.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/run/advice.hpp"
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
