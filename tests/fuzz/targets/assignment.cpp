// The words of --set, one a line, over a small config.

#include <sstream>
#include <vector>

#include "sim/config/config.hpp"
#include "tests/fuzz/target.hpp"

using namespace wavesim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::refused_or_read([&] {
    const char* const config =
        "grid: {size: [1, 1], cells: [8, 8]}\nmedium: {speed: 1}\ntime: {steps: 1}\n"
        "receivers: [{at: [0.5, 0.5]}]\n";
    std::vector<std::string> set;
    std::istringstream lines(fuzz::text_of(data, size));
    for (std::string line; std::getline(lines, line);) set.push_back(line);
    parse_config(config, "config.yaml", ".", set);
  });
}
