#pragma once
// One function per subcommand. Each returns the exit status or throws one of the errors of
// kernels/backend/errors.hpp.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wavesim {

struct RunOptions {
  std::filesystem::path config;
  std::vector<std::string> set;             // key.path=value
  std::vector<std::filesystem::path> data;  // folders of files that the config names
  std::optional<std::string> device;        // auto | cuda | cpu
  std::optional<std::string> output;        // folder of results
  bool overwrite = false, quiet = false;
  bool resume = false;                 // continue from the latest checkpoint, if any
  std::optional<std::string> restart;  // continue from a checkpoint: a file, or "latest"
  bool dry_run = false, json = false;  // json: of the dry run
};

struct SolveOptions {
  std::filesystem::path matrix;
  std::optional<std::filesystem::path> rhs, solution;
  std::optional<std::string>
      method;  // default: auto; with a preconditioner cg for a symmetric matrix, else bicgstab
  std::string preconditioner = "none", format = "auto", precision = "double", norm = "relative-2";
  double tolerance = 1e-6;
  int max_iterations = 10000;
  std::vector<std::string> options;  // name=value, or preconditioner.name=value
  std::string device = "auto";       // auto | cuda | cpu
  bool json = false, history = false, accurate = false, match = false, no_direct = false;
};

struct StudyOptions {
  RunOptions run;  // of which the dry run is none here
  bool resume = false;
  std::optional<std::filesystem::path> write;  // a config that the best solver is put into
};

struct ErrorOptions {
  RunOptions run;               // of which output, checkpoints and the dry run are none here
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

int run(const RunOptions& options);
int study(const StudyOptions& options);
int dry_run(const RunOptions& options);
int measured_error(const ErrorOptions& options);
int solve(const SolveOptions& options);
int render(const RenderOptions& options);
int html_report(const ReportOptions& options);
int measure(const MeasureOptions& options);
int info(bool json);
/// `family`: one of them, or "" for all.
int list(const std::string& family, bool json);
int schema();

}  // namespace wavesim
