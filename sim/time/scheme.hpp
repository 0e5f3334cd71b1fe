#pragma once
// Time schemes: weights, starts and stability (docs/math.md section 3).

#include <optional>

#include "sim/model/model.hpp"
#include "solvers/core/fused_form.hpp"

namespace wavesim {

/// A step solves  A d = alpha M p - beta eta p + gamma dt^2 K p - delta dt^2 K u + forces,  A = M + eta dt/2
/// + w+ dt^2 K, for the increment d = u(n+1) - u(n); then u += d and p = carry d + (1 - carry) p.
///   first-order form  p = dt v:             alpha = 1, beta = 0,    gamma = 0,  delta = 1/2, carry = 2
///   three levels      p = u(n) - u(n-1):    alpha = 1, beta = dt/2, gamma = w-, delta = 1,   carry = 1
/// With a correction c the d of that system is a first one, and a second system with the same A adds
///   A z = c dt^2 K (d - p) - what the first one left of the damping,   d += z        (docs/math.md, (6b)).
struct StepForm {
  double implicit_weight = 0.25;  // w+
  double beta_dt = 0;             // beta / dt
  double gamma = 0, delta = 0.5;
  double carry = 2;
  std::array<double, 3> force{0.25, 0.25, 0};  // of s(n+1), s(n), s(n-1), times dt^2
  double correction = 0;                       // c
};

/// The form that passes may take such steps in as a whole; none: they cannot.
std::optional<FusedForm> fused_form(const StepForm& form);

struct Scheme {
  std::string name;
  int order = 2;                    // of the error in time, without damping
  std::array<double, 3> weights{};  // w+, w0, w-
  StepForm start, step;             // the first step and all others
  bool solves = true;               // false: explicit, A is diagonal
  bool lax_wendroff = false;        // of fourth order in time by a second Laplacian (lax_wendroff.hpp)
  long energy_begins = 0;           // the step from which on the energy is that of the form that is stepped
};

/// Whether its steps solve a system; those of explicit do not.
bool solves(const TimeConfig& time);
/// The scheme of a config with space.order 2, 4 or 8. Throws InputError for weights that do not sum to 1, w- > w+, ...
Scheme make_scheme(const TimeConfig& time, long space_order);

struct TimePlan {
  double dt = 0;  // seconds; reduced once so that `end` is a whole number of steps
  long steps = 0;
  double end = 0;      // seconds
  double courant = 0;  // max(c) dt sqrt((1/dx^2 + 1/dy^2) / 2)
  double condition =
      1;  // bound on the condition number of the mass-scaled system: 1 + 8 w+ courant^2 (space order 4: 12 w+ courant^2)
  bool reduced = false;  // dt is smaller than what was asked for
};

/// The largest eigenvalue bound of M^-1 K: max c^2 (4/dx^2 + 4/dy^2), with nine points half as much again, with
/// differences of eighth order 1.63 times as much.
double largest_eigenvalue(const Model& model);
/// That eigenvalue if the scheme is stable up to a Courant number only, 0 if it is at any time step.
double eigenvalue_to_keep(const Scheme& scheme, const Model& model);
/// dt^2 times the largest eigenvalue of M^-1 K up to which a scheme is stable; infinite: at any.
double stability_limit(const Scheme& scheme);
/// The least tolerance that rounding lets solves reach, about 4 eps kappa.
double reachable_tolerance(const Config& config, const TimePlan& plan);
/// What does not go with steps of two solves (StepForm::correction), and where the config asks for it; none: all does.
struct Refusal {
  const Where* where = nullptr;
  std::string sentence;
};
std::optional<Refusal> refusal_of_two_solves(const Config& config, const Model& model);
/// The same for steps of eighth order in space.
std::optional<Refusal> refusal_of_eighth_order(const Config& config, const Model& model);
/// Throws InputError when the scheme is unstable at this time step (naming the largest stable one) or when
/// the tolerance is below what the precision can reach (naming that figure).
TimePlan plan_time(const Config& config, const Scheme& scheme, const Model& model);

}  // namespace wavesim
