// wavesim error CONFIG: how far a run is off, measured by finer ones. Writes no files.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "library/read_config.hpp"
#include "output/run/duration.hpp"
#include "sim/error/measured_error.hpp"
#include "sim/prices/choose_prices.hpp"
#include "sim/run/choose_device.hpp"
#include "sim/run/simulation.hpp"

namespace wavesim {

namespace {

void print_text(const std::string& name, const MeasuredError& e) {
  std::printf("%s: the error until %.6g s, from runs with half the time step and half the spacing\n",
              name.c_str(), e.until);
  std::printf("  %-14s %12s %12s %12s\n", "", "time step", "grid", "both");
  const auto line = [](const char* what, const std::optional<ErrorParts>& p, const char* none) {
    if (p)
      std::printf("  %-14s %10.3g %% %10.3g %% %10.3g %%\n", what, 100 * p->step, 100 * p->grid,
                  100 * p->both);
    else
      std::printf("  %-14s %s\n", what, none);
  };
  line("displacement", e.displacement, "at rest");
  line("receivers", e.traces, "there are none, or nothing has reached them");
  std::printf("  relative, in the 2-norm: of the displacement at the end, of all that receivers recorded\n");
  std::printf("  taken to be of order %d in time and %d in space; the runs took %s\n", e.order_in_time,
              e.order_in_space, human_duration(e.seconds).c_str());
  if (e.until < e.end * (1 - 1e-9))
    std::printf("  errors of the wave speed grow with the time: to about %.3g times as much at %.6g s\n",
                e.end / e.until, e.end);
}

void print_json(const std::string& name, const MeasuredError& e) {
  Tree t = Tree::map();
  const auto number = [](Tree& to, const char* key, double v) {
    to.add(key, std::isfinite(v) ? Tree::bare(shortest(v)) : Tree());
  };
  const auto parts = [&](const char* key, const std::optional<ErrorParts>& p) {
    Tree of = Tree::map();
    if (p) number(of, "step", p->step), number(of, "grid", p->grid), number(of, "both", p->both);
    t.add(key, p ? std::move(of) : Tree());
  };
  t.add("name", Tree::string(name));
  number(t, "until", e.until);
  number(t, "end", e.end);
  number(t, "steps", double(e.steps));
  number(t, "order-in-time", e.order_in_time);
  number(t, "order-in-space", e.order_in_space);
  parts("displacement", e.displacement);
  parts("receivers", e.traces);
  number(t, "seconds", e.seconds);
  print_answer(t);
}

}  // namespace

int measured_error(const ErrorOptions& options) {
  Config config = read_config(options.run.config, options.run);
  choose_prices(config.solver, choose_device(config.device));
  const auto begins = [&](int run, const std::array<long, 2>& cells, long steps) {
    if (!options.run.quiet)
      std::fprintf(stderr, "run %d of 3: %ld x %ld cells, %ld steps\n", run, cells[0], cells[1], steps);
  };
  const MeasuredError e = measure_error(config, config.device, options.until, begins);
  if (options.run.json)
    print_json(config.name, e);
  else
    print_text(config.name, e);
  return 0;
}

}  // namespace wavesim
