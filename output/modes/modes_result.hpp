#pragma once
// The modes of a config as a result like that of a run: NAME.vtkhdf with a frame for each mode, whose time is the mode's
// number, NAME.csv, and a picture of each.

#include <string>
#include <vector>

#include "output/run/result_directory.hpp"
#include "sim/modes/membrane_modes.hpp"

namespace wavesim {

/// What planes and pictures are like, of a run's info: `info` with name, folder, config and facts. Returns the files.
/// Throws OutputError.
std::vector<std::string> write_modes(const MembraneModes& modes, RunInfo info, const OutputConfig& output,
                                     ResultDirectory& folder);

}  // namespace wavesim
