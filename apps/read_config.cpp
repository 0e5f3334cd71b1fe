#include "apps/read_config.hpp"

#include "sim/config/search_path.hpp"
#include "sim/run/choose_scheme.hpp"

namespace wavesim {

Config read_config(const RunOptions& options) {
  Config config = read_config(options.config, options.set, data_folders(options.data));
  if (options.device) config.device = *options.device;
  if (options.output) config.output.directory = *options.output;
  choose_scheme(config);
  return config;
}

}  // namespace wavesim
