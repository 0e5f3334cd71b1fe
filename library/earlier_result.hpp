#pragma once
// What a folder holds of an earlier run.

#include <filesystem>
#include <optional>
#include <string>

namespace wavesim {

struct EarlierResult {
  bool complete = false;
  std::string config;  // the effective one
};

/// Nothing: there is no result, or one that was left in the middle of its beginning. Throws InputError where it cannot be
/// looked at, so that it may be a complete one.
std::optional<EarlierResult> earlier_result(const std::filesystem::path& folder, const std::string& name);

}  // namespace wavesim
