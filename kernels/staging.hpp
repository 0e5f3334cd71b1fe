#pragma once
// Copies between ordinary memory of the host and a GPU's, through two pieces of pinned memory: while one is
// on its way, the threads of the host copy the other. A copy is complete on return.

#include <cuda_runtime_api.h>

#include <cstddef>

namespace wavesim {

/// In the order of the stream. Throws DeviceError.
class Staging {
 public:
  explicit Staging(cudaStream_t stream);
  Staging(const Staging&) = delete;
  ~Staging();
  void upload(void* to, const void* from, std::size_t bytes);
  void download(void* to, const void* from, std::size_t bytes);

 private:
  static constexpr std::size_t piece = std::size_t(8) << 20;
  cudaStream_t stream_;
  char* pinned_[2] = {};
  cudaEvent_t arrived_[2] = {};
};

}  // namespace wavesim
