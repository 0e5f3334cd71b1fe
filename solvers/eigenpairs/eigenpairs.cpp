#include "solvers/eigenpairs/eigenpairs.hpp"

#include <algorithm>

#include "solvers/catalogue/incompatibility.hpp"

namespace wavesim {

int usual_block(int count, long n) { return int(std::min<long>(n, count + std::max(2, count / 4))); }

std::string unfit_for_eigenpairs(const PreconditionerOptions& options, const MatrixFacts& matrix) {
  Method lobpcg{.name = "lobpcg", .text = ""};
  lobpcg.symmetric = lobpcg.flexible = true;
  SolverOptions o;
  o.preconditioner = options;
  return incompatibility(lobpcg, o, matrix);
}

}  // namespace wavesim
