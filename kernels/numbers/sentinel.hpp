#pragma once
// A value that says "nothing is written here yet": a signalling NaN, which arithmetic never makes. A thread
// that waits for a number in memory polls until it reads anything else: the number is its own flag.

namespace wavesim::cuda {

/// `quiet`: what is written in place of data that equal the sentinel.
template <class T>
struct Sentinel;
template <>
struct Sentinel<double> {
  using Bits = unsigned long long;
  static constexpr Bits bits = 0x7ff4dead7fa4beadull, quiet = 0x7ff8000000000000ull;
};
template <>
struct Sentinel<float> {
  using Bits = unsigned;
  static constexpr Bits bits = 0x7fa4beadu, quiet = 0x7fc00000u;
};

}  // namespace wavesim::cuda
