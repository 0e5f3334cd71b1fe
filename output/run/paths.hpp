#pragma once
// Where the files of a run lie.

#include <filesystem>
#include <string>

#include "sim/run/writer.hpp"

namespace wavesim {

/// results/NAME/NAME<ending>
inline std::string result_file(const RunInfo& info, const std::string& ending) {
  return (std::filesystem::path(info.directory) / (info.name + ending)).string();
}

/// The number in NAME_000010<ending>; -1 for a file of another name.
long step_in_name(const std::string& file, const std::string& name, const std::string& ending);
/// Removes those of these files that belong to later steps, and what was left of writing one.
void remove_later_files(const std::string& folder, const std::string& name, const std::string& ending,
                        long step);

/// NAME_000010<ending>, for step 10.
inline std::string step_name(const RunInfo& info, long step, const std::string& ending) {
  std::string digits = std::to_string(step);
  if (digits.size() < 6) digits.insert(0, 6 - digits.size(), '0');
  return info.name + "_" + digits + ending;
}

}  // namespace wavesim
