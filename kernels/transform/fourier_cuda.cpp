#ifdef WAVESIM_HAVE_CUDA

#include <cuda_runtime_api.h>
#include <cufft.h>

#include <atomic>
#include <string>

#include "kernels/backend/cuda_check.hpp"
#include "kernels/backend/errors.hpp"
#include "kernels/transform/fourier.hpp"

namespace wavesim {

namespace {

std::atomic<bool> library_loaded{false};

void check(cufftResult e) {
  if (e == CUFFT_SUCCESS) return;
  throw DeviceError("cuFFT failed with its error " + std::to_string(int(e)) +
                    (e == CUFFT_ALLOC_FAILED ? ", no memory; use fewer cells or precision: single"
                                             : "; try again, or run with --device cpu"));
}

cufftResult enqueue(cufftHandle plan, double* values) {
  auto* z = reinterpret_cast<cufftDoubleComplex*>(values);
  return cufftExecZ2Z(plan, z, z, CUFFT_FORWARD);
}
cufftResult enqueue(cufftHandle plan, float* values) {
  auto* z = reinterpret_cast<cufftComplex*>(values);
  return cufftExecC2C(plan, z, z, CUFFT_FORWARD);
}

}  // namespace

/// One for each batch. The first is enqueued in the stream itself.
template <class T>
struct CudaDft<T>::Plans {
  struct One {
    cufftHandle plan = 0;
    cudaStream_t stream = nullptr;  // its own
    cudaEvent_t done = nullptr;
  };
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr;
  std::vector<One> all;

  Plans() = default;
  Plans(const Plans&) = delete;
  ~Plans() {
    for (One& one : all) {
      if (one.plan) cufftDestroy(one.plan);
      if (one.done) cudaEventDestroy(one.done);
      if (one.stream) cudaStreamDestroy(one.stream);
    }
    if (begin) cudaEventDestroy(begin);
  }
};

template <class T>
CudaDft<T>::CudaDft(const std::vector<DftBatch<T>>& batches, void* stream)
    : batches_(batches), plans_(std::make_shared<Plans>()) {
  library_loaded = true;
  plans_->stream = static_cast<cudaStream_t>(stream);
  check(cudaEventCreateWithFlags(&plans_->begin, cudaEventDisableTiming));
  for (const DftBatch<T>& batch : batches_) {
    auto& one = plans_->all.emplace_back();
    int n = batch.length, pitch = batch.pitch;
    check(cufftPlanMany(&one.plan, 1, &n, &pitch, 1, pitch, &pitch, 1, pitch,
                        sizeof(T) == 8 ? CUFFT_Z2Z : CUFFT_C2C, batch.rows));
    if (plans_->all.size() > 1) {
      check(cudaStreamCreateWithFlags(&one.stream, cudaStreamNonBlocking));
      check(cudaEventCreateWithFlags(&one.done, cudaEventDisableTiming));
    }
    check(cufftSetStream(one.plan, one.stream ? one.stream : plans_->stream));
  }
}

template <class T>
void CudaDft<T>::execute(int, int) const {
  if (plans_->all.size() > 1) check(cudaEventRecord(plans_->begin, plans_->stream));
  for (std::size_t k = 0; k < batches_.size(); ++k) {
    const auto& one = plans_->all[k];
    if (one.stream) check(cudaStreamWaitEvent(one.stream, plans_->begin));
    check(enqueue(one.plan, batches_[k].values));
    if (one.stream) {
      check(cudaEventRecord(one.done, one.stream));
      check(cudaStreamWaitEvent(plans_->stream, one.done));
    }
  }
}

template <class T>
bool CudaDft<T>::loaded() {
  return library_loaded;
}

template class CudaDft<double>;
template class CudaDft<float>;

}  // namespace wavesim

#endif
