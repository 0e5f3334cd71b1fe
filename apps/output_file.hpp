#pragma once
#include <filesystem>

namespace wavesim {

/// Throws OutputError where a file that an option names cannot be: found before long work rather than after it.
void require_folder_of(const std::filesystem::path& file);

}  // namespace wavesim
