#pragma once
// Sorts a row of a sparse matrix by column: a few entries are inserted, many heaped (Knuth, The Art of
// Computer Programming, volume 3, 5.2). One lane does it, in place.

#include "kernels/backend/hd.hpp"

namespace wavesim {

/// Columns, and values with them, in ascending order.
HD inline void sort_row(int* column, double* value, int n) {
  const auto insert_down = [=](int hole, int end, int c, double v) {
    for (int child; (child = 2 * hole + 1) < end; hole = child) {
      if (child + 1 < end && column[child + 1] > column[child]) ++child;
      if (column[child] <= c) break;
      column[hole] = column[child];
      value[hole] = value[child];
    }
    column[hole] = c;
    value[hole] = v;
  };
  if (n > 40) {
    bool ascending = true;
    for (int k = 1; k < n && ascending; ++k) ascending = column[k - 1] <= column[k];
    if (ascending) return;
    for (int k = n / 2 - 1; k >= 0; --k) insert_down(k, n, column[k], value[k]);
    for (int end = n - 1; end > 0; --end) {
      const int c = column[end];
      const double v = value[end];
      column[end] = column[0];
      value[end] = value[0];
      insert_down(0, end, c, v);
    }
    return;
  }
  for (int k = 1; k < n; ++k) {
    const int c = column[k];
    const double v = value[k];
    int at = k;
    for (; at > 0 && column[at - 1] > c; --at) {
      column[at] = column[at - 1];
      value[at] = value[at - 1];
    }
    column[at] = c;
    value[at] = v;
  }
}

}  // namespace wavesim
