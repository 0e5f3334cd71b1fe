#pragma once
// K steps of the leapfrog in one pass over memory: temporal blocking by a moving front, as in blocked_sweeps.hpp. A
// strip of columns is gone through from below. When row f of u(n) arrives, step s = 1 .. K is done in row f - s, and row
// f - K of u(n+K) leaves. Strips and chunks of rows overlap by K points, which are computed twice.
//
// A step at a point, where p = u(n) - u(n-1), M and D are mass and damping, and t_j its faces:
//   p' = (M - beta D)/(M + D/2) p + delta/(M + D/2) sum of t_j (u_j - u) + forces,   u' = u + p'
// in the same order on both backends. A state that is constant stays so to the last digit, because it is differences
// that are multiplied.

#include "kernels/grid/coefficients.hpp"
#include "kernels/leapfrog/points_by_row.hpp"
#include "kernels/numbers/reciprocal.hpp"
#include "kernels/temporal/block_plan.hpp"
#include "kernels/temporal/scaled_row.hpp"

namespace wavesim {

/// The weights of a form of steps (StepForm).
template <class T>
struct LeapfrogWeights {
  T beta = 0, delta = 1;
  /// What p, and what faces are multiplied by.
  HD T keep(T mass, T damping) const { return (mass - beta * damping) * over_mass(mass, damping); }
  HD T inverse(T mass, T damping) const { return delta * over_mass(mass, damping); }
  HD static T over_mass(T mass, T damping) { return inverse_or_zero(mass + T(0.5) * damping); }
};

/// A point of a constant medium: what multiplies p and the differences to its neighbours.
template <class T>
struct LeapfrogRow {
  T keep = 0, south = 0, west = 0, east = 0, north = 0;

  static LeapfrogRow of(const Point<T>& at, const LeapfrogWeights<T>& weights) {
    const T inverse = weights.inverse(at.mass, at.damping);
    const auto scaled = [&](T face) { return inverse * Point<T>::magnitude(face); };
    return {weights.keep(at.mass, at.damping), scaled(at.south), scaled(at.west), scaled(at.east),
            scaled(at.north)};
  }
  /// p' but for the northern neighbour, which a front has last; and with it.
  HD T but_north(T p, T u, T u_south, T u_west, T u_east) const {
    T y = keep * p;
    y = std::fma(south, u_south - u, y);
    y = std::fma(west, u_west - u, y);
    return std::fma(east, u_east - u, y);
  }
  HD T with_north(T y, T u, T u_north) const { return std::fma(north, u_north - u, y); }
};

/// Constant medium: its points by their row and column (scaled_row.hpp). Beyond fixed edges lie zeros.
template <class T>
struct UniformLeapfrog {
  using value = T;
  static constexpr bool varies = false;
  static constexpr int words = 0;  // read for each point
  Topology topology;
  LeapfrogRow<T> kinds[row_classes][row_classes];

  UniformLeapfrog() = default;
  UniformLeapfrog(const UniformCoefficients<T>& c, const LeapfrogWeights<T>& weights) : topology(c.topology) {
    for (int row = 0; row < no_row; ++row)
      for (int column = 0; column < no_row; ++column) {
        const temporal::Ends x(column, topology.nx), y(row, topology.ny);
        kinds[row][column] = LeapfrogRow<T>::of(c.along(x.first, x.last, y.first, y.last), weights);
      }
  }
  HD T step(Row r, const T* u, T p) const {
    const LeapfrogRow<T>& a = kinds[row_class(r.row, topology)][column_class(r.col, topology)];
    const T y = a.but_north(p, u[r.i], u[topology.south(r)], u[topology.west(r)], u[topology.east(r)]);
    return a.with_north(y, u[r.i], u[topology.north(r)]);
  }
};

/// Any medium: faces as VariableCoefficients have them, and what they and p are multiplied by. `keep` null: no damping.
template <class T>
struct VaryingLeapfrog {
  using value = T;
  static constexpr bool varies = true;
  static constexpr int words = 4;
  Topology topology;
  const T *east = nullptr, *north = nullptr, *inverse = nullptr, *keep = nullptr;

