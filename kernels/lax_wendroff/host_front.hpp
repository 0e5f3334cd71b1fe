#pragma once
// The front that goes up a strip of columns in passes of steps of eighth order on a CPU (lax_wendroff_host.hpp). When row
// f of u(n) arrives, step s computes w in row f - 8 s + 4 and u' in row f - 8 s: both want four rows on either side. Two
// rows arrive at once, so that what is loaded of a column serves both. A strip and a chunk of rows begin 8 K points early
// and end 8 K late, or with the domain; four points beyond its edges are images of what was computed
// (mirrored_axis.hpp), on a periodic axis the points of the other side.

#include <algorithm>
#include <type_traits>

#include "kernels/lax_wendroff/host_laplacians.hpp"
#include "kernels/leapfrog/host_rows_in_flight.hpp"
#include "kernels/memory/prefetch.hpp"
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
        arrived_(inner + 2 * halo),
        wrapped_(pass.x.periodic ? inner + 2 * halo : 0),
        steps_(inner + 2 * halo) {}

  /// Rows row0 .. row1 - 1 of a strip.
  void go_up(int strip, int row0, int row1) {
    const int nx = pass_.extent.nx, own = strip * inner_, end = std::min(nx, own + inner_);
    first_ = own - halo;
    width_ = end - own + 2 * halo;
    wraps_ = pass_.x.periodic && !pass_.x.within(own - halo, end + halo);
    low_ = pass_.x.periodic ? 0 : std::max(0, -first_);
    high_ = pass_.x.periodic ? width_ : std::min(width_, nx - first_);
    at_edge_ = !pass_.x.periodic && (first_ < 0 || first_ + width_ > nx);
    if (at_edge_)
      for (int k = 0; k < reach; ++k)
        low_images_[k] = pass_.x.place(-1 - k), high_images_[k] = pass_.x.place(nx + k);
    row0_ = row0, row1_ = row1;
    for (int f = pass_.y.periodic ? row0 - halo : std::max(row0 - halo, -reach); f < row1 + halo; f += 2) {
      arrive(f), arrive(f + 1);
      for (int s = 1; s <= K; ++s) {
        fetch(f + 2, {s - 1, K}), fetch(f + 3, {s - 1, K});
        const int beside = lag * (K - s);  // rows of a neighbour's that the next steps need
        two_rows(f - lag * s + reach, beside + reach, left_w(s),
                 [&](auto rows, int row) { accelerate<rows>(s, row); });
        two_rows(f - lag * s, beside, left_u(s), [&](auto rows, int row) { step<rows>(s, row); });
      }
    }
  }

 private:
  enum Wrapped { of_p, of_over_mass, of_inertia, wrapped };
  /// Rings of what each step has left: u', p' and w.
  static constexpr int left_u(int s) { return 3 * (s - 1); }
  static constexpr int left_p(int s) { return 3 * (s - 1) + 1; }
  static constexpr int left_w(int s) { return 3 * (s - 1) + 2; }

  /// Calls compute(how many, row) for rows `row` and `row` + 1, for both at once where it can, if the chunk wants them: its own rows
  /// and `beside` rows on either side. Rows above the domain are images.
  template <class F>
  void two_rows(int row, int beside, int kind, const F& compute) {
    const auto wanted = [&](int row) { return row >= row0_ - beside && row < row1_ + beside; };
    if (wanted(row) && wanted(row + 1) && in_domain(row) && in_domain(row + 1))
      return compute(std::integral_constant<int, 2>{}, row);
    for (const int one : {row, row + 1})
      if (wanted(one) && in_domain(one))
        compute(std::integral_constant<int, 1>{}, one);
      else if (wanted(one))
        reflect_above(kind, one);
  }
  bool in_domain(int row) const { return pass_.y.periodic || (row >= 0 && row < pass_.extent.ny); }
  long line(int row) const {
    return long(pass_.extent.index(pass_.y.periodic ? ring(row, pass_.extent.ny) : row, first_));
  }
  /// A row of the domain: in memory, but where a strip goes round.
  const T* row_of(Wrapped which, const T* field, int row) {
    return wraps_ ? wrapped_.at(which, row) : field + line(row);
  }

  void arrive(int row) {
    const int ny = pass_.extent.ny;
    if (!pass_.y.periodic && row >= ny + reach) return;
    if (in_domain(row)) {
      if (wraps_) copy(pass_.p, row, wrapped_.at(of_p, row));
      if constexpr (varies)
        if (wraps_) {
          copy(pass_.medium.over_mass, row, wrapped_.at(of_over_mass, row));
          copy(pass_.medium.inertia, row, wrapped_.at(of_inertia, row));
        }
    }
    if (!wraps_ && !at_edge_ && in_domain(row)) return;
    copy(pass_.u, row, arrived_.at(0, row));
    reflect_columns(arrived_.at(0, row), low_, high_);
  }
  /// Rows beyond the domain: of u only.
  void copy(const T* field, int row, T* to) {
    if (!field) return;
    const MirroredAxis::Place y = pass_.y.place(row);
    const T* const from = field + pass_.extent.index(y.at, 0);
    const int nx = pass_.extent.nx, low = std::max(0, -first_), high = std::min(width_, nx - first_);
    const T sign = T(y.sign);
    if (wraps_) {
      for (int k = 0; k < low; ++k) to[k] = sign * from[pass_.x.place(first_ + k).at];
      for (int k = high; k < width_; ++k) to[k] = sign * from[pass_.x.place(first_ + k).at];
    }
    SIMD for (int k = low; k < high; ++k) to[k] = sign * from[first_ + k];
  }
  /// Rows of a strip are short, and each begins on a page of its own, so that the machine does not see them come.
  void fetch(int row, PartOfRow part) const {
    if (!in_domain(row)) return;
    const auto one = [&](const T* field) {
      if (field) prefetch(field + line(row) + low_, high_ - low_, part);
    };
    one(pass_.u), one(pass_.p);
    if constexpr (varies) one(pass_.medium.over_mass), one(pass_.medium.inertia);
  }

  /// The images beyond the sides of a row that was computed in columns a .. b - 1.
  void reflect_columns(T* row, int a, int b) const {
    if (!at_edge_) return;
    T* const domain = row - first_;
    if (first_ < 0 && a == low_)
      for (int k = 0; k < reach; ++k) domain[-1 - k] = T(low_images_[k].sign) * domain[low_images_[k].at];
    const int nx = pass_.extent.nx;
    if (first_ + width_ > nx && b == high_)
      for (int k = 0; k < reach; ++k) domain[nx + k] = T(high_images_[k].sign) * domain[high_images_[k].at];
  }
  void reflect(int kind, int row) {
    const MirroredAxis::Place y = pass_.y.place(row);
    const T* const from = steps_.at(kind, y.at);
    T* const to = steps_.at(kind, row);
    const T sign = T(y.sign);
    SIMD for (int k = low_ - reach; k < high_ + reach; ++k) to[k] = sign * from[k];
  }
  /// A row above the domain, when its turn comes.
  void reflect_above(int kind, int row) {
    if (row >= pass_.extent.ny && row < pass_.extent.ny + reach) reflect(kind, row);
  }
  /// The rows below the domain whose images lie in a row that was computed now.
  void reflect_below(int kind, int row) {
    if (pass_.y.periodic || row > reach) return;
    for (int below = -reach; below < 0; ++below)
      if (pass_.y.place(below).at == row) reflect(kind, below);
  }

  template <int n>
  using Rows = RowsAround<T, n>;
  /// Of a ring, about n rows from `row` on.
  template <int n>
  static Rows<n> rows(auto& rings, int kind, int row) {
    Rows<n> at;
    rings.consecutive(kind, row - reach, at);
    return at;
  }
  /// Of u that step s has left.
  template <int n>
  Rows<n> rows_left_by(int s, int row) {
    if (s > 0) return rows<n>(steps_, left_u(s), row);
    if (wraps_ || at_edge_) return rows<n>(arrived_, 0, row);
    Rows<n> at;
    for (int k = 0; k < int(at.size()); ++k) at[k] = u_of(row - reach + k);
    return at;
  }
  /// A row of what the pass began with.
  const T* u_of(int row) {
    return wraps_ || at_edge_ || !in_domain(row) ? arrived_.at(0, row) : pass_.u + line(row);
  }
  /// The columns of a row that are computed with `beside` columns on either side of the strip's own.
  int first_of(int beside) const { return std::max(halo - beside, low_); }
  int end_of(int beside) const { return std::min(width_ - halo + beside, high_); }
  /// Where a row's loop may end that is to end at b: after whole registers. Columns beyond b are written to rings alone, whose
  /// rows have room for them; of a field they are only read, from the next row or the ghost row.
  static int whole_registers(int a, int b) {
    constexpr int each = int(cache_line / sizeof(T));
    static_assert(each <= pitch_alignment);
    return a + (b - a + each - 1) / each * each;
  }

  /// w in n rows, from u of the step before.
  template <int n>
  void accelerate(int s, int row) {
    const Rows<n> u = rows_left_by<n>(s - 1, row);
    const auto w = each_of_rows<n>(row, [&](int row) { return steps_.at(left_w(s), row); });
    const int beside = lag * (K - s) + reach, a = first_of(beside), b = end_of(beside);
    if constexpr (varies) {
      const auto over_mass =
          each_of_rows<n>(row, [&](int row) { return row_of(of_over_mass, pass_.medium.over_mass, row); });
      with_laplacians<n>(pass_.medium.laplacian, u, a, whole_registers(a, b),
                         [=](int j, int k, T laplacian) { w[j][k] = over_mass[j][k] * laplacian; });
    } else {
      const T over_mass = pass_.medium.same_over_mass;
      with_laplacians<n>(pass_.medium.laplacian, u, a, whole_registers(a, b),
                         [=](int j, int k, T laplacian) { w[j][k] = over_mass * laplacian; });
    }
    for (int j = 0; j < n; ++j) {
      push(pass_.sources, s, row + j, a, b, [&](int k, double x) { Pushes::push(x, w[j][k]); });
      reflect_columns(w[j], a, b);
      reflect_below(left_w(s), row + j);
    }
  }

  /// u' and p' in n rows.
  template <int n>
  void step(int s, int row) {
    const bool leaves = s == K && !past_caches_;
    const auto w = rows<n>(steps_, left_w(s), row);
    const auto u =
        each_of_rows<n>(row, [&](int row) { return s > 1 ? steps_.at(left_u(s - 1), row) : u_of(row); });
    const auto p = each_of_rows<n>(
        row, [&](int row) { return s > 1 ? steps_.at(left_p(s - 1), row) : row_of(of_p, pass_.p, row); });
    const auto u_to = each_of_rows<n>(
        row, [&](int row) { return leaves ? pass_.u_to + line(row) : steps_.at(left_u(s), row); });
    const auto p_to = each_of_rows<n>(
        row, [&](int row) { return leaves ? pass_.p_to + line(row) : steps_.at(left_p(s), row); });
    const int beside = lag * (K - s), a = first_of(beside), b = end_of(beside);
    const T beta = pass_.beta, delta = pass_.delta;
    const auto go = [&](auto point) {
      with_laplacians<n>(pass_.medium.laplacian, w, a, leaves ? b : whole_registers(a, b),
                         [=](int j, int k, T laplacian) {
                           const T p_now = point(j, k).step(beta, delta, p[j][k], w[j + reach][k], laplacian);
                           p_to[j][k] = p_now;
                           u_to[j][k] = u[j][k] + p_now;
                         });
    };
    if constexpr (varies) {
      const auto over_mass =
          each_of_rows<n>(row, [&](int row) { return row_of(of_over_mass, pass_.medium.over_mass, row); });
      if (pass_.medium.inertia) {
        const auto inertia =
            each_of_rows<n>(row, [&](int row) { return row_of(of_inertia, pass_.medium.inertia, row); });
        go([=](int j, int k) { return LaxWendroffPoint<T>{over_mass[j][k], inertia[j][k]}; });
      } else {
        go([=](int j, int k) { return LaxWendroffPoint<T>{over_mass[j][k], T(1)}; });
      }
    } else {
      const LaxWendroffPoint<T> point{pass_.medium.same_over_mass, T(1)};
      go([=](int, int) { return point; });
    }
    for (int j = 0; j < n; ++j) leave(s, row + j, a, b, p_to[j], u_to[j]);
  }
  /// A row that step s has computed in columns a .. b - 1.
  void leave(int s, int row, int a, int b, T* p_to, T* u_to) {
    push(pass_.pushes, s, row, a, b, [&](int k, double x) { Pushes::push(x, p_to[k], u_to[k]); });
    const bool last = s == K;
    if (!last) {
      reflect_columns(u_to, a, b);
      reflect_below(left_u(s), row);
    }
    if (row < row0_ || row >= row1_) return;
    const int from = halo, to = width_ - halo;
    pass_.taps.points.each(row, first_ + from, first_ + to,
                           [&](int k, int col) { pass_.taps.tap(k, s, u_to[col - first_]); });
    if (!last || !past_caches_) return;
    stream(u_to + from, to - from, pass_.u_to + line(row) + from);
    stream(p_to + from, to - from, pass_.p_to + line(row) + from);
  }
  /// f(column of the strip, what step s adds there) in columns a .. b - 1 of a row.
  template <class F>
  void push(const Pushes& pushes, int s, int row, int a, int b, const F& f) const {
    if (!pushes.points.first) return;
    const int at = pass_.y.place(row).at;
    if (!wraps_)
      return pushes.each(s, at, first_ + a, first_ + b, [&](int col, double x) { f(col - first_, x); });
    pushes.each(s, at, 0, pass_.extent.nx, [&](int col, double x) {
      pass_.x.each_time_round(col, first_ + a, first_ + b, [&](int k) { f(k - first_, x); });
    });
  }

  const Pass pass_;
  const int inner_;
  const bool past_caches_;
  int row0_ = 0, row1_ = 0;    // its rows are row0_ .. row1_ - 1
  int first_ = 0, width_ = 0;  // column of the domain that is column 0 of the strip, and its columns
  bool wraps_ = false;         // its columns go round, and are copied
  bool at_edge_ = false;       // some of its columns would lie beyond an edge with images
  int low_ = 0, high_ = 0;     // its columns that are computed are low_ .. high_ - 1
  MirroredAxis::Place low_images_[reach], high_images_[reach];  // of the columns -1, -2, ..; nx, nx + 1, ..
  leapfrog::RowsInFlight<T, 1, lag + 4> arrived_;               // u, where it has images or goes round
  leapfrog::RowsInFlight<T, wrapped, halo + 4> wrapped_;        // what else goes round
  leapfrog::RowsInFlight<T, 3 * K, lag + 4> steps_;
};

}  // namespace wavesim::lax_wendroff
