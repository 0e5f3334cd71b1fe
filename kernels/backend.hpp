#pragma once
// The backend that this translation unit is compiled for: nvcc builds the CUDA instantiation of a source, g++
// the host's.

#include "kernels/field.hpp"
#ifdef __CUDACC__
#include "kernels/cuda.hpp"
#else
#include "kernels/host.hpp"
#endif

namespace wavesim {
#ifdef __CUDACC__
using Backend = Cuda;
#else
using Backend = Host;
#endif
}  // namespace wavesim
