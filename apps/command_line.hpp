#pragma once
// The command line: subcommands, their options, and which function each is.

#include <CLI/CLI.hpp>
#include <build_facts.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "apps/commands.hpp"
#include "apps/config_options.hpp"
#include "apps/help.hpp"
#include "apps/modes_options.hpp"
#include "apps/solve_options.hpp"
#include "apps/sweep_options.hpp"
#include "sim/prices/measure.hpp"

namespace wavesim {

inline int print_text(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return 0;
}

struct CommandLine {
  CLI::App app{"implicit time stepping of the 2-D wave equation on GPUs and CPUs"};
  RunCommand run;
  SolveCommand solve;
  ModesCommand modes;
  SweepOptions sweep;
  StudyOptions study;
  ErrorOptions error;
  RenderOptions render;
  ReportOptions report;
  MeasureOptions measure;
  std::string family, shell;
  bool json = false;
  CLI::App *run_command, *sweep_command, *solve_command, *modes_command, *study_command, *info_command,
      *list_command, *schema_command;
  CLI::App *error_command, *render_command, *report_command, *measure_command, *completion_command,
      *man_command;

  CommandLine() {
    app.name("wavesim");
    app.set_version_flag("--version", std::string("wavesim ") + version + " (" + commit + ")");
    app.require_subcommand(1);
    app.formatter(std::make_shared<HelpFormatter>());  // of the subcommands, too
    app.footer(
        "Exit status: 0 done; 2 a mistake in the command line, the config or its files;\n"
        "3 a solve failed; 4 reading or writing failed; 5 the device failed;\n"
        "6 stopped at time.wall-limit; 129, 130, 143, 152 stopped by a signal.\n"
        "Example: wavesim configs/drum.yaml && wavesim report results/drum");

    run_command = app.add_subcommand("run", "Run a config (the subcommand may be left out)");
    run_command->add_option("CONFIG", run.config, "YAML file")->required();
    add_config_options(run_command, run);
    run_command->add_option("--output", run.output, "folder of results, instead of output.directory");
    const auto replaces = run_command->add_flag("--overwrite", run.overwrite, "replace an existing result");
    const auto resumes = run_command->add_flag(
        "--resume", run.resume, "continue from the latest checkpoint if there is one, else start");
    resumes->excludes(replaces);
    run_command
        ->add_option("--restart", run.restart,
                     "continue from this checkpoint: a file, or latest (docs/checkpoints.md)")
        ->type_name("FILE|latest")
        ->excludes(resumes);
    run_command->add_flag("--dry-run", run.dry_run, "say what the run would be and cost; write nothing");
    run_command->add_flag("--json", run.json, "the dry run for programs")->needs("--dry-run");
    run_command->add_flag("-q,--quiet", run.quiet, "no notes, progress or report");
    add_jobs(run_command, run, "of a config with shots");
    add_ranks(run_command, run);
    run_command->footer("Example: wavesim run configs/drum.yaml --set time.end=0.01 --overwrite");

    sweep_command = add_sweep(app, sweep);

    solve_command = add_solve(app, solve);

    modes_command = add_modes(app, modes);

    study_command =
        app.add_subcommand("study", "Compare solvers on the systems of a run, on one page: docs/study.md");
    study_command->footer("Example: wavesim study configs/drum_study.yaml --write fastest.yaml");
    study_command->add_option("CONFIG", study.run.config, "YAML file with a section 'study'")->required();
    add_config_options(study_command, study.run);
    study_command->add_option("--output", study.run.output, "folder of results, instead of output.directory");
    const auto overwrite =
        study_command->add_flag("--overwrite", study.run.overwrite, "replace an existing result");
    study_command->add_flag("--resume", study.resume, "go on with a study that was stopped")
        ->excludes(overwrite);
    study_command->add_option("--write", study.write,
                              "config to put the best solver into; a copy of CONFIG if there is none");
    study_command->add_flag("--json", study.run.json, "the ranking for programs");
    study_command->add_flag("-q,--quiet", study.run.quiet, "no progress and no ranking");

    error_command =
        app.add_subcommand("error", "Measure the error of a config by finer runs: docs/accuracy.md");
    error_command->add_option("CONFIG", error.run.config, "YAML file")->required();
    error_command->add_option("--until", error.until, "seconds that are run; default: all")
        ->type_name("SECONDS");
    add_config_options(error_command, error.run);
    error_command->add_flag("--json", error.run.json, "for programs");
    error_command->add_flag("-q,--quiet", error.run.quiet, "do not say which run it is");
    error_command->footer("Example: wavesim error configs/drum.yaml --until 0.01");

    render_command = app.add_subcommand(
        "render", "Make pictures, plots or a film of a result; without options pictures and plots");
    render_command->add_option("RESULT", render.result, "a .vtkhdf file, or the folder of a run")->required();
    render_command->add_option("--quantity", render.quantity, "what to draw; default: displacement");
    render_command
        ->add_option("--colours", render.colours,
                     "colour map; default: auto, blue-red for what has a sign, else violet-yellow")
        ->type_name("auto|blue-red|green-purple|violet-yellow|black-orange|grey");
    render_command
        ->add_option("--range", render.range,
                     "the colours span [-R, R]; default: what 16 frames spread over them all need (--clip)")
        ->type_name("R")
        ->check(CLI::PositiveNumber);
    render_command
        ->add_option("--scale", render.scale, "one range for all frames, or for each its own; default: run")
        ->type_name("run|picture")
        ->check(CLI::IsMember({"run", "picture"}));
    render_command->add_option("--width", render.width, "of a picture, in pixels; default: 960")
        ->type_name("N")
        ->check(CLI::Range(64, 16384));
    render_command->add_option("--y", render.y, "where y points to; default: up")
        ->type_name("up|down")
        ->check(CLI::IsMember({"up", "down"}));
    const auto shading =
        render_command
            ->add_option("--shading", render.shading,
                         "hill shading, the field as a landscape lit from one side: 0 none, 1 strong")
            ->type_name("S")
            ->check(CLI::Range(0.0, 1.0));
    render_command
        ->add_option("--relief", render.relief,
                     "how high the value R stands in that landscape, in picture widths; default: 0.02")
        ->type_name("H")
        ->check(CLI::Range(1e-9, 1.0))
        ->needs(shading);
    render_command
        ->add_option(
            "--azimuth", render.azimuth,
            "where the light comes from, degrees clockwise from the top; default: 315, the upper left")
        ->type_name("DEGREES")
        ->check(CLI::Range(0.0, 360.0))
        ->needs(shading);
    render_command
        ->add_option("--altitude", render.altitude, "of the light above the ground, degrees; default: 45")
        ->type_name("DEGREES")
        ->check(CLI::Range(5.0, 90.0))
        ->needs(shading);
    render_command->add_flag("--no-marks", render.no_marks, "do not mark sources and receivers");
    render_command->add_flag("--no-medium", render.no_medium, "do not draw the medium beneath the wave");
    render_command
        ->add_option(
            "--clip", render.clip,
            "the part of the visible pixels that may lie beyond a range that is not given; default: 0.005")
        ->type_name("PART")
        ->check(CLI::Range(0.0, 0.5));
    render_command->add_option("--every", render.every, "each Nth frame; default: 1")
        ->type_name("N")
        ->check(CLI::Range(1l, 1000000000l));
    render_command->add_option("--from", render.from, "the first time, in seconds")->type_name("T");
    render_command->add_option("--to", render.to, "the last time, in seconds")->type_name("T");
    render_command->add_flag("--pictures", render.pictures, "a PNG file of each frame");
    render_command->add_flag("--pdf", render.pdf, "a PDF file of each frame beside its PNG file, for print");
    render_command
        ->add_option("--movie", render.movie,
                     "a film; mp4 and webm need the program ffmpeg, auto takes mp4 if it is there, else ogv")
        ->type_name("auto|mp4|webm|ogv");
    render_command->add_option("--rate", render.rate, "pictures a second of the film; default: 25")
        ->type_name("N")
        ->check(CLI::Range(1, 120));
    render_command->add_option("--contact-sheet", render.sheet, "one PNG file of N frames")
        ->type_name("N")
        ->check(CLI::Range(1, 400));
    render_command->add_flag("--receivers", render.receivers,
                             "what the receivers recorded and its spectra, as SVG, PDF and PNG");
    render_command
        ->add_option("--gain", render.gain,
                     "lines of receivers are drawn times (t / end)^P, so that what is late is seen; 0: as it "
                     "is; default: 1")
        ->type_name("P")
        ->check(CLI::Range(0.0, 10.0));
    render_command->add_flag("--segy", render.segy,
                             "the receivers as a SEG-Y file, for programs of seismics");
    render_command->add_flag("--history", render.history,
                             "energy, iterations, residual and time of each step, as SVG, PDF and PNG");
    render_command
        ->add_option("--output", render.folder, "folder of the files; default: NAME_render in the result's")
        ->type_name("FOLDER");
    render_command->add_flag("-q,--quiet", render.quiet, "do not print the names of the files");
    render_command->footer("Example: wavesim render results/drum --movie auto --contact-sheet 12");

    report_command =
        app.add_subcommand("report", "Make one HTML page of a run or a study, to read, print and send");
    report_command->add_option("RESULT", report.result, "a .vtkhdf file, or the folder of a run or a study")
        ->required();
    report_command->add_option("--quantity", report.quantity, "on the contact sheet; default: displacement");
    report_command->add_option("--frames", report.sheet, "on the contact sheet; default: 12")
        ->type_name("N")
        ->check(CLI::Range(1, 400));
    report_command
        ->add_option("--output", report.file,
                     "name of the page; default: NAME_report.html or study.html in that folder")
        ->type_name("FILE");
    report_command->add_flag("-q,--quiet", report.quiet, "do not print the name of the page");
    report_command->footer("Example: wavesim report results/drum");

    measure_command = app.add_subcommand(
        "measure", "Time solves on this CPU, once, so that method: auto knows what they cost");
    measure_command
        ->add_option("--output", measure.output, "default: wavesim/prices/ in the user's cache folder")
        ->type_name("FILE");
    measure.largest = largest_measured;
    measure_command
        ->add_option("--largest", measure.largest,
                     "cells along a side of the largest grid; default: " + std::to_string(largest_measured))
        ->type_name("N")
        ->check(CLI::Range(100l, 100000l));
    measure_command->add_flag("-q,--quiet", measure.quiet, "do not print the sizes and the name of the file");
    measure_command->footer("Example: OMP_NUM_THREADS=8 wavesim measure");

    info_command = app.add_subcommand("info", "Devices and build");
    info_command->add_flag("--json", json, "for programs");
    info_command->footer("Example: wavesim info");
    list_command = app.add_subcommand("list", "Every name a config can choose by, with one line each");
    list_command->add_option("FAMILY", family, "one list alone, for example: methods");
    list_command->add_flag("--json", json, "for programs");
    list_command->footer("Example: wavesim list methods");
    schema_command = app.add_subcommand("schema", "JSON Schema of configs, for editors");
    schema_command->footer("Example: wavesim schema > configs/schema.json");
    completion_command =
        app.add_subcommand("completion", "A script that completes wavesim's words in a shell");
    completion_command->add_option("SHELL", shell, "bash, zsh or fish")
        ->type_name("bash|zsh|fish")
        ->required();
    completion_command->footer("Example: source <(wavesim completion bash)");
    man_command = app.add_subcommand("man", "The man page");
    man_command->footer("Example: wavesim man | man -l -");
  }

