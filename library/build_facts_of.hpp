#pragma once
#include "sim/run/writer.hpp"

namespace wavesim {

/// Version, commit, compilers and when it started, for a result.
void add_build_facts(RunInfo& info);

}  // namespace wavesim
