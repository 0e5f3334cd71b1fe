// A checkpoint whose checksum is right.

#include "tests/fuzz/hdf5_files.hpp"
#include "tests/fuzz/target.hpp"

using namespace wavesim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::refused_or_read([&] { fuzz::look_at_checkpoint(fuzz::text_of(data, size)); });
}
