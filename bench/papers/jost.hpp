#pragma once
// Jost, Contassot-Vivier & Vialle (2009): time and error of Jacobi, Gauss-Seidel, BiCG and BiCGSTAB on
// matrices stored by diagonals.

#include <memory>
#include <string>
#include <vector>

#include "kernels/formats/host_csr.hpp"
#include "solvers/core/options.hpp"

namespace wavesim::jost {

/// One method on one system.
struct Outcome {
  double seconds = 0;  // of the solve
  int iterations = 0;
  double error = 0;    // max |b - A x|
  std::string status;  // "converged", or what became of it
};

/// A matrix on a device in one precision, stored by diagonals, and b of ones.
class Device {
 public:
  virtual ~Device() = default;
  /// From zero; median of so many runs, after one that does not count if they are several.
  virtual Outcome solve(const std::string& method, double tolerance, int repetitions) = 0;
  /// Seconds of copying the diagonals and b to the device and x back.
  virtual double copy(int repetitions) = 0;
};

/// In single precision or in double.
std::unique_ptr<Device> make_host(const HostCsr&, bool single);
#ifdef WAVESIM_HAVE_CUDA
std::unique_ptr<Device> make_cuda(const HostCsr&, bool single);
#endif

/// Stopped by the largest residual, as in the paper.
inline SolverOptions options(const std::string& method, double tolerance, int most) {
  SolverOptions o;
  o.method = method;
  o.norm = "max";
  o.tolerance = tolerance;
  o.max_iterations = most;
  return o;
}

}  // namespace wavesim::jost
