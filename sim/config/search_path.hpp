#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace wavesim {

/// The folders in which files that a config names are looked for when they are not beside it: those of --data,
/// `named`, and then those of the environment variable WAVESIM_DATA, which ':' parts.
std::vector<std::filesystem::path> data_folders(const std::vector<std::filesystem::path>& named);

/// The file `name` below the config's folder, or else below the first of `data` that has it; the first of these
/// places where there is none. An absolute name is that place.
std::filesystem::path find_file(const std::filesystem::path& name, const std::filesystem::path& config,
                                const std::vector<std::filesystem::path>& data);

}  // namespace wavesim
