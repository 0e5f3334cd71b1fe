#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace wavesim::testing {

/// A folder of a test's own, removed at its end.
struct FreshFolder {
  explicit FreshFolder(const std::filesystem::path& within = std::filesystem::temp_directory_path()) {
    std::string name = (within / "wavesim_test_XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~FreshFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  FreshFolder(const FreshFolder&) = delete;
  FreshFolder& operator=(const FreshFolder&) = delete;
  std::filesystem::path path;
};

inline std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return {};
  std::string bytes(std::size_t(in.tellg()), '\0');
  in.seekg(0);
  in.read(bytes.data(), std::streamsize(bytes.size()));
  return bytes;
}

}  // namespace wavesim::testing
