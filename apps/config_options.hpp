#pragma once
#include <CLI/CLI.hpp>

#include <string>

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

/// Of several runs.
inline void add_jobs(CLI::App* command, RunCommand& options, const std::string& which) {
  command
      ->add_option("--jobs", options.jobs,
                   "runs " + which +
                       "; default: one for each core that memory suffices for, on a GPU as many as fill it")
      ->type_name("N")
      ->check(CLI::Range(1l, 1000l));
}

/// Of a run whose rows several processes share out; a dry run says what they would need.
inline void add_ranks(CLI::App* command, RunCommand& options) {
  const auto ranks =
      command
          ->add_option("--ranks", options.processes,
                       "processes on this host that share out the rows of the run, with a GPU each "
                       "where it has as many: docs/ranks.md")
          ->type_name("N")
          ->check(CLI::Range(1, 4096));
  const auto gpus = command
                        ->add_option_function<int>(
                            "--gpus", [&options](int n) { options.processes = n, options.device = "cuda"; },
                            "the same on so many GPUs")
                        ->type_name("N")
                        ->check(CLI::Range(1, 4096));
  gpus->excludes(ranks)->excludes(command->get_option("--device"));
}

}  // namespace wavesim
