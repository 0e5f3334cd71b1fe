#pragma once
#include <CLI/CLI.hpp>

#include "apps/commands.hpp"
#include "library/check_word.hpp"

namespace wavesim {

/// What every command with a config takes.
inline void add_config_options(CLI::App* command, RunOptions& options) {
  command->add_option("--set", options.set, "key.path=value, over the config; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--data", options.data,
                   "folder of files that the config names and that are not beside it; may be repeated; "
                   "after these come the folders of WAVESIM_DATA")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command->add_option("--device", options.device, "auto, cuda or cpu")->check(CLI::IsMember(device_words));
}

}  // namespace wavesim
