#pragma once
// Where a run, a study or a solve works.

#include <string>

#include "kernels/backend/device.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

/// The device of "auto" (CUDA if one answers, else the CPU), "cuda" or "cpu". Throws DeviceError for "cuda"
/// without one.
DeviceFacts choose_device(const std::string& wanted);

/// Throws InputError where the format of the matrix is not there on the device.
void require_format(const SolverConfig& solver, const DeviceFacts& device);

}  // namespace wavesim
