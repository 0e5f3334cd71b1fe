#pragma once
// Whether files are still what they were.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace wavesim {

/// Of each file its length and the CRC-32 of its bytes, "1200 bytes, crc32 1f2e3d4c"; "absent" where it cannot be read.
std::map<std::string, std::string> file_sums(const std::vector<std::filesystem::path>& files);

}  // namespace wavesim
