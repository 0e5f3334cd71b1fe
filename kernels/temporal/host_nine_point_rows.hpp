#pragma once
// What a thread has at work in blocked sweeps of nine points on a CPU (host_nine_point_front.hpp): in a constant medium
// coefficients of rows of a strip by the class of the row, and rings of rows, which stay in a core's caches.

#include "kernels/temporal/host_coefficients.hpp"
#include "kernels/temporal/nine_point_rows.hpp"

namespace wavesim {

/// Three rows of a vector, one above the other.
template <class T>
struct ThreeRows {
  const T *south, *centre, *north;
};

/// NinePointColumn at each column of a strip, read from a table or, away from edges, known.
template <class Values>
struct NinePointColumns {
  Values inverse, diagonal, vertical, k_diagonal, k_vertical;
};

/// Of a constant medium.
template <class T>
class UniformNinePointRows {
  static constexpr int columns = temporal::columns<T>, values = NinePointColumn<T>::values;

 public:
  UniformNinePointRows() : table_(std::size_t(row_classes) * values * columns), given_(2) {}

  void go_to(const HostStrip<T>& strip, const UniformNinePoints<T>& medium) {
    topology_ = strip.topology();
    strip_ = &strip;
    given_.clear();
    for (int c = 0; c < row_classes; ++c) {
      along_[c] = nine_points_along(medium, c);
      for (int k = 0; k < width(); ++k) {
        const NinePointColumn<T> a =
            nine_point_column(medium, c, column_class(strip.first_col() + k, topology_));
        T* const at = table_.data() + std::size_t(c) * values * columns + k;
        at[0] = a.inverse, at[columns] = a.diagonal, at[2 * columns] = a.vertical;
        at[3 * columns] = a.k_diagonal, at[4 * columns] = a.k_vertical;
      }
    }
    inside_ = nine_point_column(medium, inner_row, inner_row);
    constant_ = all_inside(strip);
  }
  /// Whether inner rows are alike at all columns: then values beyond the domain are made as well.
  bool constant() const { return constant_; }
  /// Row `row` is the next that will be asked for.
  void arrive(int, bool) {}
  /// f(k, a row of (A - D) x, the coefficients by columns), at each column.
  template <class F>
  void with_A(int row, const ThreeRows<T>& x, const F& f) {
    const NinePointAlong<T>& c = along_[row_class(row, topology_)];
    give(x, c.side, c.corner);
    const T *const pair = given_[0], *const sides = given_[1];
    const int n = width();
    at_row(row, [&](const auto& a) {
      SIMD for (int k = 0; k < n; ++k)
          f(k, off_diagonal(sides[k - 1], sides[k + 1], a.vertical[k], pair[k]), a);
    });
  }
  /// The same of K x, but for its diagonal.
  template <class F>
  void with_K(int row, const ThreeRows<T>& x, const F& f) {
    const NinePointAlong<T>& c = along_[row_class(row, topology_)];
    give(x, c.k_side, c.k_corner);
    const T *const pair = given_[0], *const sides = given_[1];
    const int n = width();
    at_row(row, [&](const auto& a) {
      SIMD for (int k = 0; k < n; ++k)
          f(k, off_diagonal(sides[k - 1], sides[k + 1], a.k_vertical[k], pair[k]), a);
    });
  }
  /// f(the columns of a row)
  template <class F>
  void at_row(int row, const F& f) const {
    const int kind = row_class(row, topology_);
    if (constant_ && kind == inner_row) {
      const NinePointColumn<T>& a = inside_;
      return f(NinePointColumns<Everywhere<T>>{
          {a.inverse}, {a.diagonal}, {a.vertical}, {a.k_diagonal}, {a.k_vertical}});
    }
    f(of_class(kind));
  }

 private:
  /// The sums of the rows beside the middle one, and what that gives to its sides.
  void give(const ThreeRows<T>& x, T side, T corner) {
    T *const pair = given_[0], *const sides = given_[1];
    const int n = width();
    SIMD for (int k = 0; k < n; ++k) {
      pair[k] = x.south[k] + x.north[k];
      sides[k] = to_sides(side, x.centre[k], corner, pair[k]);
    }
  }
  NinePointColumns<const T*> of_class(int row_class) const {
    const T* const a = table_.data() + std::size_t(row_class) * values * columns;
    return {a, a + columns, a + 2 * columns, a + 3 * columns, a + 4 * columns};
  }
  bool all_inside(const HostStrip<T>& strip) const {
    const NinePointColumns<const T*> a = of_class(inner_row);
    for (int k = strip.from(); k < strip.to(); ++k)
      if (a.inverse[k] != inside_.inverse || a.vertical[k] != inside_.vertical ||
          a.k_diagonal[k] != inside_.k_diagonal || a.k_vertical[k] != inside_.k_vertical)
        return false;
    return true;
  }

  int width() const { return strip_->width(); }

  Topology topology_;
  const HostStrip<T>* strip_ = nullptr;
  CacheLines<T> table_;
  NinePointAlong<T> along_[row_classes];
  NinePointColumn<T> inside_{};
  bool constant_ = false;
  StripRows<T> given_;
};

template <class T, int K>
class NinePointHostRows {
  static constexpr int H = K + 1;

 public:
  void clear() { rows_.clear(); }

  const T* zeros() { return place(0); }
  /// Iterate s: what sweep s has left.
  T* x(int s, int row) { return place(place_x + 3 * s + ring(row, 3)); }
  T* g(int row) { return place(place_g + ring(row, H + 1)); }
  T* before(int row) { return place(place_before + ring(row, 2)); }
  /// Of a step: u, p, and p + u or p, which its reference is A times.
  T* u(int row) { return place(place_u + ring(row, 3)); }
  T* p(int row) { return place(place_p + ring(row, 3)); }
  T* referred(int row) { return place(place_referred + ring(row, 3)); }
  /// To write in.
  T* scratch(int k) { return place(place_scratch + k); }

 private:
  static constexpr int place_x = 1, place_g = place_x + 3 * (K + 1), place_before = place_g + H + 1,
                       place_u = place_before + 2, place_p = place_u + 3, place_referred = place_p + 3,
                       place_scratch = place_referred + 3, place_end = place_scratch + 2;
  T* place(int k) { return rows_[k]; }

  StripRows<T> rows_{place_end};
};

}  // namespace wavesim
