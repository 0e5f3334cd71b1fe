#pragma once
// The solvers of wavesim on a sparse system in memory. Needs no other header of wavesim.

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wavesim {

/// A x = b. A is real and stored by rows (CSR): the entries of row i are those from row_start[i] to row_start[i + 1] - 1, in
/// any order, each column once. All indices count from zero. A square matrix has entries in each row, unless the method is
/// lsqr or lsmr.
struct CsrSystem {
  std::span<const int> row_start;  // one more than there are rows
  std::span<const int> column;
  std::span<const double> value;
  std::span<const double> right_hand_side;
  std::optional<int> columns = std::nullopt;  // default: as many as rows
};

/// As the options of `wavesim solve` (docs/solve.md). Sentences name them as the command line does: --max-iterations.
struct SolveOptions {
  /// As `wavesim list methods`. Default: auto, or lsmr for a matrix that is not square; with a preconditioner cg for a
  /// symmetric matrix, else bicgstab.
  std::optional<std::string> method;
  std::optional<std::string> uplo;      // lower | upper: A is this triangle of the matrix
  std::string preconditioner = "none";  // as `wavesim list preconditioners`
  std::string format = "auto";          // of the matrix, as `wavesim list formats`
  std::string precision = "double";     // double | single | mixed
  std::string norm = "relative-2";      // of the residual, to that of b; max: the largest value, to that of b
  double tolerance = 1e-6;
  int max_iterations = 10000;
  std::vector<std::string> options;  // "name=value" of the method, "preconditioner.name=value"
  std::string device = "auto";       // auto | cuda | cpu
  bool accurate = false;             // compensated sums
  bool match = false;                // permute and scale the rows first, for a large diagonal
  bool no_direct = false;            // method auto does not fall back on factors of the matrix
};

struct Solution {
  std::vector<double> x;
  bool converged = false;
  std::string status;    // "converged", "max-iterations", "breakdown", ...
  std::string sentence;  // what that means and what to try
  std::string method, preconditioner;
  int iterations = 0;
  /// ||b - A x|| / ||b|| of the x that is returned, computed in double precision after the solve, in the 2-norm and of
  /// the largest values. 0 where b and the residual are 0.
  double residual = 0, residual_max = 0;
  /// Of lsqr and lsmr: |A' r| / (|A| |r|) with r = b - A x, which is zero where |r| is least, and whether the solve
  /// converged by it, as r does not vanish. Of other methods the gradient is not a number.
  double gradient = 0;
  bool least_squares = false;
  double setup_seconds = 0, solve_seconds = 0;
};

/// A solve that does not converge is no error: see `converged`. Throws InputError for a system, a name or an option that
/// does not fit, and DeviceError (wavesim/errors.hpp); both are std::runtime_error and say one sentence.
Solution solve(const CsrSystem& system, const SolveOptions& options = {});

}  // namespace wavesim
