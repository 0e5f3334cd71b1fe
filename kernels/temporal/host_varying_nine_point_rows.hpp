#pragma once
// The coefficients of rows of a strip in blocked sweeps of nine points in a varying medium on a CPU
// (host_nine_point_front.hpp): where they lie in fields, or copies of those of a strip that reaches beyond the domain. Columns
// where K is constant (constant_stiffness.hpp) take one number a point.

#include <array>
#include <optional>

#include "kernels/temporal/host_nine_point_rows.hpp"
#include "kernels/temporal/nine_point_medium.hpp"

namespace wavesim {

template <class T, int K>
class VaryingNinePointRows {
  static constexpr int H = K + 1;
  /// At work: from the one below the residual's to the one above that which arrives.
  static constexpr int rows = H + 3;
  /// Fields, and entries from the first of a matrix on.
  static constexpr int mass = 0, A_inverse = 1, A_first = 2, weight = A_first + 5, K_first = weight + 1,
                       D_first = K_first + 5, fields = D_first + 5;
  static constexpr int south_west = 0, south = 1, south_east = 2, west = 3, centre = 4;

 public:
  void go_to(const HostStrip<T>& strip, const NinePointMedium<T>& medium) {
    strip_ = &strip;
    medium_ = &medium;
    const NinePointMatrix<T>&a = medium.A, &k = medium.K, &d = medium.damping;
    from_ = {medium.mass, medium.inverse, a.south_west, a.south,      a.south_east, a.west,
             a.centre,    medium.weight,  k.south_west, k.south,      k.south_east, k.west,
             k.centre,    d.south_west,   d.south,      d.south_east, d.west,       d.centre};
    of_step_ = medium.damps() ? fields : int(D_first);
    if (!strip.in_place() && !copies_) copies_.emplace(fields * rows);
    for (auto& of_row : at_) of_row.fill(zeros_[0]);
    given_.clear();
    first_ = true;
  }
  static constexpr bool constant() { return false; }

