#pragma once
// What `wavesim solve` says of its solves.

#include <string>
#include <vector>

#include "apps/commands.hpp"
#include "sim/run/choose_device.hpp"
#include "solvers/matrices/choose_format.hpp"
#include "solvers/matrices/matrix_market.hpp"
#include "solvers/solve_system.hpp"

namespace wavesim {

struct Solved {
  const SolveCommand& words;
  const SolverOptions& options;
  const MatrixOfAnyShape& A;
  double asymmetry;
  const DeviceFacts& device;
  const std::vector<SystemResult>& results;  // one for each right-hand side
  double seconds;                            // of them all, with copies of the matrix and checks
  std::vector<std::string> sentences;
  double error;      // largest |x - 1| where b is A times ones (and not zero), else NaN
  double bandwidth;  // of a plain copy; 0: not measured
  FormatChoice format;
};

void print_text(const Solved& s);
void print_json(const Solved& s);

}  // namespace wavesim
