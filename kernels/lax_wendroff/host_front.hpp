#pragma once
// The front that goes up a strip of columns in passes of steps of eighth order on a CPU (lax_wendroff_host.hpp). When row
// f of u(n) arrives, step s computes w in row f - 8 s + 4 and u' in row f - 8 s: both want four rows on either side. A
// strip and a chunk of rows begin 8 K points early and end 8 K late; beyond edges these are images.

#include <algorithm>

#include "kernels/lax_wendroff/lax_wendroff.hpp"
#include "kernels/leapfrog/host_rows_in_flight.hpp"
#include "kernels/memory/stream_store.hpp"

namespace wavesim::lax_wendroff {

template <int K, class Pass>
class HostFront {
  using T = typename Pass::value;
  static constexpr bool varies = Pass::varies;
  static constexpr int reach = eighth_order_reach, lag = lax_wendroff_reach, halo = lag * K;

 public:
  /// For strips of up to `inner` columns. `past_caches`: what leaves will have left the caches before it is read again.
  HostFront(const Pass& pass, int inner, bool past_caches)
      : pass_(pass),
        inner_(inner),
        past_caches_(past_caches),
        copies_(inner + 2 * halo),
        steps_(inner + 2 * halo) {}

  /// Rows row0 .. row1 - 1 of a strip.
  void go_up(int strip, int row0, int row1) {
    const int own = strip * inner_, end = std::min(pass_.extent.nx, own + inner_);
    first_ = own - halo;
    width_ = end - own + 2 * halo;
    has_images_ = !pass_.x.within(own - halo, end + halo);
    for (int f = row0 - halo; f < row1 + halo; ++f) {
      arrive(f);
      for (int s = 1; s <= K; ++s) {
        const int beside = lag * (K - s);  // rows of a neighbour's that the next steps need
        if (const int row = f - lag * s + reach; row >= row0 - beside - reach && row < row1 + beside + reach)
          accelerate(s, row);
        if (const int row = f - lag * s; row >= row0 - beside && row < row1 + beside)
          step(s, row, row >= row0 && row < row1);
      }
    }
  }

 private:
  enum Copied { of_u, of_p, of_over_mass, of_inertia, copied };
  /// Rings of what each step has left: u', p' and w.
  static constexpr int left_u(int s) { return 3 * (s - 1); }
  static constexpr int left_p(int s) { return 3 * (s - 1) + 1; }
  static constexpr int left_w(int s) { return 3 * (s - 1) + 2; }

  long line(int row) const { return long(row) * pass_.extent.pitch + first_; }
  /// Whether a row of the strip lies in memory as it is.
  bool in_memory(int row) const { return !has_images_ && row >= 0 && row < pass_.extent.ny; }
  const T* row_of(Copied which, const T* field, int row) {
    return in_memory(row) ? field + line(row) : copies_.at(which, row);
  }
  const T* left_by(int s, int row) { return s == 0 ? row_of(of_u, pass_.u, row) : steps_.at(left_u(s), row); }

  void arrive(int row) {
    if (in_memory(row)) return fetch(row + 2);
    const MirroredAxis::Place y = pass_.y.place(row);
    const auto copy = [&](Copied which, const T* field, bool with_sign) {
      if (!field) return;
      const T* const from = field + long(y.at) * pass_.extent.pitch;
      T* const to = copies_.at(which, row);
      const int low = std::max(0, -first_), high = std::min(width_, pass_.extent.nx - first_);
      const auto image = [&](int k) {
        const MirroredAxis::Place x = pass_.x.place(first_ + k);
        to[k] = with_sign ? T(x.sign * y.sign) * from[x.at] : from[x.at];
      };
      for (int k = 0; k < low; ++k) image(k);
      for (int k = high; k < width_; ++k) image(k);
      const T sign = with_sign ? T(y.sign) : T(1);
      SIMD for (int k = low; k < high; ++k) to[k] = sign * from[first_ + k];
    };
    copy(of_u, pass_.u, true), copy(of_p, pass_.p, true);
    if constexpr (varies)
      copy(of_over_mass, pass_.medium.over_mass, false), copy(of_inertia, pass_.medium.inertia, false);
  }
  /// Rows of a strip are short, and each begins on a page of its own, so that the machine does not see them come.
  void fetch(int row) const {
    if (row >= pass_.extent.ny) return;
    const auto one = [&](const T* field) {
      if (!field) return;
      const T* const at = field + line(row);
      for (int k = 0; k < width_; k += int(cache_line / sizeof(T))) __builtin_prefetch(at + k);
    };
    one(pass_.u), one(pass_.p);
    if constexpr (varies) one(pass_.medium.over_mass), one(pass_.medium.inertia);
  }

