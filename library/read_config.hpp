#pragma once
#include "library/run.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

/// The config with what the options say over it. Throws InputError.
Config read_config(const std::filesystem::path& file, const RunOptions& options);
/// The same from text, as in parse_config() of sim/config.
Config parse_config(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                    const RunOptions& options);

}  // namespace wavesim
