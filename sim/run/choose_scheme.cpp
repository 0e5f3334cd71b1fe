#include "sim/run/choose_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/lax_wendroff/lax_wendroff.hpp"
#include "sim/input/text.hpp"
#include "sim/model/model.hpp"
#include "sim/run/advice.hpp"
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

namespace {

/// What may be chosen. Prices are those of a step, about, of one of `explicit` (docs/accuracy.md).
struct SchemeChoice {
  const char* scheme;
  long order;
  double courant;  // 0: as the error allows
  double price;
  bool two_solves = false;  // time.order 4
};
constexpr SchemeChoice choices[] = {{"explicit", 2, 0.7, 1},
                                    {"explicit", 8, 0.6, 5},
                                    {"explicit", 8, 0.9, 5},
                                    {"crank-nicolson", 2, 0, 8},
                                    {"crank-nicolson", 4, 0, 32, true},
                                    {"numerov", 4, 0.7, 14}};

struct Tried {
  Config config;
  double error = 0;  // periods
  double price = 0;
  double wavelength = 0;
  /// Cells for one of today that the error takes.
  double finer(double allowed) const {
    const long order = std::min(config.space.order, 4L);  // that of the time step, which goes with the cells
    return std::pow(error / allowed, 1.0 / double(order));
  }
};

Tried tried(const SchemeChoice& choice, const Config& wanted, Model& model, double allowed) {
  Tried t{wanted};
  TimeConfig& time = t.config.time;
  time.scheme = choice.scheme;
  if (choice.two_solves) time.order = 4;
  t.config.space.order = model.space_order = choice.order;
  const Scheme scheme = make_scheme(time, choice.order);
  time.courant = choice.courant > 0 ? choice.courant : 1;
  Resolution r = resolution(t.config, model, scheme, plan_time(t.config, scheme, model));
  if (choice.courant == 0) {  // time_phase_error is z^2 / 12, or z^4 / 15
    const double left = std::max(allowed / r.periods - r.space_error, 1e-3 * r.space_error);
    time.courant.reset();
    const double z = choice.two_solves ? std::sqrt(std::sqrt(15 * left)) : std::sqrt(12 * left);
    time.step = std::min(z * r.period / (2 * std::numbers::pi), *time.end);
    r = resolution(t.config, model, scheme, plan_time(t.config, scheme, model));
  }
  t.error = r.periods * (r.space_error + std::abs(r.time_error));
  t.price = choice.price * double(plan_time(t.config, scheme, model).steps);
  t.wavelength = r.wavelength;
  return t;
}

/// Whether config and model allow it, apart from stability.
bool fits(const SchemeChoice& choice, const Config& config, const Model& model) {
  TimeConfig time = config.time;
  time.scheme = choice.scheme;
  if (!make_scheme(time, choice.order).solves && config.precision == "mixed") return false;
  if (choice.two_solves && refusal_of_two_solves(config, model)) return false;
  if (choice.order == 8)
    return *std::min_element(config.grid.cells.begin(), config.grid.cells.end()) >=
               lax_wendroff_least_cells &&
           !refusal_of_eighth_order(config, model);
  if (choice.order == 2) return true;
  MatrixFacts nine{Structure::nine_points, true, config.precision == "single"};
  nine.readable = find_format(config.solver.format)->readable;
  return incompatibility(config.solver_options(), nine).empty();
}

}  // namespace

void choose_scheme(Config& config) {
  if (!config.time.phase_error) return;
  const double allowed = *config.time.phase_error;
  config.time.phase_error.reset();
  const Where& where = config.time.where;
  if (config.time.courant || config.time.step || config.time.weights || config.time.order ||
      config.space.stated || config.time.scheme != "crank-nicolson")
    where.fail(
        "'phase-error' chooses scheme, orders and time step; leave out 'scheme', 'order', 'weights', "
        "'courant', "
        "'step' "
        "and 'space'");
  if (!config.time.end)
    where.fail("'phase-error' is that at the end of the run; write 'end: seconds', not 'steps'");
  Model model = build_model(config);
  std::vector<Tried> all;
  for (const SchemeChoice& choice : choices) {
    if (!fits(choice, config, model)) continue;
    all.push_back(tried(choice, config, model, allowed));
    if (all.back().wavelength == 0)
      where.fail(
          "the shortest wave cannot be told from this config (an expression, a file or an image), so no "
          "scheme can "
          "be chosen by 'phase-error'; write 'scheme', 'courant' and space.order");
  }
  const Tried* best = nullptr;
  for (const Tried& t : all)
    if (t.error <= allowed && (!best || t.price < best->price)) best = &t;
  if (!best) {
    const Tried& last = *std::min_element(all.begin(), all.end(), [&](const Tried& a, const Tried& b) {
      return a.finer(allowed) < b.finer(allowed);
    });
    const auto cells = [&](int axis) {
      const double wanted = last.finer(allowed) * double(config.grid.cells[std::size_t(axis)]);
      return std::to_string(std::lround(std::ceil(wanted)));
    };
    where.fail("no scheme has a phase error of " + text(allowed) + " on this grid: with " +
               last.config.time.scheme + " the shortest waves, " + text(last.wavelength) + " m, are off by " +
               text(last.error) + " of a period at the end; take grid.cells [" + cells(0) + ", " + cells(1) +
               "] or a shorter run");
  }
  config = best->config;
  config.verify();
  const TimeConfig& time = config.time;
  config.time.note =
      "time.phase-error: " + time.scheme + (time.order ? " of order " + std::to_string(*time.order) : "") +
      " with space.order " + std::to_string(config.space.order) +
      (time.courant ? " and courant " + text(*time.courant) : " and step " + text(*time.step)) +
      " is off by " + text(best->error) + " of a period of the shortest waves at the end";
}

}  // namespace wavesim
