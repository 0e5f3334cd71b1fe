#pragma once
// The vectors of Y = A X, in the groups that one reading of the matrix serves.

#include <span>

#include "kernels/memory/field.hpp"
#include "kernels/numbers/vector_values.hpp"

namespace wavesim {

/// Vectors that one launch takes where rows have all groups in a block (rows_in_groups.hpp).
inline constexpr int most_columns = 64;

/// The columns of X and Y, `most` at most, in groups of N at most whose sizes differ by one at most.
template <class T, int N, int most = most_columns>
struct ColumnGroups {
  static constexpr int width = N;
  const T* x[most];
  T* y[most];
  int count, groups;

  HD int first(int group) const { return count * group / groups; }
  HD int size(int group) const { return first(group + 1) - first(group); }
  /// Those of a group; its last one again, up to N.
  HD const T* source(int group, int v) const {
    const int last = size(group) - 1;
    return x[first(group) + (v < last ? v : last)];
  }
  /// Where the product with vector v < size(group) goes.
  HD T* target(int group, int v) const { return y[first(group) + v]; }
  HD void store(int group, int i, const VectorValues<T, N>& values) const {
    const int from = first(group), n = size(group);
    UNROLL for (int v = 0; v < N; ++v) if (v < n) y[from + v][i] = values.of[v];
  }
};

/// Calls product(groups) for the vectors, `most` at most in one launch: in groups of `widest`, 4 or 8, or of 4 where those are
/// all.
template <class B, class T, int widest = 8, int most = most_columns, class Product>
void each_launch(std::span<const Field<B, T>> x, std::span<Field<B, T>> y, const Product& product) {
  const int all = int(x.size()), launches = (all + most - 1) / most;
  const auto launch = [&](auto width, int first, int end) {
    constexpr int N = width();
    ColumnGroups<T, N, most> columns{};
    columns.count = end - first;
    columns.groups = (columns.count + N - 1) / N;
    for (int k = first; k < end; ++k) {
      columns.x[k - first] = x[std::size_t(k)].data();
      columns.y[k - first] = y[std::size_t(k)].data();
    }
    product(columns);
  };
  for (int k = 0; k < launches; ++k) {
    const int first = all * k / launches, end = all * (k + 1) / launches;
    if (widest == 4 || end - first <= 4)
      launch(Width<4>{}, first, end);
    else if constexpr (widest > 4)
      launch(Width<widest>{}, first, end);
  }
}

}  // namespace wavesim
