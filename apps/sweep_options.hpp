#pragma once
#include <CLI/CLI.hpp>

#include "apps/config_options.hpp"

namespace wavesim {

/// The subcommand `sweep`.
inline CLI::App* add_sweep(CLI::App& app, SweepOptions& sweep) {
  CLI::App* const command =
      app.add_subcommand("sweep", "Run a config for all combinations of some values: docs/sweeps.md");
  command->add_option("CONFIG", sweep.run.config, "YAML file")->required();
  command->add_option("--over", sweep.over, "a key and its values, over the config; may be repeated")
      ->type_name("KEY=[VALUE,...]")
      ->allow_extra_args(false)
      ->required();
  add_config_options(command, sweep.run);
  command->add_option("--output", sweep.run.output, "folder of results, instead of output.directory");
  command->add_flag("--overwrite", sweep.run.overwrite, "run anew what is done already");
  add_jobs(command, sweep.run, "at once");
  command->add_flag("--dry-run", sweep.run.dry_run, "say what the runs would be and cost; write nothing");
  command->add_flag("--json", sweep.run.json, "the table, or the dry run, for programs");
  command->add_flag("-q,--quiet", sweep.run.quiet, "no progress and no table");
  command->footer("Example: wavesim sweep configs/drum.yaml --over 'medium.damping=[0,50,200]'");
  return command;
}

}  // namespace wavesim
