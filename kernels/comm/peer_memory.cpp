#ifdef WAVESIM_HAVE_CUDA

#include "kernels/comm/peer_memory.hpp"

#include <utility>

namespace wavesim {

namespace {

/// An error that is an answer does not stay behind.
bool succeeded(cudaError_t e) {
  if (e != cudaSuccess) cudaGetLastError();
  return e == cudaSuccess;
}

}  // namespace

std::unique_ptr<PeerMemory> PeerMemory::allocate(Ranks& ranks, std::size_t bytes) {
  std::unique_ptr<PeerMemory> memory(new PeerMemory(ranks.rank(), ranks.count()));
  cudaIpcMemHandle_t own{};
  if (ranks.any<1>({!memory->allocate_own(bytes, own)})[0]) return nullptr;
  const bool opened = memory->open(ranks.all_of(own));
  if (!ranks.any<1>({!opened})[0]) return memory;
  memory->close_others();
  ranks.all_of(0);  // memory is released when no other rank has it open
  return nullptr;
}

bool PeerMemory::allocate_own(std::size_t bytes, cudaIpcMemHandle_t& handle) {
  void* p = nullptr;
  if (!succeeded(cudaMalloc(&p, bytes))) return false;
  memory_[std::size_t(rank_)] = static_cast<char*>(p);
  return succeeded(cudaMemset(p, 0, bytes)) && succeeded(cudaDeviceSynchronize()) &&
         succeeded(cudaIpcGetMemHandle(&handle, p));
}

bool PeerMemory::open(const std::vector<cudaIpcMemHandle_t>& handles) {
  for (std::size_t k = 0; k < handles.size(); ++k) {
    if (int(k) == rank_) continue;
    void* p = nullptr;
    if (!succeeded(cudaIpcOpenMemHandle(&p, handles[k], cudaIpcMemLazyEnablePeerAccess))) return false;
    memory_[k] = static_cast<char*>(p);
  }
  return true;
}

void PeerMemory::close_others() {
  for (std::size_t k = 0; k < memory_.size(); ++k)
    if (memory_[k] && int(k) != rank_) cudaIpcCloseMemHandle(std::exchange(memory_[k], nullptr));
}

PeerMemory::~PeerMemory() {
  close_others();
  if (memory_[std::size_t(rank_)]) cudaFree(memory_[std::size_t(rank_)]);
}

}  // namespace wavesim

#endif
