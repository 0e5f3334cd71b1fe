#include "library/read_config.hpp"

#include "library/check_word.hpp"
#include "sim/config/search_path.hpp"
#include "sim/config/tree.hpp"
#include "sim/run/choose_scheme.hpp"

namespace wavesim {

namespace {

Config with(const RunOptions& options, Config config) {
  if (options.device) {
    check_word("--device", *options.device, device_words);
    config.device = *options.device;
  }
  if (options.output) config.output.directory = *options.output;
  choose_scheme(config);
  return config;
}

}  // namespace

Config read_config(const std::filesystem::path& file, const RunOptions& options,
                   const std::vector<Assignment>& over) {
  return with(options, read_config(file, options.set, data_folders(options.data), over));
}

Config parse_config(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                    const RunOptions& options) {
  return with(options, parse_config(text, name, folder, options.set, data_folders(options.data)));
}

}  // namespace wavesim
