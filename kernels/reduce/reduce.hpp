#pragma once
// What a kernel may reduce to: a few doubles with a way to join two of them. Sums are in double whatever the
// fields are. A type that sums has a second `join`, which keeps what rounding takes: with it a backend can
// compensate (compensated.hpp).

#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/numbers/finite.hpp"
#include "kernels/reduce/compensated.hpp"

namespace wavesim {

/// No reduction.
struct Nothing {};

template <int N>
struct Sum {
  double v[N] = {};
  HD void join(const Sum& o) { UNROLL for (int k = 0; k < N; ++k) v[k] += o.v[k]; }
  HD void join(const Sum& o, Sum& lost) {
    UNROLL for (int k = 0; k < N; ++k) v[k] = two_sum(v[k], o.v[k], lost.v[k]);
  }
};

/// The two norms of a residual: sum of squares and largest magnitude. A NaN is never lost.
struct Norms {
  double squares = 0, largest = 0;
  HD void join(const Norms& o) {
    squares += o.squares;
    // Magnitudes in the order of their bits, where NaN comes after all numbers: a comparison of
    // floating-point numbers that keeps it is two branches on a CPU, which nobody can predict.
    largest = bits(o.largest) > bits(largest) ? o.largest : largest;
  }
  HD void join(const Norms& o, Norms& lost) {
    const double sum = two_sum(squares, o.squares, lost.squares);
    join(o);
    squares = sum;
  }
  HD static Norms of(double r) { return {r * r, std::fabs(r)}; }

 private:
  HD static std::uint64_t bits(double v) { return std::bit_cast<std::uint64_t>(v); }
};

/// The least and the largest of something. A NaN makes both NaN.
struct Bounds {
  double least = 1e300, largest = -1e300;
  HD void join(const Bounds& o) {
    least = ((o.least < least) | is_nan(o.least)) ? o.least : least;
    largest = ((o.largest > largest) | is_nan(o.largest)) ? o.largest : largest;
  }
};

/// The norms of a field; with a second operand it is copied there.
struct NormsOf {
  template <class T>
  HD Norms operator()(const T& b) const {
    return Norms::of(b);
  }
  template <class T>
  HD Norms operator()(const T& b, T& r) const {
    return r = b, Norms::of(b);
  }
};

/// No action after a reduction.
struct NoEpilogue {
  template <class R>
  HD void operator()(const R&) const {}
};

}  // namespace wavesim
