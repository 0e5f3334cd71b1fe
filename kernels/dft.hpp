#pragma once
// The discrete Fourier transform of the rows of a batch, by the library that is best at it on each backend:
// FFTW (Frigo & Johnson 2005) and cuFFT. Any length.

#include <memory>
#include <type_traits>

namespace wavesim {

/// `rows` rows of `length` values, `pitch` elements apart, and their spectra of length / 2 + 1 complex
/// values, each its real and its imaginary part, `spectrum_pitch` complex values apart. Pitches are multiples
/// of 16.
template <class T>
struct DftBatch {
  int length = 1, rows = 1, pitch = 16, spectrum_pitch = 16;
  T *values = nullptr, *spectrum = nullptr;
};

/// spectrum_m = sum over l of values_l exp(-2 pi i l m / length), for m <= length / 2. Planned once, without
/// timing anything, so that every run does the same arithmetic.
template <class T>
class HostDft {
 public:
  HostDft(const DftBatch<T>& batch, void* stream);
  void execute(int rows) const;

 private:
  DftBatch<T> batch_;
  std::shared_ptr<void> plan_;
};

/// The same on the GPU, enqueued in a stream. All rows of the batch are transformed, however many are asked
/// for.
template <class T>
class CudaDft {
 public:
  CudaDft(const DftBatch<T>& batch, void* stream);
  void execute(int rows) const;

 private:
  DftBatch<T> batch_;
  std::shared_ptr<void> plan_;
};

template <class B, class T>
using Dft = std::conditional_t<B::asynchronous, CudaDft<T>, HostDft<T>>;

/// What a plan on this backend runs in.
template <class B>
void* stream_of(B& backend) {
  if constexpr (B::asynchronous)
    return backend.stream();
  else
    return nullptr;
}

}  // namespace wavesim
