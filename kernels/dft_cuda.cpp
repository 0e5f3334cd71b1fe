#ifdef WAVESIM_HAVE_CUDA

#include <cuda_runtime_api.h>
#include <cufft.h>

#include <string>

#include "kernels/dft.hpp"
#include "kernels/errors.hpp"

namespace wavesim {

namespace {

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

template <class T>
CudaDft<T>::CudaDft(const DftBatch<T>& batch, void* stream) : batch_(batch) {
  plan_ = std::shared_ptr<void>(new cufftHandle(0), [](void* p) {
    auto* plan = static_cast<cufftHandle*>(p);
    if (*plan) cufftDestroy(*plan);
    delete plan;
  });
  auto* plan = static_cast<cufftHandle*>(plan_.get());
  int n = batch_.length, pitch = batch_.pitch;
  check(cufftPlanMany(plan, 1, &n, &pitch, 1, pitch, &pitch, 1, pitch, sizeof(T) == 8 ? CUFFT_Z2Z : CUFFT_C2C,
                      batch_.rows));
  check(cufftSetStream(*plan, static_cast<cudaStream_t>(stream)));
}

template <class T>
void CudaDft<T>::execute(int, int) const {
  check(enqueue(*static_cast<cufftHandle*>(plan_.get()), batch_.values));
}

template class CudaDft<double>;
template class CudaDft<float>;

}  // namespace wavesim

#endif
