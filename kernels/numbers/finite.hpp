#pragma once
// Infinities and NaN, asked in a way that every loop and kernel may use.

#include "kernels/backend/hd.hpp"

namespace wavesim {

template <class T>
HD bool is_nan(T v) {
  return v != v;  // NOLINT(misc-redundant-expression): only a NaN differs from itself
}

template <class T>
HD bool is_finite(T v) {
  return v - v == 0;  // NOLINT(misc-redundant-expression): of an infinity the difference is NaN
}

}  // namespace wavesim
