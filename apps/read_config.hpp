#pragma once
#include "apps/commands.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

/// The config with the command line's words applied.
Config read_config(const RunOptions& options);

}  // namespace wavesim
