#include "output/checkpoint/sealed_file.hpp"

#include <fcntl.h>
#include <libdeflate.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "output/run/partial_file.hpp"

namespace wavesim {

namespace {

using Seal = std::array<char, seal_bytes>;

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(open(path.c_str(), flags | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  operator int() const { return number_; }

 private:
  int number_;
};

/// CRC-32 of what follows the seal, and the length of the whole file. False: errno says why not.
bool sum_of(int file, std::uint32_t& sum, std::uint64_t& length) {
  std::vector<char> block(std::size_t(1) << 20);
  sum = libdeflate_crc32(0, nullptr, 0);
  length = seal_bytes;
  for (;;) {
    const ssize_t got = pread(file, block.data(), block.size(), off_t(length));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) return true;
    sum = libdeflate_crc32(sum, block.data(), std::size_t(got));
    length += std::uint64_t(got);
  }
}

Seal seal_of(std::uint32_t sum, std::uint64_t length) {
  Seal seal{};
  std::snprintf(seal.data(), seal.size(),
                "wavesim checkpoint\nbytes %llu\ncrc32 of bytes %llu to the end %08x\n",
                static_cast<unsigned long long>(length), static_cast<unsigned long long>(seal_bytes), sum);
  return seal;
}

}  // namespace

void seal_and_rename(const std::string& temporary, const std::string& path) {
  {
    const Descriptor file(temporary, O_RDWR);
    std::uint32_t sum = 0;
    std::uint64_t length = 0;
    if (file < 0 || !sum_of(file, sum, length)) fail_to_write(path, std::strerror(errno));
    const Seal seal = seal_of(sum, length);
    errno = EIO;
    if (pwrite(file, seal.data(), seal.size(), 0) != ssize_t(seal.size()))
      fail_to_write(path, std::strerror(errno));
  }
  rename_file(temporary, path, Sync::now);
}

std::string damage_of(const std::string& path) {
  if (std::error_code none;
      std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none))
    return "it is no file";
  const Descriptor file(path, O_RDONLY);
  if (file < 0) return std::strerror(errno);
  Seal found{};
  std::uint32_t sum = 0;
  std::uint64_t length = 0;
  const ssize_t got = pread(file, found.data(), found.size(), 0);
  if (got < 0 || !sum_of(file, sum, length)) return std::strerror(errno);
  if (std::string_view(found.data(), found.size()).find("wavesim checkpoint\n") != 0)
    return "it is no checkpoint of wavesim, or its beginning is damaged";
  if (got != ssize_t(found.size()) || found != seal_of(sum, length))
    return "it is damaged: its bytes do not add up to its checksum";
  return "";
}

}  // namespace wavesim
