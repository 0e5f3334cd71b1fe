#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace wavesim {

/// Empty where there is no such file.
inline std::string file_contents(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace wavesim
