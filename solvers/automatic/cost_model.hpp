#pragma once
// What a solve by each method would cost, for `method: auto`: seconds from words moved, kernels launched and
// bounds on the iterations. No clock is read, so that the same system gets the same estimates each time on the
// same kind of machine. docs/notes/auto.md says where the figures of machine_costs.hpp are from.

#include <string>
#include <vector>

#include "kernels/reduce/reduce.hpp"
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

/// All that estimates follow from.
struct SystemFacts {
  bool gpu = false;
  bool on_ranks = false;  // rows are shared out: methods that do not work there are out of the question
  MatrixFacts matrix;
  double points = 0, nx = 0, ny = 0;
  double word = 8;
  double row_bytes = 0;      // of the matrix or the media that a product reads, for each row
  bool stored = false;       // the format stores rows
  int blocked_sweeps = 0;    // sweeps that one pass over memory takes; 0: they are taken one by one
  bool fused_steps = false;  // steps in time are taken as a whole where the method can
  bool on_chip = false;      // cg-onchip has room for it
  double transformed = 0;  // length of the longest Fourier transform along x of a sine transform; 0: unknown
  bool transforms_loaded = true;  // the library of the device's Fourier transforms is in memory
  Bounds bounds{1, 1};            // of the eigenvalues of D^-1 A
  double condition() const { return bounds.least > 0 ? bounds.largest / bounds.least : 0; }
  /// Whether a choice for the other serves for this one as well: but for the bounds they are the same.
  bool alike(const SystemFacts& other) const;
};

/// Seconds, and iterations.
struct CostEstimate {
  double set_up = 0;  // once, and again when it was given up in between
  double solve = 0;   // of each solve, beside its iterations
  double each = 0;    // of each iteration, or pass of several
  int pass = 1;       // iterations of a pass
  double likely = 1;  // iterations of a solve, before one was seen
  double least = 1;
  /// Of the iterations of `cg`, about; 0: they have nothing to do with those.
  double of_cg = 0;
  double cost(double iterations) const { return solve + each * iterations / pass; }
};

struct MethodCandidate {
  std::string name;
  SolverOptions options;
  CostEstimate estimate;
  /// "2.9 iterations, 3.6 ms"
  std::string text(double iterations) const;
};

/// The methods that come into question for a system, each with the tolerance and limits of `wanted`: the
/// safest first.
std::vector<MethodCandidate> candidates_for(const SolverOptions& wanted, const SystemFacts& facts);

}  // namespace wavesim
