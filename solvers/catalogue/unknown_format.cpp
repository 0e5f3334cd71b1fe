#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/formats.hpp"

namespace wavesim {

void unknown_format(const std::string& name, bool any_matrix) {
  std::string names;
  for (const Format& f : solver_formats())
    if (f.any_matrix || !any_matrix) names += (names.empty() ? "" : ", ") + std::string(f.name);
  throw InputError((find_format(name) ? "format '" + name + "' holds the wave system only"
                                      : "unknown format '" + name + "'") +
                   "; one of: " + names);
}

}  // namespace wavesim
