// The command line: which subcommand, with what, and which exit status it ends with.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <build_facts.hpp>
#include <cstdio>

#include "apps/commands.hpp"
#include "kernels/errors.hpp"

namespace {

/// Exit statuses; 130 and 143 after signals come from `run`.
enum Status {
  done = 0,
  unexpected = 1,
  bad_input = 2,
  solve_failed = 3,
  output_failed = 4,
  device_failed = 5
};

/// One line on stderr, whatever the sentence was made of.
int complain(std::string sentence, Status status) {
  std::replace(sentence.begin(), sentence.end(), '\n', ' ');
  std::fflush(stdout);
  std::fprintf(stderr, "wavesim: %s\n", sentence.c_str());
  return status;
}

/// `wavesim CONFIG` is `wavesim run CONFIG`.
std::vector<std::string> with_subcommand(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  static const std::vector<std::string> own{"run",    "solve",  "study", "info",     "list",
                                            "schema", "--help", "-h",    "--version"};
  if (!words.empty() && std::find(own.begin(), own.end(), words.front()) == own.end())
    words.insert(words.begin(), "run");
  return words;
}

struct CommandLine {
  CLI::App app{"wavesim CONFIG.yaml: implicit time stepping of the 2-D wave equation on GPUs and CPUs"};
  wavesim::RunOptions run;
  wavesim::SolveOptions solve;
  wavesim::StudyOptions study;
  std::string family;
  bool json = false;
  CLI::App *run_command, *solve_command, *study_command, *info_command, *list_command, *schema_command;

  CommandLine() {
    app.name("wavesim");
    app.set_version_flag("--version",
                         std::string("wavesim ") + wavesim::version + " (" + wavesim::commit + ")");
    app.require_subcommand(1);
    app.footer(
        "Exit status: 0 done; 2 a mistake in the command line, the config or its files; 3 a solve failed;\n"
        "4 reading or writing failed; 5 the device failed; 130 or 143 stopped by a signal.");

    run_command = app.add_subcommand("run", "Run a config (the subcommand may be left out)");
    run_command->add_option("CONFIG", run.config, "YAML file")->required();
    run_command->add_option("--set", run.set, "key.path=value, over the config; may be repeated")
        ->allow_extra_args(false);
    run_command->add_option("--device", run.device, "auto, cuda or cpu")
        ->check(CLI::IsMember({"auto", "cuda", "cpu"}));
    run_command->add_option("--output", run.output, "folder of results, instead of output.directory");
    run_command->add_flag("--overwrite", run.overwrite, "replace an existing result");
    run_command->add_flag("--dry-run", run.dry_run, "say what the run would be and cost; write nothing");
    run_command->add_flag("--json", run.json, "the dry run for programs")->needs("--dry-run");
    run_command->add_flag("-q,--quiet", run.quiet, "no notes, progress or report");

    solve_command = app.add_subcommand("solve", "Solve A x = b with a matrix from a Matrix Market file");
    solve_command->add_option("MATRIX", solve.matrix, "A: .mtx or .mtx.gz")->required();
    solve_command->add_option("--rhs", solve.rhs, "b: a Matrix Market vector; default: A times ones");
    solve_command->add_option("--method", solve.method,
                              "as 'wavesim list methods'; default: cg if A is symmetric, else bicgstab");
    solve_command->add_option("--preconditioner", solve.preconditioner,
                              "as 'wavesim list preconditioners'; default: none");
    solve_command->add_option("--format", solve.format,
                              "as 'wavesim list formats'; default: auto, by the lengths of the rows");
    solve_command->add_option("--precision", solve.precision, "double, single or mixed")
        ->check(CLI::IsMember({"double", "single", "mixed"}));
    solve_command->add_option("--tolerance", solve.tolerance, "of the true residual; default: 1e-6");
    solve_command
        ->add_option("--norm", solve.norm, "relative-2 (2-norm, to that of b) or max (largest, to that of b)")
        ->check(CLI::IsMember({"relative-2", "max"}));
    solve_command->add_option("--max-iterations", solve.max_iterations, "default: 10000");
    solve_command
        ->add_option(
            "--option", solve.options,
            "name=value of the method, preconditioner.name=value of the preconditioner; may be repeated")
        ->allow_extra_args(false);
    solve_command->add_flag("--accurate", solve.accurate,
                            "compensate the sums of the solve and the rows of the true residual");
    solve_command->add_option("--device", solve.device, "auto, cuda or cpu")
        ->check(CLI::IsMember({"auto", "cuda", "cpu"}));
    solve_command->add_option("--solution", solve.solution, "file to write x to, if the solve converged");
    solve_command->add_flag("--history", solve.history, "print the residual after each iteration");
    solve_command->add_flag("--json", solve.json, "for programs");

    study_command = app.add_subcommand("study", "Compare solvers on the systems of a run: docs/study.md");
    study_command->footer("Example: wavesim study configs/drum_study.yaml --write fastest.yaml");
    study_command->add_option("CONFIG", study.run.config, "YAML file with a section 'study'")->required();
    study_command->add_option("--set", study.run.set, "key.path=value, over the config; may be repeated")
        ->allow_extra_args(false);
    study_command->add_option("--device", study.run.device, "auto, cuda or cpu")
        ->check(CLI::IsMember({"auto", "cuda", "cpu"}));
    study_command->add_option("--output", study.run.output, "folder of results, instead of output.directory");
    const auto overwrite =
        study_command->add_flag("--overwrite", study.run.overwrite, "replace an existing result");
    study_command->add_flag("--resume", study.resume, "go on with a study that was stopped")
        ->excludes(overwrite);
    study_command->add_option("--write", study.write,
                              "config to put the best solver into; a copy of CONFIG if there is none");
    study_command->add_flag("--json", study.run.json, "the ranking for programs");
    study_command->add_flag("-q,--quiet", study.run.quiet, "no progress and no ranking");

    info_command = app.add_subcommand("info", "Devices and build");
    info_command->add_flag("--json", json, "for programs");
    list_command = app.add_subcommand("list", "Every name a config can choose by, with one line each");
    list_command->add_option("FAMILY", family, "one list alone, for example: methods");
    list_command->add_flag("--json", json, "for programs");
    schema_command = app.add_subcommand("schema", "JSON Schema of configs, for editors");
  }

