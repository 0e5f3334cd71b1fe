#pragma once
// Which runs ranks share out.

#include <string>

#include "sim/config/config.hpp"
#include "sim/model/model.hpp"

namespace wavesim {

/// The device that ranks work on where the config or command line wants this one. Throws InputError for GPUs.
std::string device_of_ranks(const std::string& wanted);
/// Throws InputError where `ranks` of them cannot share out the rows of this run: what is there that they do not do yet, or too
/// few rows.
void require_shareable(const Config& config, const Model& model, int ranks);

}  // namespace wavesim
