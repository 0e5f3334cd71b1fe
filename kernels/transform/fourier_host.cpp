#include <fftw3.h>

#include <mutex>
#include <stdexcept>
#include <string>

#include "kernels/transform/fourier.hpp"

namespace wavesim {

namespace {

std::mutex planner;  // FFTW executes in any number of threads, but plans in one at a time

template <class T>
struct Fftw;
template <>
struct Fftw<double> {
  using Complex = fftw_complex;
  static auto plan(int n, Complex* z) { return fftw_plan_dft_1d(n, z, z, FFTW_FORWARD, FFTW_ESTIMATE); }
  static void execute(void* plan, Complex* z) { fftw_execute_dft(static_cast<fftw_plan>(plan), z, z); }
  static void destroy(void* plan) { fftw_destroy_plan(static_cast<fftw_plan>(plan)); }
};
template <>
struct Fftw<float> {
  using Complex = fftwf_complex;
  static auto plan(int n, Complex* z) { return fftwf_plan_dft_1d(n, z, z, FFTW_FORWARD, FFTW_ESTIMATE); }
  static void execute(void* plan, Complex* z) { fftwf_execute_dft(static_cast<fftwf_plan>(plan), z, z); }
  static void destroy(void* plan) { fftwf_destroy_plan(static_cast<fftwf_plan>(plan)); }
};

}  // namespace

template <class T>
HostDft<T>::HostDft(const std::vector<DftBatch<T>>& batches, void*) : batches_(batches) {
  using Complex = typename Fftw<T>::Complex;
  const std::lock_guard lock(planner);
  for (const DftBatch<T>& b : batches_) {
    void* plan = Fftw<T>::plan(b.length, reinterpret_cast<Complex*>(b.values));
    if (!plan) throw std::runtime_error("FFTW has no plan for " + std::to_string(b.length) + " values");
    plans_.push_back(std::shared_ptr<void>(plan, [](void* p) {
      const std::lock_guard destroying(planner);
      Fftw<T>::destroy(p);
    }));
  }
}

/// One plan serves all rows: they start at multiples of 64 bytes as the first does.
template <class T>
void HostDft<T>::execute(int first, int rows) const {
  using Complex = typename Fftw<T>::Complex;
  for (std::size_t k = 0; k < batches_.size(); ++k) {
    const DftBatch<T> b = batches_[k];
    void* plan = plans_[k].get();
#pragma omp parallel for schedule(static) if (long(rows) * b.length > (1 << 13))
    for (int row = first; row < first + rows; ++row)
      Fftw<T>::execute(plan, reinterpret_cast<Complex*>(b.values) + std::ptrdiff_t(row) * b.pitch);
  }
}

template class HostDft<double>;
template class HostDft<float>;

}  // namespace wavesim
