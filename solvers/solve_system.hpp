#pragma once
// A x = b for any sparse matrix, on one backend in one precision, behind an interface that knows neither.

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "kernels/formats/host_csr.hpp"
#include "solvers/core/options.hpp"
#include "solvers/core/report.hpp"

namespace wavesim {

/// One of several ways to solve a system that were tried (automatic/attempts.hpp).
struct Attempt {
  std::string name;                    // "bicgstab with ilu0, matched"
  std::string method, preconditioner;  // their names alone
  std::string ending;                  // its status, or why it could not begin
  int iterations = 0;
  double seconds = 0;  // with the set-up
};

struct SystemResult {
  std::vector<double> x;
  /// With the history of residuals. Its norms are in units of `unit`: A and b are scaled by powers of two,
  /// which changes no bit of the solution, so that no sum of squares leaves the range of numbers and no value
  /// that of single precision.
  Report report;
  double unit = 1;
  /// Norms of b - A x in units of `unit`, computed by the host in doubles from the matrix and the right-hand
  /// side as they were given. `converged` stands for at most twice the tolerance here as well.
  Norms residual;
  /// |A' r| to |A| |r|, in the Frobenius norm, of a method for least squares; else NaN.
  double gradient = NAN;
  bool least_squares = false;     // converged by that, and not by the residual
  double matrix_bytes = 0;        // read for a product
  std::string set_up;             // what method and preconditioner chose or found; may be empty
  std::vector<Attempt> attempts;  // of `auto`; the last one gave the result if that converged
  SolverOptions way;              // of `auto`: what gave the result,
  bool matched = false;           // and whether the system was matched
  bool parted = false;  // the method's own residual and the true one differ by more than a factor of ten
  double relative_2() const;  // of the residual, to the norm of b; 0 if both are 0
  double relative_max() const;
};

/// A matrix with a method and a preconditioner that are set up once, for one right-hand side after the other.
class LinearSystem {
 public:
  virtual ~LinearSystem() = default;
  virtual SystemResult solve(const std::vector<double>& b) = 0;
  /// Several: at once where the method can, up to eight of them, else one after the other.
  virtual std::vector<SystemResult> solve_all(const std::vector<std::vector<double>>& b) = 0;
};

/// `format` as in catalogue.hpp; `single`: vectors and matrix are floats. The CUDA version exists in builds
/// with CUDA. Throws InputError for unknown names and for choices that do not fit, DeviceError if the device
/// cannot; so does `solve`, in which set-ups are made.
std::unique_ptr<LinearSystem> make_system_on_host(const HostCsr& A, const SolverOptions&,
                                                  const std::string& format, bool single);
std::unique_ptr<LinearSystem> make_system_on_cuda(const HostCsr& A, const SolverOptions&,
                                                  const std::string& format, bool single);

/// For one right-hand side.
SystemResult solve_system_on_host(const HostCsr& A, const std::vector<double>& b, const SolverOptions&,
                                  const std::string& format, bool single);
SystemResult solve_system_on_cuda(const HostCsr& A, const std::vector<double>& b, const SolverOptions&,
                                  const std::string& format, bool single);

}  // namespace wavesim
