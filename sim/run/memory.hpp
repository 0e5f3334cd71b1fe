#pragma once
// The memory that a run needs, from its config and grid alone: no array over the nodes is made.

#include "kernels/backend/device.hpp"
#include "sim/model/model.hpp"

namespace wavesim {

/// Bytes of device memory that a run needs. Of a model, whole or in outline.
std::size_t device_bytes(const Config& config, const Model& model);
/// Bytes of host memory that the model takes at least, which stay beside those of the device.
std::size_t host_bytes(const Config& config, const Model& model);

/// Throws InputError, naming need and what is free, where the device or the host has too little memory.
void require_memory(const Config& config, const DeviceFacts& device);

}  // namespace wavesim
