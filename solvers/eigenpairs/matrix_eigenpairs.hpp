#pragma once
// The lowest eigenpairs of sparse matrices from anywhere, on one backend, in double precision, behind an interface that
// knows no backend.

#include <string>
#include <vector>

#include "kernels/formats/host_csr.hpp"
#include "solvers/eigenpairs/eigenpairs.hpp"

namespace wavesim {

struct MatrixEigenpairs : EigenRun {
  std::vector<std::vector<double>> vectors;  // with x'M x = 1, the largest value positive
};

/// K x = lambda M x; `M` null: the identity. Both are symmetric. `preconditioner`: without one, the first that can be set
/// up of `direct` (sparse factors), ic0, jacobi and none. Throws InputError for what does not fit, DeviceError. The
/// CUDA version exists in builds with CUDA.
MatrixEigenpairs eigenpairs_on_host(const HostCsr& K, const HostCsr* M, const EigenOptions& options,
                                    const PreconditionerOptions* preconditioner, const std::string& format);
MatrixEigenpairs eigenpairs_on_cuda(const HostCsr& K, const HostCsr* M, const EigenOptions& options,
                                    const PreconditionerOptions* preconditioner, const std::string& format);

}  // namespace wavesim
