#pragma once
// CUDA errors become DeviceError, with the place where they occurred. Included by CUDA code only.

#include <cuda_runtime.h>

#include <source_location>
#include <string>

#include "kernels/backend/errors.hpp"

namespace wavesim {

inline void check(cudaError_t e, std::source_location at = std::source_location::current()) {
  if (e == cudaSuccess) return;
  std::string file = at.file_name();
  throw DeviceError("the CUDA device failed: " + std::string(cudaGetErrorString(e)) + " (" +
                    file.substr(file.rfind('/') + 1) + ":" + std::to_string(at.line()) +
                    "); try again, or run with --device cpu");
}

}  // namespace wavesim
