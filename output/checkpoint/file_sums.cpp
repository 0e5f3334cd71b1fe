#include "output/checkpoint/file_sums.hpp"

#include <libdeflate.h>

#include <cstdio>
#include <fstream>

namespace wavesim {

std::map<std::string, std::string> file_sums(const std::vector<std::filesystem::path>& files) {
  std::map<std::string, std::string> sums;
  std::vector<char> block(std::size_t(1) << 20);
  for (const std::filesystem::path& file : files) {
    std::string& sum = sums[file.string()] = "absent";
    std::error_code none;
    std::ifstream in(file, std::ios::binary);
    if (!in || !std::filesystem::is_regular_file(file, none)) continue;
    std::uint32_t crc = libdeflate_crc32(0, nullptr, 0);
    unsigned long long length = 0;
    while (in.read(block.data(), std::streamsize(block.size())), in.gcount() > 0) {
      crc = libdeflate_crc32(crc, block.data(), std::size_t(in.gcount()));
      length += static_cast<unsigned long long>(in.gcount());
    }
    char text[64];
    std::snprintf(text, sizeof text, "%llu bytes, crc32 %08x", length, crc);
    sum = text;
  }
  return sums;
}

}  // namespace wavesim
