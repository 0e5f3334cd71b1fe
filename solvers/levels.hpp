#pragma once
// Levels of a triangle, found where the matrix is (ordering.hpp says what they are, and finds them on the
// host).

#include "kernels/backend.hpp"
#include "kernels/depth.hpp"
#include "solvers/ordering.hpp"
#include "solvers/sparse_rows.hpp"

namespace wavesim {

enum class Triangle { lower, upper };

template <class B>
struct Levels {
  int count = 0;
  Buffer<B, int> level;  // of each row; -1: no entries

  Levels() = default;
  Levels(B& be, const SparseRows<B>& A, Triangle side) : level(be, A.rows) { find(be, A, side); }
  void find(B& be, const SparseRows<B>& A, Triangle side) {
    const SparseRowsView a = A.view();
    depths(be, A.rows, side == Triangle::lower, {a.start, a.column}, level.data());
    const Buffer<B, int> most(be, 1);
    int *levels = level.data(), *deepest = most.data();
    each(be, "number of levels", A.rows, 12, [=] HD(int i) {
      if (a.start[i] == a.start[i + 1]) levels[i] = -1;
      raise_to(deepest, levels[i] + 1);
    });
    count = read(be, most, 0);
  }
};

/// Rows by level, ascending in each, in the backend's memory; rows without entries come last.
template <class B>
Buffer<B, int> by_level(B& be, const Levels<B>& levels) {
  const int n = int(levels.level.size()), count = levels.count;
  const Buffer<B, int> keys(be, n);
  Buffer<B, int> order(be, n);
  int *key = keys.data(), *row = order.data();
  const int* level = levels.level.data();
  each(be, "levels as keys", n, 12, [=] HD(int i) {
    key[i] = level[i] < 0 ? count : level[i];
    row[i] = i;
  });
  sort_by_key(be, key, row, n, bits_of(count));
  return order;
}

}  // namespace wavesim
