#pragma once
// The lowest eigenpairs of K x = lambda M x: what is asked for, and what is found.

#include <string>
#include <vector>

#include "solvers/catalogue/catalogue.hpp"
#include "solvers/core/report.hpp"

namespace wavesim {

struct EigenOptions {
  int count = 6;  // pairs that are wanted
  int block = 8;  // vectors that are iterated: more than `count` where eigenvalues lie close together
  /// A pair has converged when |K x - lambda M x| is this part of |lambda M x|, or as small as rounding of K x lets it
  /// become.
  double tolerance = 1e-8;
  int most_iterations = 500;
};

struct Eigenpairs {
  Status status = Status::running;
  int iterations = 0;
  std::vector<double> value, residual;  // ascending; relative, as the tolerance is
  bool converged() const { return status == Status::converged; }
};

/// How they were found.
struct EigenRun {
  Eigenpairs pairs;
  std::string preconditioner, set_up;  // the one that was taken; what it chose or found
  double setup_seconds = 0, seconds = 0;
};

/// The block for so many pairs, of n at most.
int usual_block(int count, long n);

/// Why a preconditioner does not go with lobpcg and the matrix K; empty if it does: incompatibility() of catalogue.hpp.
std::string unfit_for_eigenpairs(const PreconditionerOptions& options, const MatrixFacts& matrix);

}  // namespace wavesim
