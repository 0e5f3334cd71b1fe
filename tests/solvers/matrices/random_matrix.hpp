#pragma once
// Unsymmetric matrices of random numbers, without structure.

#include <random>
#include <vector>

#include "kernels/formats/host_csr.hpp"

namespace wavesim::test {

/// n rows with about `mean` entries each, one of them `longest` long, and a diagonal; unsymmetric.
inline HostCsr random_matrix(int n, int mean, int longest, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  HostCsr A;
  A.rows = n;
  for (int i = 0; i < n; ++i) {
    const int wanted = i == n / 2 ? longest : int(random() % (2 * unsigned(mean) + 1));
    std::vector<char> taken(std::size_t(n), 0);
    taken[i] = 1;
    for (int k = 0; k < wanted && k < n; ++k) taken[random() % unsigned(n)] = 1;
    for (int j = 0; j < n; ++j)
      if (taken[j]) {
        A.column.push_back(j);
        A.value.push_back(i == j ? 3 : value(random));
      }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

}  // namespace wavesim::test
