#pragma once
#include <map>
#include <string>

#include "sim/run/writer.hpp"

namespace wavesim {

/// Version, commit and compilers of this program.
std::map<std::string, std::string> build_facts();

/// The same and the time of the start, for a result.
void add_build_facts(RunInfo& info);

}  // namespace wavesim
