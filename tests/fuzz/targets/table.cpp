// A signal from a table of times and values.

#include "sim/config/config.hpp"
#include "tests/fuzz/target.hpp"

using namespace wavesim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::InputFile file(data, size);
  return fuzz::refused_or_read([&] {
    Config config = parse_config(
        "grid: {size: [1, 1], cells: [8, 8]}\nmedium: {speed: 1}\ntime: {steps: 1}\n"
        "sources: [{at: [0.5, 0.5], table: {file: " +
            file.path().string() + "}}]\n",
        "config.yaml");
    Signal& signal = *config.sources.front().signal;
    signal.prepare();
    for (const double t : {-1.0, 0.0, 1e-3, 1e300}) signal.at(t);
  });
}
