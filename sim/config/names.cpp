#include "sim/config/names.hpp"

namespace wavesim {

const std::vector<Entry>& medium_models() {
  static const std::vector<Entry> table{
      {"membrane", "mass rho, tension rho c^2: drums, plates under tension"},
      {"shallow-water",
       "mass 1, tension c^2 = gravity depth: tsunamis, harbours; u is the height of the surface"},
      {"acoustic", "mass 1 / (rho c^2), tension 1 / rho: pressure in fluids and ground"},
  };
  return table;
}

const std::vector<Entry>& scheme_names() {
  static const std::vector<Entry> table{
      {"crank-nicolson",
       "weights 1/4, 1/2, 1/4: second order, with order: 4 fourth; stable at any time step, conserves "
       "energy"},
      {"numerov",
       "weights 1/12, 5/6, 1/12: fourth order, conserves energy, stable up to Courant number 0.866 "
       "(space order 4: 0.707)"},
      {"two-level", "weights 1/2, 1/2, 0 (Pozzo et al. 2010): first order, stable at any time step, damps"},
      {"theta", "weights of your own, for study; refused where unstable"},
      {"explicit", "leapfrog: no system to solve, stable up to Courant number 0.707; the reference"},
  };
  return table;
}

const std::vector<Entry>& quantity_names() {
  static const std::vector<Entry> table{
      {"displacement", "u, in metres"},
      {"velocity", "du/dt, in m/s"},
      {"energy-density", "(m u_t^2 + T |grad u|^2) / 2"},
      {"max-displacement", "the largest |u| so far"},
      {"arrival-time", "when |u| first reached arrival-threshold, in seconds; NaN before"},
      {"speed", "the wave speed, in m/s; written once"},
  };
  return table;
}

const std::vector<Entry>& stop_norms() {
  static const std::vector<Entry> table{
      {"increment", "||b - A x|| against that of u(n+1) = u(n): what the step still has to do"},
      {"relative-2", "||b - A x|| against ||b||"},
      {"max", "the largest |b - A x| over the largest |b|"},
  };
  return table;
}

std::string_view about_formats() {
  static const std::string text = [] {
    std::string varying;
    for (const Format& f : solver_formats())
      if (!f.repeatable) varying += (varying.empty() ? "" : ", ") + std::string(f.name);
    return "how the matrix is stored; of these, " + varying + " does not promise the same bits in each run";
  }();
  return text;
}

}  // namespace wavesim
