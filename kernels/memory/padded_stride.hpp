#pragma once
// Where arrays lie that a kernel reads or writes side by side.

#include <cstddef>

#include "kernels/grid/extent.hpp"

namespace wavesim {

/// From one to the next of several arrays of `count` elements: further than that by whole lines of 128 bytes,
/// for a GPU's sake. If all began at the same place of a page they would share the few places that a CPU's
/// first cache has for it.
inline std::ptrdiff_t padded_stride(int count) { return std::ptrdiff_t(count) + 10 * pitch_alignment; }

}  // namespace wavesim
