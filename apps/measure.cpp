// wavesim measure: what solves cost on this CPU, for method: auto.

#include <cstdio>

#include "apps/commands.hpp"
#include "kernels/backend/device.hpp"
#include "kernels/backend/errors.hpp"
#include "output/run/partial_file.hpp"
#include "output/run/utc_time.hpp"
#include "sim/prices/measure.hpp"
#include "sim/prices/price_file.hpp"

namespace wavesim {

namespace {

/// Where the prices of this machine belong. Throws InputError where there is no such place.
std::filesystem::path own_file() {
  const DeviceFacts cpu = cpu_facts();
  std::filesystem::path file = price_file(cpu.name, cpu.units);
  if (file.empty())
    throw InputError(
        "there is no cache folder for the prices: neither XDG_CACHE_HOME nor HOME is set; set one, or name a "
        "file with --output");
  std::error_code why;
  std::filesystem::create_directories(file.parent_path(), why);
  if (why)
    throw OutputError("cannot make the folder " + file.parent_path().string() + ": " + why.message() +
                      "; name a file with --output");
  return file;
}

}  // namespace

int measure(const MeasureOptions& options) {
  const std::filesystem::path file =
      options.output.empty() ? own_file() : std::filesystem::path(options.output);
  Prices prices = measure_prices(options.largest, [&](long cells) {
    if (!options.quiet) std::fprintf(stderr, "timing solves on %ld x %ld cells\n", cells, cells);
  });
  prices.measured = utc_time();
  replace_file(file.string(), to_yaml(prices));
  if (!options.quiet) std::printf("%s: %s\n", file.c_str(), text(prices).c_str());
  return 0;
}

}  // namespace wavesim