  /// What arrive(row, is_step) reads.
  void fetch(int row, bool is_step, PartOfRow part) const {
    each_field_of(row, is_step, [&](int f) { strip_->fetch(from_[f], row, part); });
  }
  /// Row `row` is the next that will be asked for. `is_step`: of K and weights, too.
  void arrive(int row, bool is_step) {
    if (first_) take(mass, row - 1);  // the first row asks for the masses below it
    first_ = false;
    each_field_of(row, is_step, [&](int f) { take(f, row); });
  }
  /// As UniformNinePointRows.
  template <class F>
  void with_A(int row, const ThreeRows<T>& x, const F& f) {
    const Run run = run_of(row);
    with(A_first, row, x, {0, run.from}, f);
    with_constant_A(row, x, run, f);
    with(A_first, row, x, {run.to, strip_->width()}, f);
  }
  template <class F>
  void with_K(int row, const ThreeRows<T>& x, const F& f) {
    const Run run = run_of(row);
    with(K_first, row, x, {0, run.from}, f);
    with_constant_K(row, x, run, f);
    with(K_first, row, x, {run.to, strip_->width()}, f);
  }
  /// f(k, a row of D x, the coefficients by columns), of the matrix D that damps, where it is not zero.
  template <class F>
  void with_damping(int row, const ThreeRows<T>& x, const F& f) {
    const T *const diagonal = at(row)[D_first + centre], *const middle = x.centre;
    const auto whole = [&](int k, T off, const auto& a) { f(k, std::fma(diagonal[k], middle[k], off), a); };
    const Run run = run_of(row);
    with(D_first, row, x, {0, run.from}, whole);
    with(D_first, row, x, {run.to, strip_->width()}, whole);
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
  /// Of columns where K is constant.
  struct Diagonal {
    ConstantRow<T> row;  // b K
    const T* mass;
    T operator[](int k) const { return diagonal_by_mass(row, mass[k]); }
  };
  struct ConstantColumns {
    const T* inverse;
    Diagonal diagonal;
    Everywhere<T> k_diagonal;
  };
  /// Columns of the strip where K is constant, from .. to - 1.
  struct Run {
    int from = 0, to = 0;
    const ConstantStiffness<T>* of = nullptr;
  };
  using OfRow = std::array<const T*, fields>;
  const OfRow& at(int row) const { return at_[ring(row, rows)]; }
  static Columns columns_of(const OfRow& row) {
    return {row[A_inverse], row[A_first + centre], row[K_first + centre]};
  }

  /// What the strip has beyond the domain goes with its neighbours there: vectors and inverses are zero.
  Run run_of(int row) const {
    const Topology& t = medium_->topology();
    if (t.wrap_y != 0) row = ring(row, t.ny);
    if (!medium_->constant || row < 0 || row >= t.ny) return {};
    const ConstantStiffness<T>& of = medium_->constant[row];
    if (t.wrap_x != 0) return of.columns() == t.nx ? Run{0, strip_->width(), &of} : Run{};
    const int first = strip_->first_col(), from = of.from - first, to = of.to - first;
    const Run run{from <= strip_->from() ? 0 : from, to >= strip_->to() ? strip_->width() : to, &of};
    return run.from < run.to ? run : Run{};
  }
  bool is_constant(int row) const {
    const Run run = run_of(row);
    return run.to - run.from == strip_->width();
  }
  void take(int field, int row) {
    const int slot = ring(row, rows);
    T* const room = copies_ ? (*copies_)[field * rows + slot] : nullptr;
    at_[slot][field] = strip_->row_of(from_[field], row, room, zeros_[0]);
  }
  /// f(field), of those that a row and the one below it ask for.
  template <class F>
  void each_field_of(int row, bool is_step, const F& f) const {
    const bool entries = !is_constant(row) || !is_constant(row - 1);
    if (medium_->constant) f(mass);
    f(A_inverse);
    if (is_step) f(weight);
    if (!entries) return;
    for (int k = A_first; k < weight; ++k) f(k);
    if (is_step)
      for (int k = K_first; k < of_step_; ++k) f(k);
  }

  /// f(k, a row but for its diagonal, the coefficients by columns), of the matrix whose entries begin with field `first`.
  template <class F>
  void with(int first, int row, const ThreeRows<T>& x, Run run, const F& f) const {
    const OfRow &own = at(row), &next = at(row + 1);
    const T *const to_south_west = own[first + south_west], *const to_south = own[first + south],
                   *const to_south_east = own[first + south_east], *const to_west = own[first + west],
                   *const to_north_west = next[first + south_east], *const to_north = next[first + south],
                   *const to_north_east = next[first + south_west];
    const T *const below = x.south, *const middle = x.centre, *const above = x.north;
    const Columns columns = columns_of(own);
    SIMD for (int k = run.from; k < run.to; ++k) {
      T sum = to_south_west[k] * below[k - 1];
      sum = std::fma(to_south[k], below[k], sum);
      sum = std::fma(to_south_east[k], below[k + 1], sum);
      sum = std::fma(to_west[k], middle[k - 1], sum);
      sum = std::fma(to_west[k + 1], middle[k + 1], sum);
      sum = std::fma(to_north_west[k - 1], above[k - 1], sum);
      sum = std::fma(to_north[k], above[k], sum);
      f(k, std::fma(to_north_east[k + 1], above[k + 1], sum), columns);
    }
  }
  /// The same where K is constant (constant_stiffness.hpp).
  template <class F>
  void with_constant_A(int row, const ThreeRows<T>& x, Run run, const F& f) {
    if (!run.of) return;
    const T *const below = at(row - 1)[mass], *const q = at(row)[mass], *const above = at(row + 1)[mass];
    const ConstantRow<T> of = times(medium_->b, run.of->stiffness);
    T *const times_q = given_[0], *const beside = given_[1], *const own = given_[2];
    const auto [from, to] = with_neighbours(run);
    SIMD for (int k = from; k < to; ++k) {
      const T pair = x.south[k] + x.north[k], y = q[k] * x.centre[k],
              y_pair = std::fma(above[k], x.north[k], below[k] * x.south[k]);
      times_q[k] = times_mass(x.centre[k], pair);
      beside[k] = beside_mass(of, x.centre[k], pair, y, y_pair);
      own[k] = own_column(of, q[k], pair, y_pair);
    }
    const ConstantColumns columns{at(row)[A_inverse], {of, q}, {run.of->stiffness.centre}};
    SIMD for (int k = run.from; k < run.to; ++k) f(
        k, off_diagonal(q[k], times_q[k - 1], times_q[k + 1], beside[k - 1], beside[k + 1], own[k]), columns);
  }
  template <class F>
  void with_constant_K(int row, const ThreeRows<T>& x, Run run, const F& f) {
    if (!run.of) return;
    const ConstantRow<T> of = run.of->stiffness;
    T *const pair = given_[0], *const sides = given_[1];
    const auto [from, to] = with_neighbours(run);
    SIMD for (int k = from; k < to; ++k) {
      pair[k] = x.south[k] + x.north[k];
      sides[k] = to_sides(of.side, x.centre[k], of.corner, pair[k]);
    }
    const ConstantColumns columns{at(row)[A_inverse], {times(medium_->b, of), at(row)[mass]}, {of.centre}};
    SIMD for (int k = run.from; k < run.to; ++k)
        f(k, off_diagonal(sides[k - 1], sides[k + 1], of.vertical, pair[k]), columns);
  }
  /// The columns of a run, and those beside them.
  std::array<int, 2> with_neighbours(Run run) const {
    return {std::max(run.from - 1, 0), std::min(run.to + 1, strip_->width())};
  }

  const HostStrip<T>* strip_ = nullptr;
  const NinePointMedium<T>* medium_ = nullptr;
  bool first_ = true;
  int of_step_ = fields;
  std::array<const T*, fields> from_{};
  std::array<OfRow, rows> at_{};
  std::optional<StripRows<T>> copies_;  // of a strip that reaches beyond the domain
  StripRows<T> zeros_{1}, given_{3};
};

}  // namespace wavesim
