#pragma once
// Rows of A and K of a varying medium of nine points at one point, in the order in which passes on a CPU add them up
// (host_varying_nine_point_rows.hpp). x(i) may be any function of the linear index.

#include "kernels/temporal/nine_point_medium.hpp"

namespace wavesim {

/// Of the columns to which a point belongs where K is constant; null where it varies.
template <class T>
HD const ConstantStiffness<T>* constant_at(const NinePointMedium<T>& m, Row r) {
  if (!m.constant) return nullptr;
  const ConstantStiffness<T>* const run = m.constant + r.row;
  return r.col >= run->from && r.col < run->to ? run : nullptr;
}

/// A row of (A - D) x from the entries of a row.
template <class T, class X>
HD T off_diagonal_of(const StencilRow<T, NinePoint>& a, const Neighbours<NinePoint>& j, const X& x) {
  T sum = a[0] * x[j.at[0]];
  UNROLL for (int k = 1; k < NinePoint::points; ++k) if (k != NinePoint::centre) sum =
      std::fma(a[k], x[j.at[k]], sum);
  return sum;
}

/// x at the three points of a column beside a point or its own; zero beyond edges, where strips of a pass hold zeros.
template <class T>
struct ColumnAt {
  int i[3];
  T south, centre, north, pair;

  template <int dx, class X>
  HD static ColumnAt of(const Topology& t, Row r, const Neighbours<NinePoint>& j, const X& x) {
    ColumnAt c;
    UNROLL for (int k = 0; k < 3; ++k) c.i[k] = j.at[3 * k + 1 + dx];
    c.south = t.beyond<dx, -1>(r) ? T(0) : x[c.i[0]];
    c.centre = t.beyond<dx, 0>(r) ? T(0) : x[c.i[1]];
    c.north = t.beyond<dx, 1>(r) ? T(0) : x[c.i[2]];
    c.pair = c.south + c.north;
    return c;
  }
  HD T pair_of(const T* q) const { return std::fma(q[i[2]], north, q[i[0]] * south); }
};

/// A row of (A - D) x.
template <class T, class X>
HD T row_of_A(const NinePointMedium<T>& m, Row r, const X& x) {
  const Topology& t = m.topology();
  const Neighbours<NinePoint> j = neighbours<NinePoint>(t, r);
  const ConstantStiffness<T>* const run = constant_at(m, r);
  if (!run) return off_diagonal_of(m.A.row(r), j, x);
  const ConstantRow<T> row = times(m.b, run->stiffness);
  const auto west = ColumnAt<T>::template of<-1>(t, r, j, x), own = ColumnAt<T>::template of<0>(t, r, j, x),
             east = ColumnAt<T>::template of<1>(t, r, j, x);
  const T* const q = m.mass;
  const auto beside = [&](const ColumnAt<T>& c) {
    return beside_mass(row, c.centre, c.pair, q[c.i[1]] * c.centre, c.pair_of(q));
  };
  return off_diagonal(q[r.i], times_mass(west.centre, west.pair), times_mass(east.centre, east.pair),
                      beside(west), beside(east), own_column(row, q[r.i], own.pair, own.pair_of(q)));
}
template <class T>
HD T diagonal_of_A(const NinePointMedium<T>& m, Row r) {
  const ConstantStiffness<T>* const run = constant_at(m, r);
  return run ? diagonal_by_mass(times(m.b, run->stiffness), m.mass[r.i]) : m.A.centre[r.i];
}

/// A row of K x, but for its diagonal.
template <class T, class X>
HD T row_of_K(const NinePointMedium<T>& m, Row r, const X& x) {
  const Topology& t = m.topology();
  const Neighbours<NinePoint> j = neighbours<NinePoint>(t, r);
  const ConstantStiffness<T>* const run = constant_at(m, r);
  if (!run) return off_diagonal_of(m.K.row(r), j, x);
  const ConstantRow<T>& row = run->stiffness;
  const auto given = [&](const ColumnAt<T>& c) { return to_sides(row.side, c.centre, row.corner, c.pair); };
  return off_diagonal(given(ColumnAt<T>::template of<-1>(t, r, j, x)),
                      given(ColumnAt<T>::template of<1>(t, r, j, x)), row.vertical,
                      ColumnAt<T>::template of<0>(t, r, j, x).pair);
}
template <class T>
HD T diagonal_of_K(const NinePointMedium<T>& m, Row r) {
  const ConstantStiffness<T>* const run = constant_at(m, r);
  return run ? run->stiffness.centre : m.K.centre[r.i];
}

}  // namespace wavesim
