#include "solvers/catalogue.hpp"

namespace wavesim {

const std::vector<Entry>& solver_methods() {
  static const std::vector<Entry> table{
      {"cg", "conjugate gradients; the first choice for the wave system", true, true},
      {"bicgstab", "stabilised biconjugate gradients; any non-singular matrix"},
      {"jacobi", "weighted Jacobi; no inner products but for the stop test, many iterations", false},
  };
  return table;
}

const std::vector<Entry>& solver_formats() {
  static const std::vector<Entry> table{
      {"stencil", "stores nothing but the media and computes each row where it is used; the fastest"},
      {"dia", "one array for each diagonal; five, or nine with a periodic axis"},
      {"ellpack-r", "column-major rows with their lengths (Vazquez 2009, Pozzo 2010)"},
      {"csr", "compressed sparse rows"},
  };
  return table;
}

const std::vector<Entry>& solver_preconditioners() {
  static const std::vector<Entry> table{
      {"none", "no preconditioner"},
      {"jacobi", "diagonal scaling"},
  };
  return table;
}

}  // namespace wavesim