  /// The pull of a neighbour through a face, added to y. Where the face is negative the neighbour is held at zero.
  HD static T pulled(T y, T face, T neighbour, T u) {
    return std::fma(Point<T>::magnitude(face), (face > 0 ? neighbour : T(0)) - u, y);
  }
  HD static T first_pull(T face, T neighbour, T u) {
    return Point<T>::magnitude(face) * ((face > 0 ? neighbour : T(0)) - u);
  }
  HD static T but_north(T u, T south, T u_south, T west, T u_west, T east, T u_east) {
    T y = first_pull(south, u_south, u);
    y = pulled(y, west, u_west, u);
    return pulled(y, east, u_east, u);
  }
  HD T step(Row r, const T* u, T p) const {
    return step(r.i, r.pitch, u[r.i], p, u[topology.south(r)], u[topology.west(r)], u[topology.east(r)],
                u[topology.north(r)]);
  }
  /// At element i of fields whose rows are `pitch` apart, from u there and at its neighbours.
  HD T step(int i, int pitch, T u, T p, T u_south, T u_west, T u_east, T u_north) const {
    T y = but_north(u, north[i - pitch], u_south, east[i - 1], u_west, east[i], u_east);
    y = pulled(y, north[i], u_north, u);
    return std::fma(inverse[i], y, keep ? keep[i] * p : p);
  }
};

inline constexpr int most_leapfrog_steps = 8;  // of a pass
/// Steps of passes that follow each other in one launch, at most.
inline constexpr int most_steps_of_a_launch = 64;

/// What one of several passes reads and writes: u and p of step n, of step n + K. `done`: steps of the passes before it.
template <class T>
struct LeapfrogFields {
  const T *u, *p;
  T *u_to, *p_to;
  int done = 0;
};

/// A pass, or several one after the other, each from where the one before has left u and p. With `tracks` the largest |u| so far and the first time
/// that it was above the threshold, null where one is not wanted.
template <class Medium_, bool tracks_>
struct LeapfrogPass {
  using Medium = Medium_;
  using value = typename Medium::value;
  using T = value;
  static constexpr bool tracks = tracks_;
  Extent extent;  // its own rows are those that are left in u_to and p_to
  ColumnRange columns;
  Medium medium;
  T *u = nullptr, *p = nullptr;
  T *u_to = nullptr, *p_to = nullptr;
  T *maximum = nullptr, *arrival = nullptr, threshold = 0;
  double dt = 0;
  long first_step = 0;
  Pushes pushes;
  Taps<T> taps;

  /// After s steps.
  HD T time(int s) const { return T(dt * double(first_step + s)); }
  /// Of pass number n of those that take K steps each.
  HD LeapfrogFields<T> fields(int n, int K) const {
    if (n % 2 != 0) return {u_to, p_to, u, p, n * K};
    return {u, p, u_to, p_to, n * K};
  }

  double bytes() const {
    const int read = 2 + Medium::words + 2 * (maximum != nullptr) + 2 * (arrival != nullptr);
    return double(extent.end_own() - extent.first_own) * (columns.to - columns.from) * (read + 2) * sizeof(T);
  }
};

/// How the blocks of a GPU have a pass of K steps, `blocks` at once. In a varying medium a margin has the face left of column 0.
template <class Pass>
BlockPlan plan_pass(const Pass& pass, int K, int blocks) {
  const bool ends = !Pass::Medium::varies && pass.medium.topology.wrap_x == 0 && pass.columns.from == 0 &&
                    pass.columns.to == pass.extent.nx;
  return plan_blocks<typename Pass::value>(pass.extent, pass.columns, K - 1, blocks, ends);
}

/// How many steps a pass takes at most: on a GPU as many as registers hold.
constexpr int leapfrog_steps(bool on_gpu, bool varies, bool tracks) {
  return !on_gpu || !(varies || tracks) ? most_leapfrog_steps : tracks ? 4 : 6;
}

}  // namespace wavesim
