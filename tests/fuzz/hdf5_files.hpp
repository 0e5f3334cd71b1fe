#pragma once
// What the program does with an HDF5 file that it is given. Throws as the program's readers do.

#include <filesystem>
#include <string>

namespace wavesim::fuzz {

/// `wavesim report` and `wavesim render` of a result.
void look_at_result(const std::filesystem::path& file);
/// `wavesim report` of a study.
void look_at_study(const std::filesystem::path& file);
/// `wavesim --restart`, up to the state of the run; the file gets a seal that is right.
void look_at_checkpoint(const std::string& bytes);

/// What a checkpoint of look_at_checkpoint was written from.
std::string checkpoint_bytes();

}  // namespace wavesim::fuzz
