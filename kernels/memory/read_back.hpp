#pragma once
// Asynchronous read-back from a backend's memory to the host: kernels write a staging buffer, a copy beside the
// backend's further work takes it to host memory, and the reader waits for the values in any thread.
//
// Host memory goes back to the pool with the last owner of a PendingCopy, so a reader that holds n of them
// needs n + 1 pieces at most; pinned memory is slow to allocate.

#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "kernels/backend/backend.hpp"
#include "kernels/memory/pending_copy.hpp"

namespace wavesim {

/// Pieces of host memory that are reused. `Piece(bytes)` makes one; it is a PendingCopy and has `bytes`.
template <class Piece>
class Pool {
 public:
  std::shared_ptr<Piece> take(std::size_t bytes) {
    std::unique_ptr<Piece> piece = free_->take(bytes);
    if (!piece) piece = std::make_unique<Piece>(bytes);
    // The list lives on after the pool as long as a piece is in use.
    return {piece.release(), [free = free_](Piece* p) { free->put(std::unique_ptr<Piece>(p)); }};
  }

 private:
  struct FreeList {
    std::unique_ptr<Piece> take(std::size_t bytes) {
      const std::lock_guard lock(mutex);
      for (auto& p : pieces)
        if (p->bytes == bytes) {
          std::unique_ptr<Piece> found = std::move(p);
          p = std::move(pieces.back());
          pieces.pop_back();
          return found;
        }
      return {};
    }
    void put(std::unique_ptr<Piece> p) {
      const std::lock_guard lock(mutex);
      pieces.push_back(std::move(p));
    }
    std::mutex mutex;  // pieces come back from the threads that read them
    std::vector<std::unique_ptr<Piece>> pieces;
  };
  std::shared_ptr<FreeList> free_ = std::make_shared<FreeList>();
};

/// stage<T>(n) is a staging buffer of n elements for kernels that are enqueued from now on; send() copies to
/// the host what they write there. One buffer at a time.
template <class B>
class ReadBack;

#ifdef __CUDACC__
template <>
class ReadBack<Cuda> {
 public:
  explicit ReadBack(Cuda& backend) : be_(backend) {
    check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking));
    for (Stage& s : stages_) {
      check(cudaEventCreateWithFlags(&s.filled, cudaEventDisableTiming));
      check(cudaEventCreateWithFlags(&s.copied, cudaEventDisableTiming));
    }
  }
  ReadBack(const ReadBack&) = delete;
  ~ReadBack() {
    cudaStreamSynchronize(copies_);
    for (Stage& s : stages_) {
      if (s.memory) be_.release(s.memory);
      cudaEventDestroy(s.filled);
      cudaEventDestroy(s.copied);
    }
    cudaStreamDestroy(copies_);
  }

  /// Two buffers take turns: kernels that fill one need not wait for the copy of the other.
  static constexpr int stages = 2;

  template <class T>
  T* stage(std::size_t n) {
    now_ = (now_ + 1) % stages;
    Stage& s = stages_[now_];
    bytes_ = n * sizeof(T);
    if (bytes_ > s.bytes) {
      check(cudaStreamSynchronize(copies_));
      if (s.memory) be_.release(std::exchange(s.memory, nullptr));
      s.memory = be_.allocate<char>(bytes_);
      s.bytes = bytes_;
    }
    check(cudaStreamWaitEvent(be_.stream(), s.copied));
    return reinterpret_cast<T*>(s.memory);
  }
  std::shared_ptr<const PendingCopy> send() {
    const Stage& s = stages_[now_];
    std::shared_ptr<Pinned> to = pool_.take(bytes_);
    check(cudaEventRecord(s.filled, be_.stream()));
    check(cudaStreamWaitEvent(copies_, s.filled));
    check(cudaMemcpyAsync(to->memory, s.memory, bytes_, cudaMemcpyDeviceToHost, copies_));
    check(cudaEventRecord(to->arrived, copies_));
    check(cudaEventRecord(s.copied, copies_));
    return to;
  }

 private:
  struct Stage {
    char* memory = nullptr;
    std::size_t bytes = 0;
    cudaEvent_t filled = nullptr, copied = nullptr;
  };
  struct Pinned final : PendingCopy {
    explicit Pinned(std::size_t n) : bytes(n) {
      check(cudaGetDevice(&device));
      check(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming | cudaEventBlockingSync));
      check(cudaMallocHost(&memory, n ? n : 1));
    }
    Pinned(const Pinned&) = delete;
    ~Pinned() override {
      cudaSetDevice(device);
      cudaEventSynchronize(arrived);
      cudaFreeHost(memory);
      cudaEventDestroy(arrived);
    }
    const void* wait() const override {
      check(cudaSetDevice(device));  // of this thread, which may be a writer's
      check(cudaEventSynchronize(arrived));
      return memory;
    }
    const std::size_t bytes;
    void* memory = nullptr;
    int device = 0;
    cudaEvent_t arrived = nullptr;
  };

  Cuda& be_;
  cudaStream_t copies_ = nullptr;
  Stage stages_[stages];
  int now_ = 0;
  std::size_t bytes_ = 0;
  Pool<Pinned> pool_;
};
#else
/// Kernels write the host memory itself.
template <>
class ReadBack<Host> {
 public:
  explicit ReadBack(Host&) {}
  static constexpr int stages = 1;

  template <class T>
  T* stage(std::size_t n) {
    next_ = pool_.take(n * sizeof(T));
    return static_cast<T*>(next_->memory);
  }
  std::shared_ptr<const PendingCopy> send() { return std::move(next_); }

 private:
  struct Memory final : PendingCopy {
    explicit Memory(std::size_t n) : bytes(n), memory(std::malloc(n ? n : 1)) {
      if (!memory) throw std::bad_alloc();
    }
    Memory(const Memory&) = delete;
    ~Memory() override { std::free(memory); }
    const void* wait() const override { return memory; }
    const std::size_t bytes;
    void* const memory;  // not touched yet: its pages go to the threads of the kernel that fills it
  };

  Pool<Memory> pool_;
  std::shared_ptr<Memory> next_;
};
#endif

}  // namespace wavesim
