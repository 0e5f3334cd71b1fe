#pragma once
#include <filesystem>
#include <vector>

#include "sim/config/section.hpp"

namespace wavesim {

/// The files that a config names: media, initial states, shapes, signals. Absolute, each once.
std::vector<std::filesystem::path> files_of(Configured& config);

}  // namespace wavesim
