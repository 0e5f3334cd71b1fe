#pragma once
// A system of five points beside one of nine, for preconditioners that know no other: M and D lumped, and faces that
// let through what the nine points do of fields that are linear along an axis. The quotient x'A x / x'A5 x lies between
// 4/9 and 1 in a constant medium, so A5^-1 and what approximates it precondition A at any size and time step.

#include "kernels/grid/nine_point_coefficients.hpp"
#include "kernels/memory/field.hpp"
#include "solvers/core/operator.hpp"

namespace wavesim {

/// Of a constant medium: a cell's entries, summed up.
template <class T>
UniformCoefficients<T> lumped(const UniformNinePointCoefficients<T>& c) {
  const auto whole = [](const CornerEntries<T>& e) {
    return 4 * (e.own + e.along_x + e.along_y + e.opposite);
  };
  UniformCoefficients<T> five;
  five.topology = c.topology;
  five.mass = whole(c.mass);
  five.damping = whole(c.damping);
  five.face_x = -2 * (c.stiffness.along_x + c.stiffness.opposite);
  five.face_y = -2 * (c.stiffness.along_y + c.stiffness.opposite);
  for (int side = 0; side < 4; ++side) {
    const bool wraps = (side < 2 ? c.topology.wrap_x : c.topology.wrap_y) != 0;
    const T face = side < 2 ? five.face_x : five.face_y;
    five.edge[side] = wraps ? face : c.cells_beyond[side] ? -face : T(0);
    five.half[side] = c.cells_beyond[side] ? T(1) : T(0.5);
    five.radiation[side] = c.radiation[side];
  }
  return five;
}

/// The fields of a varying medium's five points.
template <class B, class T>
class LumpedMedium {
 public:
  using Vector = Field<B, T>;
  using Nine = NinePointCoefficients<T>;
  static constexpr int ghosts = most_ghosts / 2;  // rows of other ranks; more of the nine points' are there
  LumpedMedium(B& backend, Extent e, const Nine& c)
      : be_(backend), mass_(backend, e), east_(backend, e), north_(backend, e) {
    lump("lumped mass", c.mass, mass_);
    if (c.damped()) {
      damping_ = Vector(backend, e);
      lump("lumped damping", c.damping, damping_);
    }
    couple(c);
    hold(c);
  }
  VariableCoefficients<T> view(const Topology& t) const {
    return {t, mass_.data(), damping_.extent().nx ? damping_.data() : nullptr, east_.data(), north_.data()};
  }

  // Public for nvcc, which takes kernels from public members only.
  void lump(const char* label, const NinePointMatrix<T>& from, Vector& to) {
    be_.rows_with_ghosts(
        label, Rows{to.extent(), true}, ghosts, 0.5 * Nine::words * sizeof(T),
        [=] KERNEL(Row r, T & lumped) { lumped = sum(from.row(r)); }, to.out());
  }
  /// Of a pair of points across a corner each of the two rows has a half. Round a periodic axis the face stands beside
  /// both edges.
  void couple(const Nine& c) {
    T *const east = east_.data(), *const north = north_.data();
    const Topology t = c.topology;
    const RowStarts starts = mass_.extent().starts();
    be_.rows_with_ghosts(
        "faces of five points", Rows{mass_.extent(), true}, ghosts, 2 * Nine::words * sizeof(T),
        [=] KERNEL(Row r) {
          using At = NinePoint;
          const StencilRow<T, NinePoint> own = c.stiffness.row(r);
          StencilRow<T, NinePoint> right{}, above{};
          if (!t.template beyond<1, 0>(r)) right = c.stiffness.row(at(t, t.east(r), starts));
          if (!t.template beyond<0, 1>(r)) above = c.stiffness.row(at(t, t.north(r), starts));
          const T half = T(0.5);
          const T x = -own[At::east] - half * (own[At::north_east] + own[At::south_east] +
                                               right[At::north_west] + right[At::south_west]);
          const T y = -own[At::north] - half * (own[At::north_east] + own[At::north_west] +
                                                above[At::south_east] + above[At::south_west]);
          east[r.i] = x > 0 && own[At::east] != 0 ? x : T(0);
          north[r.i] = y > 0 && own[At::north] != 0 ? y : T(0);
          if (t.wrap_x != 0 && r.col == t.nx - 1) east[r.i - t.nx] = east[r.i];
          if (t.wrap_y != 0 && r.row == t.ny - 1) north[r.i - t.ny * r.pitch] = north[r.i];
        });
  }
  /// What is left of a row of K holds its point to neighbours that are no unknowns.
  void hold(const Nine& c) {
    T *const east = east_.data(), *const north = north_.data();
    const RowStarts starts = mass_.extent().starts();
    be_.rows_with_ghosts("faces to what is fixed", Rows{mass_.extent(), true}, ghosts,
                         Nine::words * sizeof(T), [=] KERNEL(Row r) {
                           const StencilRow<T, NinePoint> own = c.stiffness.row(r);
                           const T held = sum(own);
                           if (!couples(own) || !(held > T(1e-6) * own[NinePoint::centre])) return;
                           const bool open[4] = {
                               is_missing(c, r, -1, 0, starts), is_missing(c, r, 1, 0, starts),
                               is_missing(c, r, 0, -1, starts), is_missing(c, r, 0, 1, starts)};
                           const int n = int(open[0]) + int(open[1]) + int(open[2]) + int(open[3]);
                           if (n == 0) return;
                           const T face = -held / T(n);
                           if (open[0]) east[r.i - 1] = face;
                           if (open[1]) east[r.i] = face;
                           if (open[2]) north[r.i - r.pitch] = face;
                           if (open[3]) north[r.i] = face;
                         });
  }
  HD static T sum(const StencilRow<T, NinePoint>& row) {
    T s = 0;
    UNROLL for (int k = 0; k < NinePoint::points; ++k) s += row[k];
    return s;
  }
  HD static Row at(const Topology& t, int i, const RowStarts& starts) {
    const int row = starts.row_of(i), col = i % starts.pitch;
    return {i, col, row, starts.pitch, col == 0 || row == 0 || col == t.nx - 1 || row == t.ny - 1};
  }
  HD static bool couples(const StencilRow<T, NinePoint>& row) {
    bool any = false;
    UNROLL for (int k = 0; k < NinePoint::points; ++k) any = any || (k != NinePoint::centre && row[k] != 0);
    return any;
  }
  /// Whether there is no unknown on a side of a point: an edge, or a point of which nothing couples.
  HD static bool is_missing(const Nine& c, Row r, int dx, int dy, const RowStarts& starts) {
    const Topology& t = c.topology;
    const int col = r.col + dx, row = r.row + dy;
    if (col < 0 || col >= t.nx) return t.wrap_x == 0;
    if (row < 0 || row >= t.ny) return t.wrap_y == 0;
    return !couples(c.stiffness.row(at(t, r.i + dx + dy * r.pitch, starts)));
  }

 private:
  B& be_;
  Vector mass_, damping_, east_, north_;
};

}  // namespace wavesim
