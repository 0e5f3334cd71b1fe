#pragma once
// One function per subcommand. Each returns the exit status or throws one of the errors of
// kernels/backend/errors.hpp.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernels/comm/ranks.hpp"
#include "library/modes_of.hpp"
#include "library/run.hpp"
#include "library/solve.hpp"

namespace wavesim {

struct RunCommand : RunOptions {
  std::filesystem::path config;
  bool quiet = false, dry_run = false;
  bool json = false;       // of the dry run, and of the table of several runs
  long jobs = 0;           // of several runs at once; 0: to be chosen
  int processes = 0;       // to be started here to share out the run; 0: none
  Ranks* ranks = nullptr;  // that share out the run; null: there is one
};

struct SweepOptions {
  RunCommand run;                 // of which resume and restart are none here
  std::vector<std::string> over;  // key.path=[value, ...]
};

struct SolveCommand : SolveOptions {
  std::filesystem::path matrix;
  std::optional<std::filesystem::path> rhs, solution;
  bool json = false, history = false;
};

struct ModesCommand {
  std::filesystem::path problem;              // a config, or a matrix
  std::optional<std::filesystem::path> mass;  // of a matrix
  std::optional<std::filesystem::path> vectors, table;
  ModesWords words;
  RunOptions run;  // of which resume and restart are none here
  bool json = false;
};

struct StudyOptions {
  RunCommand run;  // of which the dry run is none here
  bool resume = false;
  std::optional<std::filesystem::path> write;  // a config that the best solver is put into
};

struct ErrorOptions {
  RunCommand run;               // of which output, checkpoints and the dry run are none here
  std::optional<double> until;  // seconds
};

struct RenderOptions {
  std::filesystem::path result;
  std::string quantity = "displacement", colours = "auto", scale = "run", y = "up";
  std::optional<double> range, from, to;
  std::optional<double> shading, relief, azimuth, altitude;  // the last three of the shading
  std::optional<std::string> folder, movie;                  // movie: auto | mp4 | webm | ogv
  std::optional<long> sheet;
  long every = 1, width = 960;
  int rate = 25;
  double clip = 0.005, gain = 1;
  bool no_marks = false, no_medium = false, pictures = false, pdf = false, segy = false, receivers = false,
       history = false, quiet = false;
};

struct ReportOptions {
  std::filesystem::path result;
  std::optional<std::string> file;
  std::string quantity = "displacement";
  long sheet = 12;
  bool quiet = false;
};

struct MeasureOptions {
  std::string output;  // default: the cache folder
  long largest = 0;    // cells along a side
  bool quiet = false;
};

int run(const RunCommand& options);
int sweep(const SweepOptions& options);
int study(const StudyOptions& options);
int dry_run(const RunCommand& options);
int measured_error(const ErrorOptions& options);
int solve(const SolveCommand& options);
int modes(const ModesCommand& options);
int render(const RenderOptions& options);
int html_report(const ReportOptions& options);
int measure(const MeasureOptions& options);
int info(bool json);
/// `family`: one of them, or "" for all.
int list(const std::string& family, bool json);
int schema();

}  // namespace wavesim
