#pragma once
// Copies between ordinary memory of the host and a GPU's, through two pieces of pinned memory: while one is
// on its way, the threads of the host copy the other. A copy is complete on return.

#include <cuda_runtime_api.h>

#include <cstddef>

namespace wavesim {

/// What a kernel takes from a GPU to pinned memory of the host, in the order of the stream. A copy would wait
/// behind frames that are on their way in other streams: there is one engine for them all.
void copy_by_kernel(void* pinned, const void* from, std::size_t bytes, cudaStream_t stream);

/// In the order of the stream. Throws DeviceError.
class Staging {
 public:
  explicit Staging(cudaStream_t stream);
  Staging(const Staging&) = delete;
  ~Staging();
  void upload(void* to, const void* from, std::size_t bytes);
  void download(void* to, const void* from, std::size_t bytes);

 private:
  static constexpr std::size_t piece = std::size_t(8) << 20, small = 1024;
  cudaStream_t stream_;
  char* pinned_[2] = {};
  cudaEvent_t arrived_[2] = {};
};

}  // namespace wavesim
