#ifdef WAVESIM_HAVE_CUDA

#include "kernels/memory/staging.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/backend/cuda_check.hpp"

namespace wavesim {

namespace {

/// One thread copies a few GB/s; several reach the memory bandwidth of the host. Threads that sleep take up to milliseconds to
/// begin, so that one alone copies what it copies in less.
void copy(char* to, const char* from, std::size_t bytes) {
  constexpr std::size_t share = std::size_t(1) << 18, alone = std::size_t(1) << 21;
  if (bytes <= alone) {
    std::memcpy(to, from, bytes);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::size_t at = 0; at < bytes; at += share)
    std::memcpy(to + at, from + at, std::min(share, bytes - at));
}

}  // namespace

Staging::Staging(cudaStream_t stream) : stream_(stream) {
  for (char*& p : pinned_) check(cudaMallocHost(reinterpret_cast<void**>(&p), piece));
  for (cudaEvent_t& e : arrived_) check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
}

Staging::~Staging() {
  for (char* p : pinned_) cudaFreeHost(p);
  for (cudaEvent_t e : arrived_) cudaEventDestroy(e);
}

void Staging::upload(void* to, const void* from, std::size_t bytes) {
  int turn = 0;
  for (std::size_t at = 0; at < bytes; at += piece, turn ^= 1) {
    const std::size_t n = std::min(piece, bytes - at);
    check(cudaEventSynchronize(arrived_[turn]));  // at once if it was never recorded
    copy(pinned_[turn], static_cast<const char*>(from) + at, n);
    check(cudaMemcpyAsync(static_cast<char*>(to) + at, pinned_[turn], n, cudaMemcpyHostToDevice, stream_));
    check(cudaEventRecord(arrived_[turn], stream_));
  }
  check(cudaStreamSynchronize(stream_));
}

void Staging::start_download(std::size_t at, const void* from, std::size_t bytes) {
  if (bytes <= small)
    copy_by_kernel(pinned_[0] + at, from, bytes, stream_);
  else
    check(cudaMemcpyAsync(pinned_[0] + at, from, bytes, cudaMemcpyDeviceToHost, stream_));
}

void Staging::download_all(std::initializer_list<CopyToHost> copies) {
  const auto place = [](std::size_t bytes) { return (bytes + line - 1) / line * line; };
  std::size_t all = 0;
  for (const CopyToHost& c : copies) all += place(c.bytes);
  if (all > piece) {
    for (const CopyToHost& c : copies) download(c.to, c.from, c.bytes);
    return;
  }
  std::size_t at = 0;
  for (const CopyToHost& c : copies) {
    if (c.bytes > 0) start_download(at, c.from, c.bytes);
    at += place(c.bytes);
  }
  check(cudaStreamSynchronize(stream_));
  at = 0;
  for (const CopyToHost& c : copies) {
    if (c.bytes > 0) copy(static_cast<char*>(c.to), pinned_[0] + at, c.bytes);
    at += place(c.bytes);
  }
}

void Staging::download(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  if (bytes <= piece) {
    start_download(0, from, bytes);
    check(cudaStreamSynchronize(stream_));
    copy(static_cast<char*>(to), pinned_[0], bytes);
    return;
  }
  const auto ask = [&](std::size_t at, int turn) {
    if (at >= bytes) return;
    check(cudaMemcpyAsync(pinned_[turn], static_cast<const char*>(from) + at, std::min(piece, bytes - at),
                          cudaMemcpyDeviceToHost, stream_));
    check(cudaEventRecord(arrived_[turn], stream_));
  };
  int turn = 0;
  ask(0, turn);
  for (std::size_t at = 0; at < bytes; at += piece, turn ^= 1) {
    ask(at + piece, turn ^ 1);
    check(cudaEventSynchronize(arrived_[turn]));
    copy(static_cast<char*>(to) + at, pinned_[turn], std::min(piece, bytes - at));
  }
}

}  // namespace wavesim

#endif
