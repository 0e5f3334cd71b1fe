#pragma once
// Which runs ranks share out.

#include <string>

#include "kernels/backend/device.hpp"
#include "kernels/comm/ranks.hpp"
#include "sim/config/config.hpp"
#include "sim/model/model.hpp"

namespace wavesim {

/// The device of this rank where the config or command line wants this one: its own GPU among those of its host, where each
/// rank of the run has one; else the CPU. Throws DeviceError where GPUs are wanted and are not there.
DeviceFacts choose_device_of_rank(const std::string& wanted, Ranks& ranks);
/// Throws InputError where `ranks` of them cannot share out the rows of this run: what is there that they do not do yet, or too
/// few rows.
void require_shareable(const Config& config, const Model& model, int ranks);

}  // namespace wavesim
