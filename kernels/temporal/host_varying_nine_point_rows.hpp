#pragma once
// The coefficients of rows of a strip in blocked sweeps of nine points in a varying medium on a CPU
// (host_nine_point_front.hpp): where they lie in fields, or copies of those of a strip that reaches beyond the domain.

#include <array>
#include <optional>

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
  void go_to(const HostStrip<T>& strip, const NinePointMedium<T>& medium) {
    strip_ = &strip;
    const NinePointMatrix<T>&a = medium.A, &k = medium.K, &d = medium.damping;
    from_ = {a.south_west, a.south, a.south_east, a.west, a.centre, medium.inverse,
             k.south_west, k.south, k.south_east, k.west, k.centre, medium.weight,
             d.south_west, d.south, d.south_east, d.west, d.centre};
    of_step_ = medium.damps() ? fields : int(D_first);
    if (!strip.in_place() && !copies_) copies_.emplace(fields * rows);
    for (auto& of_row : at_) of_row.fill(zeros_[0]);
  }
  static constexpr bool constant() { return false; }

  /// What arrive(row, is_step) reads.
  void fetch(int row, bool is_step, PartOfRow part) const {
    for (int f = 0; f < (is_step ? of_step_ : int(of_A)); ++f) strip_->fetch(from_[f], row, part);
  }
  /// Row `row` is the next that will be asked for. `is_step`: of K and weights, too.
  void arrive(int row, bool is_step) {
    const int slot = ring(row, rows);
    for (int f = 0; f < (is_step ? of_step_ : int(of_A)); ++f) {
      T* const room = copies_ ? (*copies_)[f * rows + slot] : nullptr;
      at_[slot][f] = strip_->row_of(from_[f], row, room, zeros_[0]);
    }
  }
  /// As UniformNinePointRows.
  template <class F>
  void with_A(int row, const ThreeRows<T>& x, const F& f) {
    with(0, row, x, f);
  }
  template <class F>
  void with_K(int row, const ThreeRows<T>& x, const F& f) {
    with(K_first, row, x, f);
  }
  /// f(k, a row of D x, the coefficients by columns), of the matrix D that damps.
  template <class F>
  void with_damping(int row, const ThreeRows<T>& x, const F& f) {
    const T *const diagonal = at(row)[D_first + A_centre], *const centre = x.centre;
    with(D_first, row, x,
         [&](int k, T off, const auto& a) { f(k, std::fma(diagonal[k], centre[k], off), a); });
  }
  template <class F>
  void at_row(int row, const F& f) const {
    f(columns_of(at(row)));
  }
  const T* weights(int row) const { return at(row)[weight]; }

 private:
  struct Columns {
    const T *inverse, *diagonal, *k_diagonal;
  };
  using OfRow = std::array<const T*, fields>;
  const OfRow& at(int row) const { return at_[ring(row, rows)]; }
  static Columns columns_of(const OfRow& row) {
    return {row[A_inverse], row[A_centre], row[K_first + A_centre]};
  }
  /// f(k, a row but for its diagonal, the coefficients by columns), of the matrix whose entries begin with field `first`.
  template <class F>
  void with(int first, int row, const ThreeRows<T>& x, const F& f) const {
    const OfRow &own = at(row), &next = at(row + 1);
    const T *const south_west = own[first + A_south_west], *const south = own[first + A_south],
                   *const south_east = own[first + A_south_east], *const west = own[first + A_west],
                   *const north_west = next[first + A_south_east], *const north = next[first + A_south],
                   *const north_east = next[first + A_south_west];
    const T *const below = x.south, *const centre = x.centre, *const above = x.north;
    const Columns columns = columns_of(own);
    const int n = strip_->width();
    SIMD for (int k = 0; k < n; ++k) {
      T sum = south_west[k] * below[k - 1];
      sum = std::fma(south[k], below[k], sum);
      sum = std::fma(south_east[k], below[k + 1], sum);
      sum = std::fma(west[k], centre[k - 1], sum);
      sum = std::fma(west[k + 1], centre[k + 1], sum);
      sum = std::fma(north_west[k - 1], above[k - 1], sum);
      sum = std::fma(north[k], above[k], sum);
      f(k, std::fma(north_east[k + 1], above[k + 1], sum), columns);
    }
  }

  const HostStrip<T>* strip_ = nullptr;
  int of_step_ = fields;
  std::array<const T*, fields> from_{};
  std::array<OfRow, rows> at_{};
  std::optional<StripRows<T>> copies_;  // of a strip that reaches beyond the domain
  StripRows<T> zeros_{1};
};

}  // namespace wavesim
