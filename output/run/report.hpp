#pragma once
// What a user reads when a run has ended.

#include <string>
#include <vector>

#include "sim/run/writer.hpp"

namespace wavesim {

/// Several lines for stdout: steps, where the time went, iterations, energy drift, files and how to open
/// them. `blocked_seconds` is AsyncWriter's.
std::string report(const RunInfo& info, const RunSummary& summary, const std::vector<std::string>& files,
                   double blocked_seconds);

}  // namespace wavesim
