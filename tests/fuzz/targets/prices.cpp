// Prices of method: auto.

#include "sim/prices/price_file.hpp"
#include "tests/fuzz/target.hpp"

using namespace wavesim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::InputFile file(data, size);
  return fuzz::refused_or_read([&] { parse_prices(to_yaml(read_prices(file.path())), "again"); });
}
