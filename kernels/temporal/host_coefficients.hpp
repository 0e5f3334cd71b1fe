#pragma once
// The coefficients of a row of a strip in blocked sweeps on a CPU (blocked_sweeps_host.hpp): of a constant medium a
// table by class of rows, of a varying one the faces that are at work.

#include "kernels/temporal/blocked_sweeps.hpp"
#include "kernels/temporal/host_rows.hpp"
#include "kernels/temporal/recurrence.hpp"

namespace wavesim {

/// The same value at each column.
template <class T>
struct Everywhere {
  T value;
  T operator[](int) const { return value; }
};

/// The row of the system at each column of a strip (ScaledRow), read from a table or, in a constant medium
/// away from its edges, known: then a core loads half as much.
template <class Values>
struct BlockedRow {
  Values south, west, east, north, inverse, diagonal, scaled_mass, stiff;
};

/// Of a constant medium.
template <class T>
class UniformStripRows {
  static constexpr int columns = temporal::columns<T>;

 public:
  template <class Rows>
  explicit UniformStripRows(Rows&) : table_(std::size_t(row_classes) * ScaledRow<T>::values * columns) {}

  template <class Medium>
  void go_to(const HostStrip<T>& strip, const Medium& medium) {
    for (int c = 0; c < row_classes; ++c)
      for (int k = 0; k < strip.width(); ++k) {
        const ScaledRow<T> a = scaled_row(medium, c, strip.first_col() + k);
        T* at = table_.data() + std::size_t(c) * a.values * columns + k;
        at[0] = a.south, at[columns] = a.west, at[2 * columns] = a.east, at[3 * columns] = a.north;
        at[4 * columns] = a.inverse, at[5 * columns] = a.diagonal;
        at[6 * columns] = a.scaled_mass, at[7 * columns] = a.stiff;
      }
    topology_ = strip.topology();
    inside_ = ScaledRow<T>::of(medium, medium.coefficients.inside());
    constant_ = all_inside(strip);
  }
  /// Whether inner rows are alike at all columns: then values beyond the domain are made as well.
  bool constant() const { return constant_; }

  /// f(the system at a row)
  template <class F>
  void at_row(int row, const F& f) const {
    const int kind = row_class(row, topology_);
    if (constant_ && kind == inner_row) {
      const auto& a = inside_;
      return f(BlockedRow<Everywhere<T>>{
          {a.south}, {a.west}, {a.east}, {a.north}, {a.inverse}, {a.diagonal}, {a.scaled_mass}, {a.stiff}});
    }
    f(of_class(kind));
  }
  /// g + N x at column k of a row, but for the northern neighbour.
  template <class Values>
  T couple(T g, const BlockedRow<Values>& at, const T* south, const T* centre, int k) const {
    return coupled<T>(g, at.south[k], south[k], at.west[k], centre[k - 1], at.east[k], centre[k + 1]);
  }

 private:
  BlockedRow<const T*> of_class(int row_class) const {
    const T* const a = table_.data() + std::size_t(row_class) * ScaledRow<T>::values * columns;
    constexpr int n = columns;
    return {a, a + n, a + 2 * n, a + 3 * n, a + 4 * n, a + 5 * n, a + 6 * n, a + 7 * n};
  }
  /// Whether inner rows are alike at all columns of the domain, but for what those at an edge couple to
  /// beyond it, where iterates are zero.
  bool all_inside(const HostStrip<T>& strip) const {
    const Topology& t = topology_;
    const BlockedRow<const T*> a = of_class(inner_row);
    for (int k = strip.from(); k < strip.to(); ++k) {
      const bool left = t.wrap_x == 0 && strip.first_col() + k == 0,
                 right = t.wrap_x == 0 && strip.first_col() + k == t.nx - 1;
      if (a.south[k] != inside_.south || a.north[k] != inside_.north || a.inverse[k] != inside_.inverse ||
          a.diagonal[k] != inside_.diagonal || a.scaled_mass[k] != inside_.scaled_mass ||
          a.stiff[k] != inside_.stiff || a.west[k] != (left ? T(0) : inside_.west) ||
          a.east[k] != (right ? T(0) : inside_.east))
        return false;
    }
    return true;
  }

  Topology topology_;
  CacheLines<T> table_;
  ScaledRow<T> inside_{};
  bool constant_ = false;
};

/// Of a varying medium. All rows are treated alike.
template <class T, class Rows>
class VaryingStripRows {
  static constexpr int columns = temporal::columns<T>, V = temporal::columns_per_lane<T>;

 public:
  explicit VaryingStripRows(Rows& rows) : rows_(rows), in_lane_(columns) {
    for (int k = 0; k < columns; ++k) in_lane_[std::size_t(k)] = T(k % V);
  }
  template <class Medium>
  void go_to(const HostStrip<T>&, const Medium&) {}
  static constexpr bool constant() { return false; }

  template <class F>
  void at_row(int row, const F& f) const {
    f(BlockedRow<const T*>{
        rows_.north(row - 1), rows_.east(row) - 1, rows_.east(row), rows_.north(row), {}, {}, {}, {}});
  }
  template <class Values>
  T couple(T g, const BlockedRow<Values>& at, const T* south, const T* centre, int k) const {
    return coupled_in_lane<T>(g, at.south[k], south[k], at.west[k], centre[k - 1], in_lane_[k] == 0,
                              at.east[k], centre[k + 1]);
  }

 private:
  Rows& rows_;
  CacheLines<T> in_lane_;  // k % V of column k: g++ makes a branch, and no vector, of that as an expression
};

}  // namespace wavesim
