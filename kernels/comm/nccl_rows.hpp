#pragma once
// Rows of GPUs that go from GPU to GPU through NCCL.

#include <cuda_runtime_api.h>

#include <memory>

#include "kernels/comm/ranks.hpp"
#include "kernels/comm/shared_rows.hpp"

namespace wavesim {

/// In the order of the stream; may be recorded, within loops, too. Each rank has a GPU of its own. Null where the program is
/// built without NCCL; throws DeviceError.
std::unique_ptr<SharedRows> make_nccl_rows(Ranks& ranks, cudaStream_t stream);

}  // namespace wavesim
