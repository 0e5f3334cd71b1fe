#pragma once
// Rows of GPUs that kernels write to the memory of the other GPUs of a host themselves. Two H200 of one host exchange ten rows
// of two fields at 8192 columns so in about half of the time of NCCL's send and receive (bench/results/h200/exchange.txt).

#include <cuda_runtime_api.h>

#include <memory>

#include "kernels/comm/ranks.hpp"
#include "kernels/comm/shared_rows.hpp"

namespace wavesim {

/// In the order of the stream; may be recorded, within loops, too. Each rank has a GPU of its own. Null, on all ranks, where
/// they are not processes of one host, or a GPU cannot write to the memory of another; throws DeviceError.
std::unique_ptr<SharedRows> make_peer_rows(Ranks& ranks, cudaStream_t stream);

}  // namespace wavesim
