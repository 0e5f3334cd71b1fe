#pragma once
#include <CLI/CLI.hpp>

#include "apps/commands.hpp"
#include "apps/config_options.hpp"

namespace wavesim {

/// The subcommand `modes`.
inline CLI::App* add_modes(CLI::App& app, ModesCommand& modes) {
  CLI::App* const command = app.add_subcommand(
      "modes", "The lowest frequencies and modes of a config, or eigenpairs of matrices: docs/modes.md");
  command->add_option("CONFIG", modes.problem, "YAML file; or A.mtx, for A x = lambda x")
      ->type_name("CONFIG|A.mtx")
      ->required();
  command->add_option("B.mtx", modes.mass, "with A.mtx: A x = lambda B x");
  command->add_option("--count", modes.words.count, "of the modes; default: 6")
      ->type_name("N")
      ->check(CLI::Range(1, 100000));
  command
      ->add_option("--preconditioner", modes.words.preconditioner,
                   "as 'wavesim list preconditioners', or direct: sparse factors; default: multigrid for a "
                   "config, the "
                   "first of direct, ic0, jacobi and none that can be made for a matrix")
      ->type_name("NAME");
  command->add_option("--option", modes.words.options, "name=value of the preconditioner; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--tolerance", modes.words.tolerance,
                   "of |K u - lambda M u| to |lambda M u|; default: 1e-8")
      ->type_name("T");
  command
      ->add_option("--block", modes.words.block,
                   "vectors that are iterated; default: a quarter more than --count, at least two")
      ->type_name("N")
      ->check(CLI::Range(1, 100000));
  command->add_option("--most", modes.words.most, "iterations; default: 500")
      ->type_name("ITERATIONS")
      ->check(CLI::Range(0, 1000000));
  command->add_option("--vectors", modes.vectors, "with A.mtx: file to write the eigenvectors to")
      ->type_name("FILE.mtx");
  command->add_option("--table", modes.table, "with A.mtx: file to write eigenvalues and residuals to")
      ->type_name("FILE.csv");
  add_config_options(command, modes.run);
  command->add_option("--output", modes.run.output, "folder of results, instead of output.directory");
  command->add_flag("--overwrite", modes.run.overwrite, "replace an existing result");
  command->add_flag("--json", modes.json, "for programs");
  command->footer("Example: wavesim modes configs/drum.yaml --count 9");
  return command;
}

}  // namespace wavesim
