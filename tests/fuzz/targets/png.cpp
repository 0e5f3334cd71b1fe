// A picture of a medium or a shape.

#include "sim/input/png_image.hpp"
#include "tests/fuzz/target.hpp"

using namespace wavesim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::InputFile file(data, size);
  return fuzz::refused_or_read([&] { read_png(file.path(), {}); });
}