  /// The rows that a Laplacian wants.
  struct Rows {
    const T* at[2 * reach + 1];
    T laplacian(const EighthOrderLaplacian<T>& L, int k) const {
      const T* const here = at[reach];
      return L(
          here[k], [&](int x) { return here[k + x]; }, [&](int y) { return at[reach + y][k]; });
    }
  };
  template <class RowAt>
  static Rows rows(int row, const RowAt& row_at) {
    Rows r;
    for (int k = -reach; k <= reach; ++k) r.at[reach + k] = row_at(row + k);
    return r;
  }

  /// w in a row, from u of the step before.
  void accelerate(int s, int row) {
    const Rows u = rows(row, [&](int at) { return left_by(s - 1, at); });
    T* const w = steps_.at(left_w(s), row);
    const int beside = lag * (K - s) + reach, a = halo - beside, b = width_ - halo + beside;
    const EighthOrderLaplacian<T> L = pass_.medium.laplacian;
    if constexpr (varies) {
      const T* const over_mass = row_of(of_over_mass, pass_.medium.over_mass, row);
      SIMD for (int k = a; k < b; ++k) w[k] = over_mass[k] * u.laplacian(L, k);
    } else {
      const T over_mass = pass_.medium.same_over_mass;
      SIMD for (int k = a; k < b; ++k) w[k] = over_mass * u.laplacian(L, k);
    }
    push(pass_.sources, s, row, a, b, [&](int k, double x) { Pushes::push(x, w[k]); });
  }

  /// u' and p' in a row.
  void step(int s, int row, bool own) {
    const Rows w = rows(row, [&](int at) { return steps_.at(left_w(s), at); });
    const T* const u = left_by(s - 1, row);
    const T* const p = s == 1 ? row_of(of_p, pass_.p, row) : steps_.at(left_p(s - 1), row);
    const bool last = s == K, leaves = last && !past_caches_;
    T* const u_to = leaves ? pass_.u_to + line(row) : steps_.at(left_u(s), row);
    T* const p_to = leaves ? pass_.p_to + line(row) : steps_.at(left_p(s), row);
    const int beside = lag * (K - s), a = halo - beside, b = width_ - halo + beside;
    const EighthOrderLaplacian<T> L = pass_.medium.laplacian;
    const T beta = pass_.beta, delta = pass_.delta;
    const auto go = [=](auto point) {
      SIMD for (int k = a; k < b; ++k) {
        p_to[k] = point(k).step(beta, delta, p[k], w.at[reach][k], w.laplacian(L, k));
        u_to[k] = u[k] + p_to[k];
      }
    };
    if constexpr (varies) {
      const T* const over_mass = row_of(of_over_mass, pass_.medium.over_mass, row);
      if (pass_.medium.inertia) {
        const T* const inertia = row_of(of_inertia, pass_.medium.inertia, row);
        go([=](int k) { return LaxWendroffPoint<T>{over_mass[k], inertia[k]}; });
      } else {
        go([=](int k) { return LaxWendroffPoint<T>{over_mass[k], T(1)}; });
      }
    } else {
      const LaxWendroffPoint<T> point{pass_.medium.same_over_mass, T(1)};
      go([=](int) { return point; });
    }
    push(pass_.pushes, s, row, a, b, [&](int k, double x) { Pushes::push(x, p_to[k], u_to[k]); });
    if (!own) return;
    const int from = halo, to = width_ - halo;
    pass_.taps.points.each(row, first_ + from, first_ + to,
                           [&](int k, int col) { pass_.taps.tap(k, s, u_to[col - first_]); });
    if (!last || leaves) return;
    stream(u_to + from, to - from, pass_.u_to + line(row) + from);
    stream(p_to + from, to - from, pass_.p_to + line(row) + from);
  }
  /// f(column of the strip, what step s adds there) in columns a .. b - 1 of a row.
  template <class F>
  void push(const Pushes& pushes, int s, int row, int a, int b, const F& f) const {
    if (!pushes.points.first) return;
    const MirroredAxis::Place y = pass_.y.place(row);
    if (!has_images_)
      return pushes.each(s, y.at, first_ + a, first_ + b,
                         [&](int col, double x) { f(col - first_, y.sign * x); });
    pushes.each(s, y.at, 0, pass_.extent.nx, [&](int col, double x) {
      pass_.x.each_image(col, first_ + a, first_ + b,
                         [&](int at, int sign) { f(at - first_, y.sign * sign * x); });
    });
  }

  const Pass pass_;
  const int inner_;
  const bool past_caches_;
  int first_ = 0, width_ = 0;  // column of the domain that is column 0 of the strip, and its columns
  bool has_images_ = false;    // beyond the left or right edge
  leapfrog::RowsInFlight<T, copied, halo + 2> copies_;
  leapfrog::RowsInFlight<T, 3 * K, lag + 2> steps_;
};

}  // namespace wavesim::lax_wendroff
