#pragma once
#include <memory>

#include "kernels/comm/mpi_ranks.hpp"

namespace wavesim {

/// The ranks that this process is one of, if mpirun has started several. Only the first of them prints.
std::unique_ptr<MpiRanks> join_ranks();

}  // namespace wavesim
