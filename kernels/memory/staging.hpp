#pragma once
// Copies between ordinary memory of the host and a GPU's, through two pieces of pinned memory: while one is
// transferred, the threads of the host copy the other. A copy is complete on return.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <initializer_list>

#include "kernels/memory/copy_to_host.hpp"

namespace wavesim {

/// Copies from a GPU to pinned memory of the host by a kernel, in the order of the stream. A cudaMemcpy would
/// wait for frames that other streams are copying: all share one copy engine.
void copy_by_kernel(void* pinned, const void* from, std::size_t bytes, cudaStream_t stream);

/// In the order of the stream. Throws DeviceError.
class Staging {
 public:
  explicit Staging(cudaStream_t stream);
  Staging(const Staging&) = delete;
  ~Staging();
  void upload(void* to, const void* from, std::size_t bytes);
  void download(void* to, const void* from, std::size_t bytes);
  /// Waits once, unless they are large.
  void download_all(std::initializer_list<CopyToHost> copies);

 private:
  /// To the first piece, at byte `at`; complete after a wait for the stream.
  void start_download(std::size_t at, const void* from, std::size_t bytes);
  static constexpr std::size_t piece = std::size_t(8) << 20, small = 1024, line = 256;
  cudaStream_t stream_;
  char* pinned_[2] = {};
  cudaEvent_t arrived_[2] = {};
};

}  // namespace wavesim
