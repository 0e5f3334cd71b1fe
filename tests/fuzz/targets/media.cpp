// The HDF5 file of a medium, a shape or a signal.

#include "sim/input/hdf5_array.hpp"
#include "tests/fuzz/target.hpp"

using namespace wavesim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::InputFile file(data, size);
  return fuzz::refused_or_read([&] { read_hdf5_array(file.path(), "", {}); });
}
