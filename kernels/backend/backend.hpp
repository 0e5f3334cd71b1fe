#pragma once
// The backend that this translation unit is compiled for: nvcc builds the CUDA instantiation of a source, g++
// the host's.

#include "kernels/memory/field.hpp"
#ifdef __CUDACC__
#include "kernels/backend/cuda.hpp"
#else
#include "kernels/backend/host.hpp"
#endif

namespace wavesim {
#ifdef __CUDACC__
using Backend = Cuda;
#else
using Backend = Host;
#endif
}  // namespace wavesim
