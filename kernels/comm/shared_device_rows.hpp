#pragma once
// Rows of fields in the memory of GPUs, shared out among ranks.

#include <cuda_runtime_api.h>

#include <memory>

#include "kernels/comm/ranks.hpp"
#include "kernels/comm/shared_rows.hpp"

namespace wavesim {

/// In the order of the stream, on the current GPU. Where each rank has a GPU of its own: by kernels that write to the other GPUs
/// if all are of one host, else through NCCL if the program is built with it. Else through memory of the host. All ranks
/// together; throws DeviceError, and InputError where WAVESIM_EXCHANGE has a value that it may not have.
std::unique_ptr<SharedRows> make_shared_device_rows(Ranks& ranks, cudaStream_t stream);

}  // namespace wavesim
