#pragma once
// Sums over the elements before, and stable sorting, in a backend's memory. For set-ups.

#include <numeric>
#include <vector>

#include "kernels/memory/field.hpp"

namespace wavesim {

class Host;
class Cuda;

/// p[i] <- p[0] + ... + p[i - 1]
void sums_before(Host& be, int* p, int n);
/// Sorts values by their keys (0 <= key < 2^bits); what has the same key stays in order.
void sort_by_key(Host& be, int* key, int* value, int n, int bits);

void sums_before(Cuda& be, int* p, int n);
void sort_by_key(Cuda& be, int* key, int* value, int n, int bits);

/// Bits of the numbers 0 .. most.
inline int bits_of(int most) {
  int bits = 1;
  while (most >> bits > 0 && bits < 31) ++bits;
  return bits;
}

}  // namespace wavesim
