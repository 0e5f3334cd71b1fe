#include "sim/time/scheme.hpp"

#include <cmath>
#include <limits>

#include "kernels/backend/errors.hpp"
#include "kernels/lax_wendroff/lax_wendroff.hpp"
#include "sim/input/text.hpp"

namespace wavesim {

namespace {

/// The first-order system (u, v) by the trapezoidal rule, p = dt v.
constexpr StepForm trapezoidal{0.25, 0, 0, 0.5, 2, {0.25, 0.25, 0}};

/// The first step of Numerov's scheme, with the same matrix and of the same order: the Taylor expansion of u(dt)
/// (docs/math.md, section 3). p = dt v before it, u(1) - u(0) after it.
constexpr StepForm numerov_start{1.0 / 12, 0, -1.0 / 12, 0.5, 1, {1.0 / 8, 5.0 / 12, -1.0 / 24}};

/// Fourth order by a second Laplacian (lax_wendroff.hpp). The first step is the Taylor expansion of u(dt), with the force
/// as in Numerov's.
constexpr StepForm lax_wendroff_step{0, 0.5, 0, 1, 1, {1.0 / 12, 10.0 / 12, 1.0 / 12}};
constexpr StepForm lax_wendroff_start{0, 0, 0, 0.5, 1, {1.0 / 8, 5.0 / 12, -1.0 / 24}};

/// Crank-Nicolson of fourth order: two solves with w+ = (1 + sqrt(2/3))/4, the least for which the step is stable at any
/// length (docs/math.md, section 3: Causley and Christlieb 2014, with P = 2 and their beta = 1/sqrt(w+)).
constexpr double fourth_order_weight = 0.45412414523193150818;
constexpr double fourth_order_correction = fourth_order_weight - 1.0 / 12;
constexpr StepForm fourth_order_step{
    fourth_order_weight,    0.5, fourth_order_weight, 1, 1, {1.0 / 12, 10.0 / 12, 1.0 / 12},
    fourth_order_correction};
constexpr StepForm fourth_order_start{
    fourth_order_weight,    0, fourth_order_weight - 1.0 / 6, 0.5, 1, {1.0 / 8, 5.0 / 12, -1.0 / 24},
    fourth_order_correction};

/// Three levels, p = u(n) - u(n-1).
StepForm three_levels(const std::array<double, 3>& w) { return {w[0], 0.5, w[2], 1, 1, w}; }

}  // namespace

std::optional<FusedForm> fused_form(const StepForm& form) {
  if (form.correction != 0) return std::nullopt;
  if (form.gamma == 0 && form.beta_dt == 0) return FusedForm::first_order;
  if (form.gamma == form.implicit_weight && form.carry == 1) return FusedForm::three_levels;
  return std::nullopt;
}

bool solves(const TimeConfig& time) {
  return time.scheme != "explicit" && !(time.scheme == "theta" && time.weights && (*time.weights)[0] == 0);
}

Scheme make_scheme(const TimeConfig& time, long space_order) {
  Scheme s;
  s.name = time.scheme;
  if (time.weights && time.scheme != "theta")
    time.where.fail("weights belong to scheme: theta; remove them, or set scheme: theta");
  if (time.scheme == "crank-nicolson") {
    s.weights = {0.25, 0.5, 0.25};
    s.start = s.step = trapezoidal;
    if (time.order.value_or(2) == 4) {
      s.order = 4;
      s.weights = {fourth_order_weight, 1 - 2 * fourth_order_weight, fourth_order_weight};
      s.start = fourth_order_start;
      s.step = fourth_order_step;
      s.energy_begins = 2;
    }
    return s;
  }
  if (time.scheme == "numerov") {
    s.weights = {1.0 / 12, 10.0 / 12, 1.0 / 12};
    s.order = 4;
    s.step = three_levels(s.weights);
    s.start = numerov_start;
    s.energy_begins = 1;
    return s;
  }
  if (time.scheme == "two-level") {
    s.weights = {0.5, 0.5, 0};
  } else if (time.scheme == "explicit") {
    s.weights = {0, 1, 0};
  } else {
    if (!time.weights)
      time.where.fail("scheme theta needs weights: [w+, w0, w-], for example [0.25, 0.5, 0.25]");
    s.weights = *time.weights;
    const auto& w = s.weights;
    if (std::abs(w[0] + w[1] + w[2] - 1) > 1e-12)
      time.where.fail("weights must add up to 1, but " + text(w[0]) + " + " + text(w[1]) + " + " +
                      text(w[2]) + " = " + text(w[0] + w[1] + w[2]));
    if (w[2] > w[0])
      time.where.fail("weights with w- > w+ are unstable at any time step (" + text(w[2]) + " > " +
                      text(w[0]) + "); use w+ >= w-");
    if (w[0] < 0 || w[2] < 0) time.where.fail("weights w+ and w- must not be negative");
  }
  s.solves = solves(time);
  s.step = three_levels(s.weights);
  s.energy_begins = 1;
  if (!s.solves && space_order == 8) {
    s.lax_wendroff = true;
    s.order = 4;
    s.step = lax_wendroff_step;
    s.start = lax_wendroff_start;
    return s;
  }
  // The start is one trapezoidal (u, v) step: an explicit Taylor start would multiply grid-scale content by 4
  // Courant^2. The explicit scheme, stable only where that is harmless, starts without K on the left.
  s.start = trapezoidal;
  s.start.carry = 1;
  if (!s.solves) {
    s.start.implicit_weight = 0;
    s.start.force = {0, 0.5, 0};
  }
  return s;
}

double largest_eigenvalue(const Model& m) {
  const double dx = m.grid.spacing[0], dy = m.grid.spacing[1], c = m.largest_speed;
  const double along_an_axis = m.space_order == 8 ? largest_of_eighth_order : m.space_order == 4 ? 6 : 4;
  return along_an_axis * c * c * (1 / (dx * dx) + 1 / (dy * dy));
}

double eigenvalue_to_keep(const Scheme& scheme, const Model& m) {
  return std::isfinite(stability_limit(scheme)) ? largest_eigenvalue(m) : 0;
}

double stability_limit(const Scheme& scheme) {
  const double w = scheme.weights[0] + scheme.weights[2];
  if (scheme.lax_wendroff) return lax_wendroff_limit;
  return w < 0.5 ? 4 / (1 - 2 * w) : std::numeric_limits<double>::infinity();
}

double reachable_tolerance(const Config& config, const TimePlan& plan) {
  return 4 * std::ldexp(1.0, config.precision == "single" ? -24 : -53) * plan.condition;
}

std::optional<Refusal> refusal_of_two_solves(const Config& config, const Model& model) {
  const std::string instead = "; leave it out, or write order: 2, or scheme: numerov";
  if (config.output.energy.balance)
    return Refusal{
        &config.output.energy.where,
        "the balance is that of steps of one solve, and crank-nicolson of order 4 takes two" + instead};
  if (config.solver.energy == "exact")
    return Refusal{
        &config.solver.where,
        "energy: exact corrects steps of one solve, and crank-nicolson of order 4 takes two" + instead};
  if (!model.pml.empty())
    return Refusal{
        &config.time.where,
        "crank-nicolson of order 4 does not go with perfectly matched layers, where its waves may grow "
        "at large time steps; write absorbing: {radiation: {}} or {sponge: {thickness: ...}}, or order: "
        "2, or scheme: numerov"};
  return std::nullopt;
}

TimePlan plan_time(const Config& config, const Scheme& scheme, const Model& model) {
  const TimeConfig& time = config.time;
  if (config.output.energy.balance && scheme.weights[0] != scheme.weights[2])
    config.output.energy.where.fail("the balance is that of schemes that conserve energy, and scheme: " +
                                    scheme.name + " does not; leave it out, or write scheme: crank-nicolson");
  if (config.solver.energy == "exact" && !(scheme.solves && scheme.weights[0] == scheme.weights[2]))
    config.solver.where.fail(
        "energy: exact corrects the solves of schemes that conserve energy, and scheme: " + scheme.name +
        (scheme.solves ? " does not" : " has no solves") + "; leave it out, or write scheme: crank-nicolson");
  std::optional<Refusal> no;
  if (scheme.step.correction != 0) no = refusal_of_two_solves(config, model);
  if (scheme.lax_wendroff) no = refusal_of_eighth_order(config, model);
  if (no) no->where->fail(no->sentence);
  const double dx = model.grid.spacing[0], dy = model.grid.spacing[1];
  const double per_second =
      model.largest_speed * std::sqrt((1 / (dx * dx) + 1 / (dy * dy)) / 2);  // courant / dt
  TimePlan plan;
  plan.dt = time.step ? *time.step : time.courant.value_or(1) / per_second;
  if (time.decided_step) plan.dt = *time.decided_step;
  if (time.steps) {
    plan.steps = *time.steps;
  } else {
    const double wanted = *time.end / plan.dt;
    if (!(wanted < 2e9))
      time.where.fail("end: " + text(*time.end) + " s is " + text(wanted) +
                      " time steps, too many to run; take a larger step");
    plan.steps = std::max(1L, std::lround(std::ceil(wanted * (1 - 1e-12))));
    const double whole = time.decided_step ? plan.dt : *time.end / double(plan.steps);
    plan.reduced = whole < plan.dt * (1 - 1e-9);
    plan.dt = whole;
  }
  plan.end = plan.dt * double(plan.steps);
  plan.courant = plan.dt * per_second;
  const double lambda = plan.dt * plan.dt * largest_eigenvalue(model);
  plan.condition = 1 + std::max(scheme.step.implicit_weight, scheme.start.implicit_weight) * lambda;

  if (!std::isnormal(plan.dt * plan.dt) || !std::isnormal(lambda))
    time.where.fail("a time step of " + text(plan.dt) + " s is too " + (plan.dt < 1 ? "small" : "large") +
                    " to compute with: take one nearer to " + text(1 / per_second) +
                    " s, the Courant number 1");

  if (const double limit = stability_limit(scheme); lambda > limit * (1 + 1e-9)) {
    const double stable = std::sqrt(limit / largest_eigenvalue(model));
    time.where.fail("scheme " + scheme.name + " is unstable at a time step of " + text(plan.dt) +
                    " s (Courant number " + text(plan.courant) + "); it is stable up to " + text(stable) +
                    " s (Courant number " + text(stable * per_second) +
                    "), and scheme: crank-nicolson at any");
  }
  if (scheme.solves) {
    if (const double most = std::ldexp(1.0, 24) / 40; config.precision == "mixed" && plan.condition > most)
      config.solver.where.fail("the condition of the system at this time step, " + text(plan.condition) +
                               ", is above what solves in single precision can be refined from, about " +
                               text(most) + "; write precision: double or take a smaller step");
    const double reachable = reachable_tolerance(config, plan);
    if (config.solver.tolerance < reachable)
      config.solver.where.fail(
          "tolerance " + text(config.solver.tolerance) + " is below what " + config.precision +
          " precision can reach at this time step, about " + text(reachable) + "; loosen it, or use " +
          (config.precision == "double" ? "" : "precision: double or ") + "a smaller step");
  }
  return plan;
}

}  // namespace wavesim
