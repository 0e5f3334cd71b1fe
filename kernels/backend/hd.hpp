#pragma once
// Macros for what host and device compilers spell differently.

/// A function compiled for host and device.
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif

/// A lambda that a backend runs at each point. Not HD: nvcc keeps what such lambdas capture behind pointers, and the
/// functions that copy it in variables of each object file. Templates that several files instantiate then may call one
/// that was never set.
#ifdef __CUDACC__
#define KERNEL __device__
#else
#define KERNEL
#endif

/// Before a loop of a few turns, known at compile time: without it g++ does not vectorise the loop around it.
/// (The host half of nvcc's work knows neither spelling.)
#if defined(__CUDA_ARCH__)
#define UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/// Before a loop whose turns do not depend on one another. (nvcc compiles the host's kernels too, unused.)
/// Not "omp simd": g++ keeps the values of such a loop in memory and may load them by gathers.
#ifdef __CUDACC__
#define SIMD
#elif defined(__clang__)
#define SIMD _Pragma("clang loop vectorize(assume_safety)")
#else
#define SIMD _Pragma("GCC ivdep")
#endif

/// Before a loop whose counter chooses among registers (host_group.hpp): unrolled where it has to be, on a
/// GPU.
#ifdef __CUDA_ARCH__
#define UNROLL_REGISTERS _Pragma("unroll")
#else
#define UNROLL_REGISTERS
#endif

/// Before a loop that is not to be unrolled on a GPU, whose code would be long.
#ifdef __CUDA_ARCH__
#define ROLLED _Pragma("unroll 1")
#else
#define ROLLED
#endif
