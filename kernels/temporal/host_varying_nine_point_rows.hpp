#pragma once
// The coefficients of rows of a strip in blocked sweeps of nine points in a varying medium on a CPU
// (host_nine_point_front.hpp): where they lie in fields, or copies of those of a strip that reaches beyond the domain.

#include <array>

#include "kernels/temporal/host_nine_point_rows.hpp"
#include "kernels/temporal/nine_point_medium.hpp"

namespace wavesim {

template <class T, int K>
class VaryingNinePointRows {
  static constexpr int H = K + 1;
  static constexpr int rows = H + 2;  // at work: from the residual's to the one above that which arrives
  enum Field {
    A_south_west,
    A_south,
    A_south_east,
    A_west,
    A_centre,
    A_inverse,
    of_A,
    K_first = of_A,
    weight = K_first + 5,
    D_first
  };
  static constexpr int fields = D_first + 5;

 public:
  VaryingNinePointRows() : copies_(fields * rows + 1) {}

  void go_to(const HostStrip<T>& strip, const NinePointMedium<T>& medium) {
    strip_ = &strip;
    const NinePointMatrix<T>&a = medium.A, &k = medium.K, &d = medium.damping;
    from_ = {a.south_west, a.south, a.south_east, a.west, a.centre, medium.inverse,
             k.south_west, k.south, k.south_east, k.west, k.centre, medium.weight,
             d.south_west, d.south, d.south_east, d.west, d.centre};
    of_step_ = medium.damps() ? fields : int(D_first);
    copies_.clear();
    for (auto& of_field : at_) of_field.fill(copies_[fields * rows]);
  }
  static constexpr bool constant() { return false; }

  /// Row `row` is the next that will be asked for. `is_step`: of K and weights, too.
  void arrive(int row, bool is_step) {
    constexpr int ahead = 2;
    const T* const zeros = copies_[fields * rows];
    for (int f = 0; f < (is_step ? of_step_ : int(of_A)); ++f) {
      strip_->fetch(from_[f], row + ahead);
      const int slot = ring(row, rows);
      at_[f][slot] = strip_->row_of(from_[f], row, copies_[f * rows + slot], zeros);
    }
  }
  /// As UniformNinePointRows.
  template <class F>
  void with_A(int row, const ThreeRows<T>& x, const F& f) {
    with(matrix(0, row), matrix(0, row + 1), row, x, f);
  }
  template <class F>
  void with_K(int row, const ThreeRows<T>& x, const F& f) {
    with(matrix(K_first, row), matrix(K_first, row + 1), row, x, f);
  }
  /// f(k, a row of D x, the coefficients by columns), of the matrix D that damps.
  template <class F>
  void with_damping(int row, const ThreeRows<T>& x, const F& f) {
    const T *const diagonal = at(D_first + A_centre, row), *const centre = x.centre;
    with(matrix(D_first, row), matrix(D_first, row + 1), row, x,
         [&](int k, T off, const auto& a) { f(k, std::fma(diagonal[k], centre[k], off), a); });
  }
  template <class F>
  void at_row(int row, const F& f) const {
    f(columns_of(row));
  }
  const T* weights(int row) const { return at(weight, row); }

 private:
  struct Columns {
    const T *inverse, *diagonal, *k_diagonal;
  };
  const T* at(int field, int row) const { return at_[field][ring(row, rows)]; }
  Columns columns_of(int row) const {
    return {at(A_inverse, row), at(A_centre, row), at(K_first + A_centre, row)};
  }
  NinePointMatrix<T> matrix(int first, int row) const {
    return {at(first, row), at(first + 1, row), at(first + 2, row), at(first + 3, row), at(first + 4, row)};
  }
  /// A row but for its diagonal. `above`: the entries of the next row.
  void off_diagonal(const NinePointMatrix<T>& a, const NinePointMatrix<T>& above, const ThreeRows<T>& x) {
    const T *const south_west = a.south_west, *const south = a.south, *const south_east = a.south_east,
                   *const west = a.west, *const north_west = above.south_east, *const north = above.south,
                   *const north_east = above.south_west;
    const T *const below = x.south, *const centre = x.centre, *const over = x.north;
    T* const off = off_[0];
    const int n = strip_->width();
    SIMD for (int k = 0; k < n; ++k) {
      T sum = south_west[k] * below[k - 1];
      sum = std::fma(south[k], below[k], sum);
      sum = std::fma(south_east[k], below[k + 1], sum);
      sum = std::fma(west[k], centre[k - 1], sum);
      sum = std::fma(west[k + 1], centre[k + 1], sum);
      sum = std::fma(north_west[k - 1], over[k - 1], sum);
      sum = std::fma(north[k], over[k], sum);
      off[k] = std::fma(north_east[k + 1], over[k + 1], sum);
    }
  }
  template <class F>
  void with(const NinePointMatrix<T>& a, const NinePointMatrix<T>& above, int row, const ThreeRows<T>& x,
            const F& f) {
    const Columns c = columns_of(row);
    off_diagonal(a, above, x);
    const T* const off = off_[0];
    const int n = strip_->width();
    SIMD for (int k = 0; k < n; ++k) f(k, off[k], c);
  }

  const HostStrip<T>* strip_ = nullptr;
  int of_step_ = fields;
  std::array<const T*, fields> from_{};
  std::array<std::array<const T*, rows>, fields> at_{};
  StripRows<T> copies_, off_{1};
};

}  // namespace wavesim
