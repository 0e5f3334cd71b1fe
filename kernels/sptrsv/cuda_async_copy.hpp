#pragma once
// Asynchronous copies from global to shared memory (cp.async): they are committed in groups and waited for by
// group. Compiled by nvcc only.

#include <type_traits>

namespace wavesim::cuda {

__device__ inline void copy_ahead(void* to, const void* from, std::integral_constant<int, 4>) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
__device__ inline void copy_ahead(void* to, const void* from, std::integral_constant<int, 8>) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
/// Bypasses the L1 cache, which might hold values that another block has overwritten.
__device__ inline void copy_ahead(void* to, const void* from, std::integral_constant<int, 16>) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
template <class V>
__device__ void copy_ahead(V* to, const V* from) {
  copy_ahead(to, from, std::integral_constant<int, int(sizeof(V))>{});
}
__device__ inline void end_of_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int pending>
__device__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

}  // namespace wavesim::cuda
