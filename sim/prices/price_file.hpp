#pragma once
// Prices of `method: auto` as a file: one for each kind of CPU and number of threads (docs/methods.md).

#include <filesystem>

#include "solvers/automatic/prices.hpp"

namespace wavesim {

/// As YAML that parse_prices takes: the same text for the same prices, and the same numbers back.
std::string to_yaml(const Prices& prices);
/// `name` stands for the file in sentences. Throws InputError for what are no prices.
Prices parse_prices(const std::string& text, const std::string& name);
/// Throws InputError where it cannot be read, too.
Prices read_prices(const std::filesystem::path& file);

/// Where those of a machine are kept: in wavesim/prices below $XDG_CACHE_HOME, or below ~/.cache; empty where
/// neither is known.
std::filesystem::path price_file(const std::string& machine, int threads);

}  // namespace wavesim
