#pragma once
// What solves cost on a CPU, for `method: auto`: seconds that were measured on square grids of some sizes
// (sim/prices/measure.hpp). Those of a GPU are in machine_costs.hpp.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace wavesim {

/// Seconds of a method at each of the sizes.
struct PriceCurve {
  std::vector<double> set_up;  // of the method, once
  std::vector<double> solve;   // of a step in time, beside the iterations
  std::vector<double> each;    // of an iteration, or of a pass of several
};

struct Prices {
  std::string machine;        // the CPU's name, or "built-in"
  std::string measured;       // the date; empty for those that are built in
  int threads = 1;            // that they are for
  std::vector<double> cells;  // along a side of the grids, in rising order
  // In a constant medium, in a varying one.
  std::array<PriceCurve, 2> cg;
  std::array<PriceCurve, 2> sweeps;  // chebyshev: passes of eight sweeps within solves
  std::array<PriceCurve, 2> steps;   // the same as fused steps
  std::array<PriceCurve, 2> multigrid;
  PriceCurve transform;  // sine-transform
};

/// f(key, curve...) for each curve of some prices; the key is that of price files.
template <class F, class... P>
void for_each_curve(F f, P&... p) {
  const char* const keys[4][2] = {{"cg", "cg-varying"},
                                  {"chebyshev", "chebyshev-varying"},
                                  {"chebyshev-steps", "chebyshev-steps-varying"},
                                  {"multigrid", "multigrid-varying"}};
  for (std::size_t k : {0, 1}) {
    f(keys[0][k], p.cg[k]...);
    f(keys[1][k], p.sweeps[k]...);
    f(keys[2][k], p.steps[k]...);
    f(keys[3][k], p.multigrid[k]...);
  }
  f("sine-transform", p.transform...);
}

/// "AMD EPYC, 2 threads, measured 2026-11-23"
std::string text(const Prices& prices);

/// Where no others are known: between those of one thread and of sixteen.
Prices built_in_prices(int threads);

}  // namespace wavesim
