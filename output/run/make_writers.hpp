#pragma once
// From the config's output section to the writers of a run.

#include <cstdint>

#include "output/run/async_writer.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

/// Every writer that `output` asks for, behind one writer thread. Throws InputError for what this build
/// cannot write. The caller calls begin(info) once, hands it to Simulation::run, and asks files() afterwards.
/// `last`: one that comes after all others; may be null.
std::unique_ptr<AsyncWriter> make_writers(const OutputConfig& output, const RunInfo& info,
                                          std::unique_ptr<Writer> last = nullptr);

/// Bytes on disk: planes, `planned_pictures` PNG files, history and receivers.
struct DiskBytes {
  std::uintmax_t expected = 0;  // as most frames and pictures are compressed
  std::uintmax_t most = 0;      // if nothing can be
};
DiskBytes output_bytes(const OutputConfig& output, const RunInfo& info, long planned_pictures);

}  // namespace wavesim
