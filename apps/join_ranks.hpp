#pragma once
#include <memory>

#include "kernels/comm/process_ranks.hpp"

namespace wavesim {

/// The ranks that this process is one of, if mpirun has started several or so many are to be started here (0: none). Only the
/// first of them prints. Throws InputError for both at once.
std::unique_ptr<ProcessRanks> join_ranks(int to_start);

}  // namespace wavesim