  int dispatch() const {
    if (*solve_command) return wavesim::solve(solve);
    if (*study_command) return wavesim::study(study);
    if (*info_command) return wavesim::info(json);
    if (*list_command) return wavesim::list(family, json);
    if (*schema_command) return wavesim::schema();
    return run.dry_run ? wavesim::dry_run(run) : wavesim::run(run);
  }
};

}  // namespace

int main(int argc, char** argv) {
  CommandLine line;
  try {
    std::vector<std::string> words = with_subcommand(argc, argv);
    if (words.empty())
      return complain("no config is named; write 'wavesim CONFIG.yaml', or see 'wavesim --help'", bad_input);
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    line.app.parse(words);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return line.app.exit(e);
    return complain(std::string(e.what()) + "; see 'wavesim --help'", bad_input);
  }
  try {
    return line.dispatch();
  } catch (const wavesim::InputError& e) {
    return complain(e.what(), bad_input);
  } catch (const wavesim::SolveError& e) {
    return complain(e.what(), solve_failed);
  } catch (const wavesim::OutputError& e) {
    // Not exit(): HDF5 would then try once more to write what it could not, and may crash over it.
    std::_Exit(complain(e.what(), output_failed));
  } catch (const wavesim::DeviceError& e) {
    return complain(e.what(), device_failed);
  } catch (const std::bad_alloc&) {
    return complain(
        "the computer's memory does not suffice; take fewer cells (see --dry-run) or a "
        "smaller matrix",
        device_failed);
  } catch (const std::exception& e) {
    return complain(std::string("unexpected: ") + e.what(), unexpected);
  }
}
