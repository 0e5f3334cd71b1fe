#include <algorithm>

#include "solvers/direct/sparse_factors.hpp"

namespace wavesim {

double entries_of_factor(const HostCsr& A, const std::vector<int>& order, double most) {
  const HostCsr t = transpose(A);
  const int n = A.rows;
  std::vector<int> step(std::size_t(n), 0);  // at which a row is eliminated
  for (int k = 0; k < n; ++k) step[std::size_t(order[std::size_t(k)])] = k;
  // parent: in the elimination tree; top: an ancestor further up, so that paths are short; seen: by row k
  std::vector<int> parent(std::size_t(n), -1), top(parent), seen(parent);
  const auto each_before = [&](int k, const auto& f) {
    const int i = order[std::size_t(k)];
    for (const HostCsr* half : {&A, &t})
      for (int e = half->start[i]; e < half->start[std::size_t(i) + 1]; ++e)
        if (const int j = step[std::size_t(half->column[e])]; j < k) f(j);
  };
  for (int k = 0; k < n; ++k)
    each_before(k, [&](int j) {
      while (j >= 0 && j < k) {
        const int next = top[std::size_t(j)];
        top[std::size_t(j)] = k;
        if (next < 0) parent[std::size_t(j)] = k;
        j = next;
      }
    });
  double entries = n;
  for (int k = 0; k < n && entries <= most; ++k) {
    seen[std::size_t(k)] = k;
    // the entries of row k are on the paths of the tree from those of A up to k
    each_before(k, [&](int j) {
      for (; seen[std::size_t(j)] != k; j = parent[std::size_t(j)]) {
        seen[std::size_t(j)] = k;
        ++entries;
      }
    });
  }
  return entries;
}

}  // namespace wavesim
