#pragma once
// The stream of the CUDA backend with what is not a loop: memory and copies, guards, work that is recorded and
// enqueued again, operation counts. Compiled by nvcc only.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <vector>

#include "kernels/backend/cuda_check.hpp"
#include "kernels/backend/cuda_graph.hpp"
#include "kernels/backend/cuda_launch.hpp"
#include "kernels/backend/operation_counts.hpp"
#include "kernels/grid/extent.hpp"
#include "kernels/memory/device_memory.hpp"
#include "kernels/memory/staging.hpp"

namespace wavesim {

class CudaStream {
 public:
  CudaStream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    staging_.emplace(stream_);
  }
  CudaStream(const CudaStream&) = delete;
  ~CudaStream() {
    staging_.reset();
    cudaStreamDestroy(stream_);
  }

  template <class T>
  T* allocate(std::size_t n) {
    at_once();
    const std::size_t bytes = n ? n * sizeof(T) : 1;
    void* const p = allocate_on_device(bytes, stream_);
    check(cudaMemsetAsync(p, 0, bytes, stream_));
    counts_.allocated += double(n * sizeof(T));
    return static_cast<T*>(p);
  }
  /// Of a field with its ghost rows. Of a field that ranks share out, rows of others take addresses and no memory: a kernel that
  /// touches them fails.
  template <class T>
  T* allocate_rows(const Extent& e) {
    const std::size_t n = elements_of_field(e);
    if (e.whole()) return allocate<T>(n);
    at_once();
    const std::vector<ByteRange> parts = rows_in_memory(e, sizeof(T));
    T* const p = static_cast<T*>(sparse_rows_.allocate(n * sizeof(T), parts));
    counts_.allocated += double(e.own_points()) * sizeof(T);
    for (const ByteRange& part : parts)
      check(cudaMemsetAsync(reinterpret_cast<char*>(p) + part.first, 0, part.end - part.first, stream_));
    return p;
  }
  void release(void* p) {
    if (recorder_) return release_later_.push_back(p);
    cudaStreamSynchronize(stream_);  // other streams may be given the memory next
    if (!sparse_rows_.release(p)) release_on_device(p, stream_);
  }

  /// Copies are complete on return.
  template <class T>
  void upload(T* to, const T* from, std::size_t n) {
    at_once();
    staging_->upload(to, from, n * sizeof(T));
  }
  template <class T>
  void download(T* to, const T* from, std::size_t n) {
    at_once();
    staging_->download(to, from, n * sizeof(T));
  }
  /// Several with one wait.
  void download_all(std::initializer_list<CopyToHost> copies) {
    at_once();
    staging_->download_all(copies);
  }
  template <class T>
  void zero(T* to, std::size_t n) {
    counts_.add("0", double(n) * sizeof(T), false);
    if (!guard_.flag) return check(cudaMemsetAsync(to, 0, n * sizeof(T), stream_));
    constexpr unsigned threads = 256;
    if (n > 0)
      cuda::zero_kernel<<<unsigned((n + threads - 1) / threads), threads, 0, stream_>>>(to, n, guard_);
    check(cudaGetLastError());
  }
  void synchronize() {
    at_once();
    check(cudaStreamSynchronize(stream_));
  }
  cudaStream_t stream() const { return stream_; }

  /// Kernels enqueued under a guard do nothing unless *flag == value when they start.
  /// Guards nest: the innermost holds.
  void guard(const int* flag, int value) {
    outer_.push_back(guard_);
    guard_ = {flag, value};
  }
  void unguard() {
    guard_ = outer_.back();
    outer_.pop_back();
  }

  /// Recorded work, which is launched again as a whole: one launch, with loops that need no host.
  using Recording = cuda::Recording;
  /// Records what f enqueues; none of it runs now. Empty if the work cannot be replayed.
  template <class F>
  Recording record(F f) {
    at_once();
    if (!cuda::may_record()) return {};
    const cuda::Guard guard = guard_;
    const std::size_t nested = outer_.size();
    Recording made;
    try {
      cuda::Recorder recorder(stream_);
      recorder_ = &recorder;
      f();
      made = recorder.finish();
    } catch (const cuda::NotRepeatable&) {
      end_recording(guard, nested);
    } catch (const DeviceError&) {
      // of a library that allocates, say; a lasting error of the device comes again
      cudaGetLastError();
      end_recording(guard, nested);
    } catch (...) {
      end_recording(guard, nested);
      throw;
    }
    end_recording(guard, nested);
    return made;
  }
  void enqueue(const Recording& work) {
    at_once();
    work.enqueue(stream_);
  }
  /// Within a recording: a loop over what f enqueues while *flag == value. f is also under a guard for that
  /// condition, because the first turn does not test it.
  template <class F>
  void repeat_while(const int* flag, int value, F f) {
    recorder_->repeat_while(flag, value, f);
  }

  /// The innermost guard.
  const cuda::Guard& guarding() const { return guard_; }

  OperationCounts& counts() { return counts_; }
  const OperationCounts& counts() const { return counts_; }

 protected:
  /// What follows cannot be part of a recording.
  void at_once() const {
    if (recorder_) throw cuda::NotRepeatable{};
  }
  cudaStream_t stream_ = nullptr;
  cuda::Guard guard_;
  OperationCounts counts_;

 private:
  void end_recording(cuda::Guard guard, std::size_t nested) {
    recorder_ = nullptr;
    guard_ = guard;
    outer_.resize(nested);
    for (void* p : release_later_) release(p);
    release_later_.clear();
  }

  std::optional<Staging> staging_;
  SparseDeviceMemory sparse_rows_;
  std::vector<cuda::Guard> outer_;
  cuda::Recorder* recorder_ = nullptr;  // while something is recorded
  std::vector<void*> release_later_;
};

}  // namespace wavesim
