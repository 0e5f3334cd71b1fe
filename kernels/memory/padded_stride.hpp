#pragma once
// Strides of arrays that a kernel reads or writes together.

#include <cstddef>

#include "kernels/grid/extent.hpp"

namespace wavesim {

/// Stride between several arrays of `count` elements: padded by whole lines of 128 bytes, which a GPU wants. If
/// all arrays began at the same offset in a page, they would compete for the few ways of one set of a CPU's L1
/// cache.
inline std::ptrdiff_t padded_stride(int count) { return std::ptrdiff_t(count) + 10 * pitch_alignment; }

}  // namespace wavesim
