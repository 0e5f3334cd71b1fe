#pragma once
// Where a varying medium of nine points has the same tension everywhere, and only masses vary: an acoustic medium of
// constant density, the inside of a shape. Rows of K are alike there, and those of M are
//   (M x)_i = sum over j of B_ij (m_i + m_j)/2 x_j,   B = [1 10 1] (x) [1 10 1] / 144        (docs/math.md, (4a))
// so that passes read one number a point instead of five of A and five of K.

#include <cmath>
#include <limits>

#include "kernels/grid/nine_point_coefficients.hpp"
#include "kernels/temporal/nine_point_rows.hpp"

namespace wavesim {

/// A row of a matrix that is the same at each point: the entries with the points beside it along x, along y, across corners.
template <class T>
struct ConstantRow {
  T centre = 0, side = 0, vertical = 0, corner = 0;
};

/// Columns from .. to - 1 of a row of the grid have `stiffness` as their rows of K, no damping, and M as above.
template <class T>
struct ConstantStiffness {
  int from = 0, to = 0;
  ConstantRow<T> stiffness;
  HD int columns() const { return to - from; }
};

/// q = m / 288 of a point, from its diagonal entry of M: then M_ij is q_i + q_j across corners, and 10 times that beside
/// one another.
template <class T>
HD T mass_over_288(T diagonal) {
  return diagonal / 200;
}

// A row of (A - D) x, A = M + b K, is a sum over the columns beside the point and its own: of what x gives to the two
// neighbours of a point along its row, q_i times a part and the rest; and of what is above and below. pair: x above + x below;
// y = q x.
template <class T>
HD T times_mass(T x, T pair) {
  return std::fma(T(10), x, pair);
}
/// `row`: b K.
template <class T>
HD T beside_mass(const ConstantRow<T>& row, T x, T pair, T y, T y_pair) {
  return std::fma(T(10), y, y_pair) + to_sides(row.side, x, row.corner, pair);
}
template <class T>
HD T own_column(const ConstantRow<T>& row, T q, T pair, T y_pair) {
  return std::fma(q, T(10) * pair, std::fma(T(10), y_pair, row.vertical * pair));
}
template <class T>
HD T off_diagonal(T q, T times_west, T times_east, T beside_west, T beside_east, T own) {
  return std::fma(q, times_west + times_east, beside_west + beside_east + own);
}
/// The entry of A with the point itself.
template <class T>
HD T diagonal_by_mass(const ConstantRow<T>& row, T q) {
  return std::fma(T(200), q, row.centre);
}
template <class T>
HD ConstantRow<T> times(T b, const ConstantRow<T>& row) {
  return {b * row.centre, b * row.side, b * row.vertical, b * row.corner};
}

template <class T>
class ConstantStiffnessSearch {
 public:
  HD explicit ConstantStiffnessSearch(const NinePointCoefficients<T>& c) : c_(c) {}

  /// Shorter runs cost more than they save.
  static constexpr int shortest = 32;

  /// The longest run of such columns of a row whose points have the linear indices first, first + 1, ...; on a periodic axis x
  /// all of them or none. It asks for entries of the row and of those beside it.
  HD ConstantStiffness<T> longest_in(int row, int first, int pitch) const {
    const int nx = c_.topology.nx;
    ConstantStiffness<T> longest, run;
    for (int col = 0; col < nx; ++col) {
      const Row r{first + col, col, row, pitch, true};
      const Beyond beyond(c_.topology, r);
      const StencilRow<T, NinePoint> K = c_.stiffness.row(r);
      const bool goes_on = run.columns() > 0 && is(run.stiffness, K, beyond);
      const ConstantRow<T> own = goes_on ? run.stiffness : inside(K, beyond);
      // The masses last: where the tension varies, K's first entries tell.
      if (!(goes_on || is(own, K, beyond)) || !means_masses(r, beyond))
        run = {};
      else
        run = {goes_on ? run.from : col, col + 1, own};
      if (run.columns() > longest.columns()) longest = run;
    }
    return longest.columns() >= (c_.topology.wrap_x == 0 ? shortest : nx) ? longest : ConstantStiffness<T>{};
  }

 private:
  /// What rounding may leave between sums of the same numbers, of the size of a row's diagonal.
  HD static T rounding(T of) { return 4 * std::numeric_limits<T>::epsilon() * of; }

  /// Which neighbours are beyond an edge. Vectors are zero there, whatever a row has for them.
  struct Beyond {
    bool at[NinePoint::points];
    HD Beyond(const Topology& t, Row r) {
      for (int k = 0; k < NinePoint::points; ++k) {
        const Offset o = NinePoint::offset(k);
        at[k] = t.beyond(r, o.dx, o.dy);
      }
    }
  };

  /// What a row would be if all of its points were on the grid.
  HD static ConstantRow<T> inside(const StencilRow<T, NinePoint>& K, const Beyond& beyond) {
    using P = NinePoint;
    const bool west = !beyond.at[P::west], south = !beyond.at[P::south];
    return {K[P::centre], K[west ? P::west : P::east], K[south ? P::south : P::north],
            K[south ? (west ? P::south_west : P::south_east) : (west ? P::north_west : P::north_east)]};
  }
  HD static bool is(const ConstantRow<T>& row, const StencilRow<T, NinePoint>& K, const Beyond& beyond) {
    for (int k = 0; k < NinePoint::points; ++k) {
      const Offset o = NinePoint::offset(k);
      const T wanted = o.dx != 0 && o.dy != 0 ? row.corner
                       : o.dx != 0            ? row.side
                       : o.dy != 0            ? row.vertical
                                              : row.centre;
      if (!beyond.at[k] && !(std::abs(K[k] - wanted) <= rounding(row.centre))) return false;
    }
    return row.centre > 0;
  }
  /// Whether the row of M has means of masses, and that of D is zero.
  HD bool means_masses(Row r, const Beyond& beyond) const {
    if (c_.damped()) {
      const StencilRow<T, NinePoint> D = c_.damping.row(r);
      for (int k = 0; k < NinePoint::points; ++k)
        if (!beyond.at[k] && D[k] != 0) return false;
    }
    const StencilRow<T, NinePoint> M = c_.mass.row(r);
    const Neighbours<NinePoint> j = neighbours<NinePoint>(c_.topology, r);
    const T own = M[NinePoint::centre];
    for (int k = 0; k < NinePoint::points; ++k) {
      if (beyond.at[k] || k == NinePoint::centre) continue;
      const Offset o = NinePoint::offset(k);
      const T sum = mass_over_288(own) + mass_over_288(c_.mass.centre[j.at[k]]);
      if (!(std::abs(M[k] - (o.dx != 0 && o.dy != 0 ? sum : 10 * sum)) <= rounding(own))) return false;
    }
    return true;
  }

  const NinePointCoefficients<T>& c_;
};

/// For Backend::groups, a row of the grid each; of a rank its own and `ghosts` beside them. Runs are made one point after the
/// other, by one lane.
template <class T>
struct FindConstantStiffness {
  NinePointCoefficients<T> coefficients;
  Extent extent;
  int ghosts;
  ConstantStiffness<T>* to;
  template <class G>
  HD void operator()(const G& group, int row) const {
    group.each(1, [&](int) {
      to[row] =
          extent.is_near(row, ghosts)
              ? ConstantStiffnessSearch<T>(coefficients).longest_in(row, extent.starts()(row), extent.pitch)
              : ConstantStiffness<T>{};
    });
  }
};

}  // namespace wavesim
