#pragma once
// Points that a pass of several steps meets on its way up the rows: those that forces push, and those that are tapped
// for receivers.

#include "kernels/backend/hd.hpp"

namespace wavesim {

/// Rows from .. to - 1.
struct PointRows {
  int from = 0, to = 0;
  HD bool has(int row) const { return row >= from && row < to; }
};

/// The points of row r are first[r] .. first[r+1] - 1, by their columns. `first` null: there are none.
struct PointsByRow {
  const int *first = nullptr, *column = nullptr;

  /// The first point of a row whose column is `from` or higher.
  HD int find(int row, int from) const {
    int low = first[row], high = first[row + 1];
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (column[middle] < from)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  /// Whether there are any in rows from .. to - 1.
  HD bool any(int from, int to) const { return first && first[from] != first[to]; }
  /// The fewest rows that have all points of rows from .. to - 1: a look at a row's own points takes a load or two, which
  /// each step would wait for.
  HD PointRows rows_with_points(int from, int to) const {
    if (from >= to || !any(from, to)) return {};
    const int below = first[from], all = first[to];
    return {boundary(from, to, [&](int row) { return first[row + 1] != below; }),
            boundary(from, to, [&](int row) { return first[row] == all; })};
  }
  /// f(point, column) for the points of a row in columns from .. to - 1.
  template <class F>
  HD void each(int row, int from, int to, const F& f) const {
    if (!first || first[row] == first[row + 1]) return;
    const int end = first[row + 1];
    for (int k = find(row, from); k < end && column[k] < to; ++k) f(k, column[k]);
  }

 private:
  /// The first row of from .. to - 1 that is(row) is true of, as of all rows after it; `to` where there is none.
  template <class Is>
  HD static int boundary(int from, int to, const Is& is) {
    while (from < to) {
      const int middle = from + (to - from) / 2;
      if (is(middle))
        to = middle;
      else
        from = middle + 1;
    }
    return from;
  }
};

/// Step s adds amount(s, force[k]) weight[k] at point k, to p and to u.
struct Pushes {
  PointsByRow points;
  const int* force = nullptr;
  const double* weight = nullptr;
  int forces = 0;
  static constexpr int most_by_value = 64;
  double few[most_by_value] =
      {};  // amounts, force by force of each step; by value, which needs no copy to a device
  const double* many = nullptr;  // more than those

  HD double amount(int s, int force) const {
    const int k = (s - 1) * forces + force;
    return many ? many[k] : few[k];
  }
  /// f(column, what step s adds there) for the points of a row in columns from .. to - 1: the sum over those that share
  /// one.
  template <class F>
  HD void each(int s, int row, int from, int to, const F& f) const {
    double sum = 0;
    int at = -1;
    points.each(row, from, to, [&](int k, int col) {
      if (at >= 0 && at != col) f(at, sum), sum = 0;
      at = col;
      sum += amount(s, force[k]) * weight[k];
    });
    if (at >= 0) f(at, sum);
  }
  template <class T>
  HD static void push(double x, T& to) {
    if (x != 0)
      to = T(double(to) + x);  // the sign of a zero would follow how steps are shared out over passes
  }
  template <class T>
  HD static void push(double x, T& p, T& u) {
    push(x, p);
    push(x, u);
  }
};

/// What step s leaves at point k goes to tapped[(s - 1) slots + slot[k]].
template <class T>
struct Taps {
  PointsByRow points;
  const int* slot = nullptr;
  T* tapped = nullptr;
  int slots = 0;

  HD void tap(int k, int s, T u) const { tapped[(s - 1) * slots + slot[k]] = u; }
};

}  // namespace wavesim
