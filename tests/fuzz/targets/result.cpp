// A result of a run, as render and report read it.

#include "tests/fuzz/hdf5_files.hpp"
#include "tests/fuzz/target.hpp"

using namespace wavesim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::InputFile file(data, size);
  return fuzz::refused_or_read([&] { fuzz::look_at_result(file.path()); });
}
