#pragma once
#include <CLI/CLI.hpp>

#include "apps/commands.hpp"
#include "library/check_word.hpp"

namespace wavesim {

/// The subcommand `solve`.
inline CLI::App* add_solve(CLI::App& app, SolveCommand& solve) {
  CLI::App* const command =
      app.add_subcommand("solve", "Solve A x = b with a matrix from a Matrix Market file");
  command->add_option("MATRIX", solve.matrix, "A: .mtx or .mtx.gz")->required();
  command->add_option("--rhs", solve.rhs,
                      "b: a Matrix Market vector, or several as columns of a matrix; default: A times ones");
  command->add_option("--method", solve.method,
                      "as 'wavesim list methods'; default: auto, or lsmr if A is not square; with a "
                      "preconditioner cg if A is symmetric, else bicgstab");
  command->add_option("--uplo", solve.uplo, "solve with this triangle of A: lower or upper")
      ->check(CLI::IsMember(uplo_words));
  command->add_option("--preconditioner", solve.preconditioner,
                      "as 'wavesim list preconditioners'; default: none");
  command->add_option("--format", solve.format,
                      "as 'wavesim list formats'; default: auto, by the lengths of the rows");
  command->add_flag("--match", solve.match,
                    "permute and scale the rows first, for a large diagonal (Duff & Koster 2001): "
                    "where the matrix has zeros there");
  command->add_flag("--no-direct", solve.no_direct,
                    "with --method auto: without the direct method, which factorises the matrix");
  command->add_option("--precision", solve.precision, "double, single or mixed")
      ->check(CLI::IsMember(precision_words));
  command->add_option("--tolerance", solve.tolerance, "of the true residual; default: 1e-6");
  command
      ->add_option("--norm", solve.norm, "relative-2 (2-norm, to that of b) or max (largest, to that of b)")
      ->check(CLI::IsMember(norm_words));
  command->add_option("--max-iterations", solve.max_iterations, "default: 10000");
  command
      ->add_option(
          "--option", solve.options,
          "name=value of the method, preconditioner.name=value of the preconditioner; may be repeated")
      ->allow_extra_args(false);
  command->add_flag("--accurate", solve.accurate,
                    "compensate the sums of the solve and the rows of the true residual");
  command->add_option("--device", solve.device, "auto, cuda or cpu")->check(CLI::IsMember(device_words));
  command->add_option("--solution", solve.solution, "file to write x to, if the solve converged");
  command->add_flag("--history", solve.history, "print the residual after each iteration");
  command->add_flag("--json", solve.json, "for programs");
  command->footer("Example: wavesim solve A.mtx --method cg --preconditioner jacobi");
  return command;
}

}  // namespace wavesim
