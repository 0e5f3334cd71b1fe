#pragma once
#include "library/run.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

/// The config with what the options say over it, and `over` last. Throws InputError.
Config read_config(const std::filesystem::path& file, const RunOptions& options,
                   const std::vector<Assignment>& over = {});
/// The same from text, as in parse_config() of sim/config.
Config parse_config(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                    const RunOptions& options);

}  // namespace wavesim
