#pragma once
// From the config's output section to the writers of a run.

#include <cstdint>

#include "output/run/async_writer.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

/// Every writer that `output` asks for, behind one writer thread. Throws InputError for what this build
/// cannot write. The caller calls begin(info) once, hands it to Simulation::run, and asks files() afterwards.
std::unique_ptr<AsyncWriter> make_writers(const OutputConfig& output, const RunInfo& info);

/// Bytes on disk at most: planes uncompressed, `planned_pictures` PNG files, history and receivers.
std::uintmax_t output_bytes(const OutputConfig& output, const RunInfo& info, long planned_pictures);

}  // namespace wavesim
