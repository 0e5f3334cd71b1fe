#pragma once
// Non-temporal stores, which bypass a CPU's caches: a line that is written whole need not be read first, as an
// ordinary store does. They pay where the data would leave the caches before they are read again.

#include <algorithm>
#include <cstdint>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "kernels/memory/cache_lines.hpp"

namespace wavesim {

/// A pass over more bytes than this leaves nothing in a CPU's caches for the next one. (A constant, as some
/// systems report a last-level cache ten times too large.)
inline constexpr double more_than_caches = 1e8;

#ifdef __SSE2__
/// Stores a line in as few instructions as possible: the CPU does not always merge them.
inline void stream_line(const char* from, char* to) {
#if defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
#elif defined(__AVX__)
  for (int k = 0; k < 64; k += 32)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + k),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + k)));
#else
  for (int k = 0; k < 64; k += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + k),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + k)));
#endif
}
#endif

/// Copies n values with such stores, except in lines that are not whole. Other threads see them after
/// stream_fence().
template <class T>
void stream(const T* from, int n, T* to) {
#ifdef __SSE2__
  constexpr int line = cache_line / sizeof(T);
  const int askew = int(reinterpret_cast<std::uintptr_t>(to) % cache_line / sizeof(T));
  const int head = std::min(n, askew == 0 ? 0 : line - askew), whole = head + (n - head) / line * line;
  for (int k = 0; k < head; ++k) to[k] = from[k];
  for (int k = head; k < whole; k += line)
    stream_line(reinterpret_cast<const char*>(from + k), reinterpret_cast<char*>(to + k));
  for (int k = whole; k < n; ++k) to[k] = from[k];
#else
  std::copy(from, from + n, to);
#endif
}
inline void stream_fence() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace wavesim