  /// Whether the command looks at signals and ends well.
  bool can_be_stopped() const {
    return (*run_command && !run.dry_run) || (*sweep_command && !sweep.run.dry_run) || *study_command;
  }
  /// The result that the command reads and does not write; empty: it reads none.
  std::string result() const {
    return *render_command ? render.result.string() : *report_command ? report.result.string() : "";
  }
  /// Whether the command says what is known without work for several threads.
  bool looks_up() const {
    return *info_command || *list_command || *schema_command || *completion_command || *man_command;
  }
  /// Whether the command is one that ranks share out.
  bool is_for_ranks() const { return *run_command && !run.dry_run; }
  int dispatch() const {
    if (*solve_command) return wavesim::solve(solve);
    if (*modes_command) return wavesim::modes(modes);
    if (*sweep_command) return wavesim::sweep(sweep);
    if (*study_command) return wavesim::study(study);
    if (*error_command) return wavesim::measured_error(error);
    if (*info_command) return info(json);
    if (*list_command) return list(family, json);
    if (*schema_command) return schema();
    if (*measure_command) return wavesim::measure(measure);
    if (*render_command) return wavesim::render(render);
    if (*report_command) return wavesim::html_report(report);
    if (*completion_command) return print_text(completion(app, shell));
    if (*man_command) return print_text(man_page(app, version));
    return run.dry_run ? wavesim::dry_run(run) : wavesim::run(run);
  }
};

}  // namespace wavesim
