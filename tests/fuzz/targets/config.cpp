// A config: read, checked, written out with its defaults, and read again.

#include "sim/config/config.hpp"

#include "sim/time/scheme.hpp"
#include "tests/fuzz/target.hpp"

using namespace wavesim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::refused_or_read([&] {
    Config config = parse_config(fuzz::text_of(data, size), "config.yaml");
    const std::string effective = dump_config(config);
    try {
      parse_config(effective, "effective.yaml");
    } catch (const InputError& e) {
      throw std::logic_error(std::string("the effective config is refused: ") + e.what());
    }
    make_scheme(config.time, config.space.order);
  });
}
