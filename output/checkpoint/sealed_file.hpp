#pragma once
// A file whose first 512 bytes tell its length and the checksum of all the rest, so that damage is found before
// anything is read from it. HDF5 calls these bytes a user block and passes over them.

#include <cstdint>
#include <string>

namespace wavesim {

constexpr std::uint64_t seal_bytes = 512;

/// Writes the seal of the finished file `temporary`, waits until it is on the disk, and gives it its name
/// `path`. Throws OutputError.
void seal_and_rename(const std::string& temporary, const std::string& path);

/// Why the file is not as it was sealed; empty: it is.
std::string damage_of(const std::string& path);

}  // namespace wavesim
