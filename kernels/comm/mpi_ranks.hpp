#pragma once
// Ranks that are processes which mpirun or srun has started.

#include <memory>

#include "kernels/comm/process_ranks.hpp"

namespace wavesim {

/// Those that this process is one of; null where nothing has started several. Throws InputError where something has, and the
/// program is built without MPI. Once in a process.
std::unique_ptr<ProcessRanks> mpi_ranks_of_this_process();

/// Whether the program is built with MPI.
bool mpi_is_built();

}  // namespace wavesim
