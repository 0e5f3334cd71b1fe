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

cufftResult enqueue(cufftHandle plan, double* in, double* out) {
  return cufftExecD2Z(plan, in, reinterpret_cast<cufftDoubleComplex*>(out));
}
cufftResult enqueue(cufftHandle plan, float* in, float* out) {
  return cufftExecR2C(plan, in, reinterpret_cast<cufftComplex*>(out));
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
  int n = batch_.length, in = batch_.pitch, out = batch_.spectrum_pitch;
  check(cufftPlanMany(plan, 1, &n, &in, 1, in, &out, 1, out, sizeof(T) == 8 ? CUFFT_D2Z : CUFFT_R2C,
                      batch_.rows));
  check(cufftSetStream(*plan, static_cast<cudaStream_t>(stream)));
}

template <class T>
void CudaDft<T>::execute(int) const {
  check(enqueue(*static_cast<cufftHandle*>(plan_.get()), batch_.values, batch_.spectrum));
}

template class CudaDft<double>;
template class CudaDft<float>;

}  // namespace wavesim

#endif
