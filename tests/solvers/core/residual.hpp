#pragma once
// The residual of a matrix of the host, without the solvers' passes.

#include <cmath>

#include "kernels/formats/host_csr.hpp"

namespace wavesim::test {

/// |b - A x| / |b|
inline double relative_residual(const HostCsr& A, const std::vector<double>& b,
                                const std::vector<double>& x) {
  const std::vector<double> y = multiply(A, x);
  double rr = 0, bb = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    rr += (b[i] - y[i]) * (b[i] - y[i]);
    bb += b[i] * b[i];
  }
  return std::sqrt(rr / bb);
}

}  // namespace wavesim::test
