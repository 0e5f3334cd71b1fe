#include "sim/run/failure_sentences.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wavesim {

namespace {

/// "step 12 (t = 0.3 s): "
std::string step_text(long step, double time) {
  char text[64];
  std::snprintf(text, sizeof text, "step %ld (t = %.6g s): ", step, time);
  return text;
}

/// The first node, or the number of nodes.
std::size_t first_not_finite(Stepper& stepper, const Grid& grid, double time) {
  const Window all{{0, 0}, {grid.nodes(0), grid.nodes(1)}, 1};
  const Values values = stepper.read(Quantity::displacement, all, time, false);
  if (values.size() == 0) return 0;  // a rank but the first, which has them and says the sentence
  const auto u = values.as<double>();
  return std::size_t(std::find_if(u.begin(), u.end(), [](double v) { return !std::isfinite(v); }) -
                     u.begin());
}

std::string remedy(const Config& config, bool limited, long step) {
  std::string text = limited && step > 0 ? "take a smaller time step, or " : "";
  text += step > 0 ? "check sources, initial values and medium for overflow"
                   : "check initial values for overflow";
  return config.precision == "single" ? text + ", or use precision: double" : text;
}

}  // namespace

std::string failed_solve_sentence(const Config& config, const Report& r, long step, double time) {
  const std::vector<std::string> chain = chain_of(config);
  std::string before;
  for (std::size_t k = 0; k < r.failures.size(); ++k)
    before += chain[k] + " failed (" + r.failures[k] + "), and ";
  char text[160];
  std::snprintf(text, sizeof text,
                " ended with %s after %d iterations, true residual %.3g of the %s norm's reference; ",
                std::string(word(r.status)).c_str(), r.iterations, r.relative_residual(),
                config.solver.norm.c_str());
  const std::string name = chain.empty() ? config.solver.method : chain.at(std::size_t(r.solver));
  return step_text(step, time) + before + name + text + advice(r.status, name);
}

std::string not_finite_sentence(Stepper& stepper, const Config& config, const Model& model,
                                const Scheme& scheme, long step, double time, const std::string& kept) {
  const Grid& grid = model.grid;
  const std::size_t node = first_not_finite(stepper, grid, time);
  if (node == grid.node_count())
    return step_text(step, time) +
           "the displacement is finite, but forces or squares of it are too large to be numbers; scale "
           "initial values and sources down" +
           (config.precision == "single" ? ", or use precision: double" : "");
  const auto [ix, iy] = grid.place(node);
  char text[160];
  std::snprintf(
      text, sizeof text,
      "the displacement is not finite; the first node without a number is [%ld, %ld] at x = %.6g m, "
      "y = %.6g m; ",
      ix, iy, grid.at(0, ix), grid.at(1, iy));
  return step_text(step, time) + text + remedy(config, eigenvalue_to_keep(scheme, model) > 0, step) +
         (kept.empty() ? "" : "; the state is kept in " + kept);
}

}  // namespace wavesim
