#pragma once
// Memory of the GPUs of one host that kernels of all of them write to: over NVLink or PCIe, past the host.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "kernels/comm/ranks.hpp"

namespace wavesim {

class PeerMemory {
 public:
  /// So many bytes, which are zero, on the current GPU of each rank. All ranks together: processes of one host, each with a
  /// GPU of its own. Null on all of them where one cannot have the memory of another.
  static std::unique_ptr<PeerMemory> allocate(Ranks& ranks, std::size_t bytes);
  PeerMemory(const PeerMemory&) = delete;
  /// No work on this GPU uses it any more.
  ~PeerMemory();

  /// That of rank k, at an address of this process.
  char* of(int k) const { return memory_[std::size_t(k)]; }

 private:
  PeerMemory(int rank, int count) : rank_(rank), memory_(std::size_t(count), nullptr) {}
  bool allocate_own(std::size_t bytes, cudaIpcMemHandle_t& handle);
  bool open(const std::vector<cudaIpcMemHandle_t>& handles);
  void close_others();

  const int rank_;
  std::vector<char*> memory_;
};

}  // namespace wavesim
