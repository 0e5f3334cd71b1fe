#pragma once
// Modes of the membrane at rest, or of what else the medium is: the lowest frequencies and shapes of free vibration
// without losses, K u = omega^2 M u, with the K and M that a step of the config has.

#include <string>
#include <vector>

#include "kernels/backend/device.hpp"
#include "sim/run/output_plan.hpp"
#include "sim/time/scheme.hpp"
#include "solvers/eigenpairs/eigenpairs.hpp"

namespace wavesim {

struct MembraneModes : EigenRun {   // eigenvalues omega^2 in 1/s^2
  std::vector<double> frequencies;  // Hz
  std::vector<std::vector<double>>
      shapes;  // on the window's nodes, row by row; the value of largest magnitude is 1
  std::vector<std::vector<double>> readings;  // of the model's receivers, of each shape
};

struct ModesSetup {
  const Model& model;
  const Scheme& scheme;  // some keep rows of M^-1 K below a bound (eigenvalue_to_keep)
  EigenOptions options;
  PreconditionerOptions preconditioner{"multigrid", {}};
  std::string format = "stencil";
  Window window;
};

/// Throws InputError for configs whose modes are none of these: perfectly matched layers, space order 8, single precision.
void require_modes(const Config& config, const Model& model);
/// Points that move: as many modes there are.
long unknown_count(const Model& model);

/// The CUDA version exists in builds with CUDA. Throws InputError for a preconditioner that does not fit, DeviceError.
MembraneModes modes_on_host(const ModesSetup& setup);
MembraneModes modes_on_cuda(const ModesSetup& setup);
/// Where the device is. Throws InputError, too, where its memory does not suffice.
MembraneModes modes_on(const DeviceFacts& device, const ModesSetup& setup);

}  // namespace wavesim
