#pragma once
// The memory that a run needs, from its config and grid alone: no array over the nodes is made.

#include "kernels/backend/device.hpp"
#include "sim/model/model.hpp"

namespace wavesim {

/// Ranks that share out the rows of a run, and how many of them there are on this host.
struct RankCounts {
  int all = 1, on_host = 1;
};

/// Bytes of device memory that a run needs, of several ranks the one with most rows; on GPUs each has the whole matrix of a
/// format that stores it. Of a model, whole or in outline.
std::size_t device_bytes(const Config& config, const Model& model, int ranks = 1, bool on_gpus = false);
/// Bytes of host memory that the model takes at least, which stay beside those of the device; of several ranks the one with
/// most rows.
std::size_t host_bytes(const Config& config, const Model& model, int ranks = 1);

/// Throws InputError, naming need and what is free, where the device or the host has too little memory.
void require_memory(const Config& config, const DeviceFacts& device, RankCounts ranks = {});

}  // namespace wavesim
