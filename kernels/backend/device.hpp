#pragma once
// Which devices there are, said without any CUDA header.

#include <cstddef>
#include <string>
#include <vector>

namespace wavesim {

struct DeviceFacts {
  std::string name;                  // "NVIDIA H200", or the CPU's name
  std::string kind;                  // "cuda" | "cpu"
  std::size_t memory = 0, free = 0;  // bytes
  int units = 0;                     // multiprocessors, or OpenMP threads
  std::string detail;                // "compute capability 9.0, driver 13.0, runtime 13.0"
};

/// The CPU, always one entry.
DeviceFacts cpu_facts();
/// CUDA devices that answer; empty without one or in a build without CUDA.
std::vector<DeviceFacts> cuda_facts();
/// The number of them, and one of them, which is the one that this thread uses from then on.
int cuda_count();
DeviceFacts use_cuda_device(int k);
/// There will be as many streams of kernels that are to run at the same time as a GPU takes, and not only the 8 that the driver
/// sets up. To be called before the first call that looks at a GPU.
void expect_many_streams();
inline constexpr int most_streams_at_once = 32;
/// Whether the program is built with NCCL, which connects GPUs.
bool nccl_is_built();
/// Why there is no CUDA device, one sentence; empty if there is one.
std::string why_no_cuda();

}  // namespace wavesim
