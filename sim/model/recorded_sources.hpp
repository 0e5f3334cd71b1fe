#pragma once
#include "sim/config/config.hpp"

namespace wavesim {

/// A point source at the place of each receiver of another run, with what it recorded. Throws InputError where the file
/// has no receivers.
std::vector<SourceConfig> recorded_sources(const RecordedConfig& recorded);

}  // namespace wavesim
