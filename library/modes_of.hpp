#pragma once
// What `wavesim modes` asks for, made into what lobpcg takes.

#include <optional>
#include <string>
#include <vector>

#include "solvers/eigenpairs/eigenpairs.hpp"

namespace wavesim {

struct ModesWords {
  int count = 6;
  std::optional<int> block;  // default: some more than `count`
  double tolerance = 1e-8;
  int most = 500;                             // iterations
  std::optional<std::string> preconditioner;  // default: by what there is
  std::vector<std::string> options;           // name=value, of the preconditioner
};

/// Of a problem with so many unknowns; `name` stands for it in sentences. Throws InputError.
EigenOptions eigen_options(const ModesWords& words, long unknowns, const std::string& name);
/// The preconditioner that is named, with its options, or `usual`; none: neither is. Throws InputError.
std::optional<PreconditionerOptions> mode_preconditioner(const ModesWords& words,
                                                         const std::optional<std::string>& usual);
/// Throws SolveError with a sentence where they did not converge; `name` as above.
void require_convergence(const Eigenpairs& pairs, const EigenOptions& options, const std::string& name);
/// How many meet the tolerance.
long converged_count(const Eigenpairs& pairs, const EigenOptions& options);

}  // namespace wavesim
