#pragma once
// The discrete Fourier transform of the rows of a batch, by the library that is best at it on each backend:
// FFTW (Frigo & Johnson 2005) and cuFFT. Any length.

#include <memory>
#include <type_traits>
#include <vector>

namespace wavesim {

/// `rows` rows of `length` complex values, each its real and its imaginary part; rows are `pitch` complex
/// values apart, a multiple of 8, and the first lies at a multiple of 8 complex values.
template <class T>
struct DftBatch {
  int length = 1, rows = 1, pitch = 8;
  T* values = nullptr;
};

/// In place, in each of some batches: value m <- sum over l of value l times exp(-2 pi i l m / length).
/// Planned once, without timing anything, so that every run does the same arithmetic.
template <class T>
class HostDft {
 public:
  HostDft(const std::vector<DftBatch<T>>& batches, void* stream);
  void execute(int first, int rows) const;
  static bool loaded() { return true; }

 private:
  std::vector<DftBatch<T>> batches_;
  std::vector<std::shared_ptr<void>> plans_;
};

/// The same on the GPU, enqueued in a stream: all rows of the batches, whichever are asked for. Batches share
/// no values. Each has a stream of its own, between earlier and later work, because one batch alone does not
/// fill the device.
template <class T>
class CudaDft {
 public:
  CudaDft(const std::vector<DftBatch<T>>& batches, void* stream);
  void execute(int first, int rows) const;
  /// Whether this process has planned one before: the first plan loads the library, which takes a while.
  static bool loaded();

 private:
  struct Plans;
  std::vector<DftBatch<T>> batches_;
  std::shared_ptr<Plans> plans_;
};

template <class B, class T>
using Dft = std::conditional_t<B::asynchronous, CudaDft<T>, HostDft<T>>;

/// The stream that a plan on this backend runs in.
template <class B>
void* stream_of(B& backend) {
  if constexpr (B::asynchronous)
    return backend.stream();
  else
    return nullptr;
}

}  // namespace wavesim
