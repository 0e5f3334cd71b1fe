#pragma once
// One function per subcommand. Each returns the exit status or throws one of the errors of
// kernels/errors.hpp.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wavesim {

struct RunOptions {
  std::filesystem::path config;
  std::vector<std::string> set;       // key.path=value
  std::optional<std::string> device;  // auto | cuda | cpu
  std::optional<std::string> output;  // folder of results
  bool overwrite = false, quiet = false;
  bool dry_run = false, json = false;  // json: of the dry run
};

int run(const RunOptions& options);
int dry_run(const RunOptions& options);
int info(bool json);
/// `family`: one of them, or "" for all.
int list(const std::string& family, bool json);
int schema();

}  // namespace wavesim
