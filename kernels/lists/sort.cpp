#include "kernels/lists/sort.hpp"

#include "kernels/backend/host.hpp"

namespace wavesim {

void sums_before(Host&, int* p, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    const int v = p[i];
    p[i] = sum;
    sum += v;
  }
}

/// By counting digits of 11 bits, the lowest first.
void sort_by_key(Host&, int* key, int* value, int n, int bits) {
  constexpr int digit = 11, digits = 1 << digit;
  std::vector<int> keys(n), values(n), next(digits + 1);
  for (int shift = 0; shift < bits; shift += digit) {
    std::fill(next.begin(), next.end(), 0);
    const auto of = [&](int k) { return (key[k] >> shift) & (digits - 1); };
    for (int k = 0; k < n; ++k) ++next[of(k) + 1];
    for (int d = 0; d < digits; ++d) next[d + 1] += next[d];
    for (int k = 0; k < n; ++k) {
      const int at = next[of(k)]++;
      keys[at] = key[k];
      values[at] = value[k];
    }
    std::copy(keys.begin(), keys.end(), key);
    std::copy(values.begin(), values.end(), value);
  }
}

}  // namespace wavesim
