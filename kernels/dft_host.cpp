#include <fftw3.h>

#include <mutex>
#include <stdexcept>
#include <string>

#include "kernels/dft.hpp"

namespace wavesim {

namespace {

std::mutex planner;  // FFTW executes in any number of threads at once, and plans in one

template <class T>
struct Fftw;
template <>
struct Fftw<double> {
  using Complex = fftw_complex;
  static auto plan(int n, double* in, Complex* out) {
    return fftw_plan_dft_r2c_1d(n, in, out, FFTW_ESTIMATE);
  }
  static void execute(void* plan, double* in, Complex* out) {
    fftw_execute_dft_r2c(static_cast<fftw_plan>(plan), in, out);
  }
  static void destroy(void* plan) { fftw_destroy_plan(static_cast<fftw_plan>(plan)); }
};
template <>
struct Fftw<float> {
  using Complex = fftwf_complex;
  static auto plan(int n, float* in, Complex* out) {
    return fftwf_plan_dft_r2c_1d(n, in, out, FFTW_ESTIMATE);
  }
  static void execute(void* plan, float* in, Complex* out) {
    fftwf_execute_dft_r2c(static_cast<fftwf_plan>(plan), in, out);
  }
  static void destroy(void* plan) { fftwf_destroy_plan(static_cast<fftwf_plan>(plan)); }
};

}  // namespace

template <class T>
HostDft<T>::HostDft(const DftBatch<T>& batch, void*) : batch_(batch) {
  using Complex = typename Fftw<T>::Complex;
  const std::lock_guard lock(planner);
  void* plan = Fftw<T>::plan(batch.length, batch.values, reinterpret_cast<Complex*>(batch.spectrum));
  if (!plan) throw std::runtime_error("FFTW has no plan for " + std::to_string(batch.length) + " values");
  plan_ = std::shared_ptr<void>(plan, [](void* p) {
    const std::lock_guard destroying(planner);
    Fftw<T>::destroy(p);
  });
}

/// One plan serves all rows: they start at multiples of 64 bytes as the first does.
template <class T>
void HostDft<T>::execute(int rows) const {
  using Complex = typename Fftw<T>::Complex;
  const DftBatch<T> b = batch_;
  void* plan = plan_.get();
#pragma omp parallel for schedule(static) if (long(rows) * b.length > (1 << 14))
  for (int row = 0; row < rows; ++row)
    Fftw<T>::execute(plan, b.values + std::ptrdiff_t(row) * b.pitch,
                     reinterpret_cast<Complex*>(b.spectrum) + std::ptrdiff_t(row) * b.spectrum_pitch);
}

template class HostDft<double>;
template class HostDft<float>;

}  // namespace wavesim
