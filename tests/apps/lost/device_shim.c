/* Preloaded into a program that uses CUDA's runtime library, it lets the calls that wait for the device fail from the
 * k-th on as those of a GPU that is lost, or those that take memory as those of one that is full:
 * WAVESIM_LOST_AFTER=k, WAVESIM_FULL_AFTER=k. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

typedef int status; /* cudaError_t */
enum { no_memory = 2, device_lost = 700 /* an illegal address, after which every call fails */ };

static int fails_after(const char* variable, long* calls) {
  const char* const text = getenv(variable);
  return text && __atomic_add_fetch(calls, 1, __ATOMIC_RELAXED) > atol(text);
}
static long waits = 0, allocations = 0;
static int is_lost(void) { return fails_after("WAVESIM_LOST_AFTER", &waits); }
static int is_full(void) { return fails_after("WAVESIM_FULL_AFTER", &allocations); }

#define REAL(name, parameters)            \
  static status(*real) parameters = NULL; \
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, #name)

status cudaStreamSynchronize(void* stream) {
  REAL(cudaStreamSynchronize, (void*));
  return is_lost() ? device_lost : real(stream);
}
status cudaEventSynchronize(void* event) {
  REAL(cudaEventSynchronize, (void*));
  return is_lost() ? device_lost : real(event);
}
status cudaMemcpyAsync(void* to, const void* from, size_t n, int kind, void* stream) {
  REAL(cudaMemcpyAsync, (void*, const void*, size_t, int, void*));
  return is_lost() ? device_lost : real(to, from, n, kind, stream);
}
status cudaMalloc(void** to, size_t n) {
  REAL(cudaMalloc, (void**, size_t));
  return is_full() ? no_memory : real(to, n);
}
status cudaMallocAsync(void** to, size_t n, void* stream) {
  REAL(cudaMallocAsync, (void**, size_t, void*));
  return is_full() ? no_memory : real(to, n, stream);
}
