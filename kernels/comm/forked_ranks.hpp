#pragma once
// Ranks that are processes of one host, and need no MPI.

#include <memory>
#include <vector>

#include "kernels/comm/process_ranks.hpp"

namespace wavesim {

/// Starts `count` processes that go on from here, each as one of the ranks. This process then does nothing but hand them these
/// signals, wait for them, and end with their status: for it the function does not return. Where one of them dies it says so
/// and ends the others. To be called before threads or devices are used. Throws DeviceError where the system starts no
/// processes.
std::unique_ptr<ProcessRanks> fork_ranks(int count, const std::vector<int>& signals);

}  // namespace wavesim
