#pragma once
#include "kernels/backend/device.hpp"

namespace wavesim {

/// Bytes read and written per second by a plain copy of arrays that no cache holds, measured now in well
/// under a second. 0 where it cannot be measured: memory is short, or the device is gone.
double copy_bandwidth(const DeviceFacts& device);

}  // namespace wavesim
