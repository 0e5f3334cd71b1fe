#pragma once
// Explicit steps of eighth order in space and fourth in time (Lax & Wendroff 1964; Dablain 1986, Geophysics 51, 54), in
// one pass over memory or several of them. In units where time steps and spacings are 1, with L the Laplacian times the
// tension, M the mass and D the damping of a whole cell, and forces F:
//   w  = (L u + F)/M                                              which is u_tt
//   p' = (M - beta D)/(M + D/2) p + delta M/(M + D/2) (w + L w/(12 M)) + forces,   u' = u + p',
// for u(n+1) - 2 u(n) + u(n-1) = u_tt + u_tttt/12 + O(dt^6) and M u_tttt = L u_tt + F_tt. The tension is the same
// everywhere. Beyond edges everything goes on by images (mirrored_axis.hpp).

#include <cmath>

#include "kernels/grid/extent.hpp"
#include "kernels/lax_wendroff/mirrored_axis.hpp"
#include "kernels/leapfrog/points_by_row.hpp"

namespace wavesim {

/// Second differences of eighth order: u_xx h^2 = sum over k of eighth_order[k - 1] (u(-k) - 2 u(0) + u(k)).
inline constexpr int eighth_order_reach = 4;
inline constexpr double eighth_order[eighth_order_reach] = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
/// The largest eigenvalue of those along an axis, of the wave that changes sign from point to point.
inline constexpr double largest_of_eighth_order = 4 * (eighth_order[0] + eighth_order[2]);
/// Steps are stable while dt^2 times the largest eigenvalue of M^-1 K is no larger: X - X^2/12 lies between 0 and 4.
inline constexpr double lax_wendroff_limit = 12;

/// The Laplacian times the tension: by distance along x and y.
template <class T>
struct EighthOrderLaplacian {
  T x[eighth_order_reach] = {}, y[eighth_order_reach] = {}, centre = 0;

  EighthOrderLaplacian() = default;
  /// Of faces T dt^2/(m_ref h^2).
  EighthOrderLaplacian(double face_x, double face_y) {
    double sum = 0;
    for (int k = 0; k < eighth_order_reach; ++k) {
      x[k] = T(face_x * eighth_order[k]), y[k] = T(face_y * eighth_order[k]);
      sum += 2 * (face_x + face_y) * eighth_order[k];
    }
    centre = T(-sum);
  }
  /// At a point where the field is `here`; along_x(k) and along_y(k) are k = -4 .. 4 points on. In single precision in
  /// differences, which keep digits where the field is large and changes little; in double precision there are digits
  /// enough, and sums take half as many operations.
  template <class X, class Y>
  HD T operator()(T here, const X& along_x, const Y& along_y) const {
    if constexpr (sizeof(T) == sizeof(double)) {
      T sum = centre * here;
      UNROLL for (int k = 1; k <= eighth_order_reach; ++k) sum =
          std::fma(x[k - 1], along_x(-k) + along_x(k), sum);
      UNROLL for (int k = 1; k <= eighth_order_reach; ++k) sum =
          std::fma(y[k - 1], along_y(-k) + along_y(k), sum);
      return sum;
    } else {
      T sum = x[0] * ((along_x(-1) - here) + (along_x(1) - here));
      UNROLL for (int k = 2; k <= eighth_order_reach; ++k) sum =
          std::fma(x[k - 1], (along_x(-k) - here) + (along_x(k) - here), sum);
      UNROLL for (int k = 1; k <= eighth_order_reach; ++k) sum =
          std::fma(y[k - 1], (along_y(-k) - here) + (along_y(k) - here), sum);
      return sum;
    }
  }
};

/// What a point has beside the Laplacian: 1/M, and M/(M + D/2).
template <class T>
struct LaxWendroffPoint {
  T over_mass, inertia;
  /// p' from p, w and L w, in a step with these weights.
  HD T step(T beta, T delta, T p, T w, T laplacian) const {
    const T rate = std::fma(over_mass * T(1.0 / 12), laplacian, w);
    const T keep = std::fma(T(1) + 2 * beta, inertia, -2 * beta);
    return std::fma(delta * inertia, rate, keep * p);
  }
};

/// `over_mass` null: 1/M is `same_over_mass` everywhere. `inertia` null: no damping.
template <class T>
struct LaxWendroffMedium {
  EighthOrderLaplacian<T> laplacian;
  T same_over_mass = 1;
  const T *over_mass = nullptr, *inertia = nullptr;
};

inline constexpr int lax_wendroff_reach = 2 * eighth_order_reach;  // of a step, in points
inline constexpr long lax_wendroff_least_cells =
    lax_wendroff_reach + 2;  // along an axis: images reach as far
/// How many steps a pass takes at most: on a GPU as many as registers hold.
constexpr int lax_wendroff_steps(bool on_gpu) { return on_gpu ? 2 : 4; }
static_assert(most_ghosts >= 4 * lax_wendroff_reach);

/// What a pass reads and writes: u and p of step n, of step n + K.
template <class T_, bool varies_>
struct LaxWendroffPass {
  using value = T_;
  using T = T_;
  static constexpr bool varies = varies_;  // media are read: over_mass, and inertia if there is any
  Extent extent;
  MirroredAxis x, y;
  LaxWendroffMedium<T> medium;
  T beta = 0, delta = 1;
  const T *u = nullptr, *p = nullptr;
  T *u_to = nullptr, *p_to = nullptr;
  Pushes sources;  // step s adds to w
  Pushes pushes;   // to p' and u'
  Taps<T> taps;

  double bytes() const {
    return double(extent.points()) * (4 + varies + (medium.inertia != nullptr)) * sizeof(T);
  }
};

}  // namespace wavesim
