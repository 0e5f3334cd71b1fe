#pragma once
// The front that goes up a strip of columns in passes of several leapfrog steps on a CPU (leapfrog_host.hpp). Steps 1, 3,
// .. and 2, 4, .. share a ring of rows each, because step s + 2 no longer needs a row of step s where it writes its own.
// p is changed where it is.

#include <algorithm>

#include "kernels/leapfrog/host_rows_in_flight.hpp"
#include "kernels/leapfrog/leapfrog.hpp"
#include "kernels/memory/prefetch.hpp"
#include "kernels/memory/stream_store.hpp"
#include "kernels/numbers/peaks.hpp"

namespace wavesim::leapfrog {

template <int K, class Pass>
class HostFront {
  using T = typename Pass::value;
  using Medium = typename Pass::Medium;
  static constexpr bool varies = Medium::varies;

 public:
  /// For strips of up to `inner` columns. `past_caches`: what leaves will have left the caches before it is read again.
  HostFront(const Pass& pass, int inner, bool past_caches)
      : pass_(pass),
        topology_(pass.medium.topology),
        inner_(inner),
        past_caches_(past_caches),
        steps_(inner + 2 * K),
        copies_(topology_.wrap_x != 0 ? inner + 2 * K : 0) {}

  /// Rows row0 .. row1 - 1 of a strip.
  void go_up(int strip, int row0, int row1) {
    begin(strip);
    for (int f = row0 - K; f < row1 + K; ++f) {
      arrive(f);
      for (int s = 1; s <= K; ++s) {
        fetch(f + 2, {s - 1, K});
        const int row = f - s;
        const int halo = K - s;  // rows of a neighbour's that the next steps need
        if (row < row0 - halo || row >= row1 + halo || beyond(row)) continue;
        step(s, row, row >= row0 && row < row1);
      }
    }
  }

 private:
  enum Copied { of_u, of_p, of_east, of_north, of_inverse, of_keep, copied };

  void begin(int strip) {
    const Topology& t = topology_;
    const int own = pass_.columns.from + strip * inner_, end = std::min(pass_.columns.to, own + inner_);
    first_ = own - K;
    from_ = K, to_ = end - first_;
    low_ = t.wrap_x != 0 ? 0 : std::max(0, -first_);
    high_ = t.wrap_x != 0 ? to_ + K : std::min(to_ + K, t.nx - first_);
    copies_rows_ = t.wrap_x != 0 && (first_ < 1 || end + K >= t.nx);
    steps_.clear();
  }
  long line(int row) const {
    return long(pass_.extent.index(topology_.wrap_y != 0 ? ring(row, topology_.ny) : row, first_));
  }
  /// A row of a field where it lies, or its copy where the strip goes round a periodic axis.
  const T* row_of(Copied which, const T* field, int row) {
    return copies_rows_ ? copies_.at(which, row) : field + line(row);
  }
  /// Row `row` of what step s left; before the first step that of u(n).
  const T* left_by(int s, int row) {
    if (s == 0) return row_of(of_u, pass_.u, row);
    return beyond(row) ? steps_.zeros() : steps_.at(s % 2, row);
  }
  bool beyond(int row) const { return topology_.wrap_y == 0 && (row < 0 || row >= topology_.ny); }

  void arrive(int row) {
    if (topology_.wrap_y == 0 && (row < -1 || row > topology_.ny)) return;
    if (!copies_rows_) return;
    const auto copy = [&](Copied which, const T* field) {
      if (!field) return;
      T* const to = copies_.at(which, row);
      const T* const from = field + line(row) - first_;
      for (int k = -1; k <= high_; ++k) to[k] = from[ring(first_ + k, topology_.nx)];
    };
    copy(of_u, pass_.u), copy(of_p, pass_.p);
    if constexpr (varies) {
      const Medium& m = pass_.medium;
      copy(of_east, m.east), copy(of_north, m.north), copy(of_inverse, m.inverse), copy(of_keep, m.keep);
    }
  }
  /// Rows of a strip are short, and each begins on a page of its own, so that the machine does not see them come.
  void fetch(int row, PartOfRow part) const {
    if (copies_rows_ || row < 0 || row >= topology_.ny) return;
    const auto one = [&](const T* field) {
      if (field) prefetch(field + line(row) + low_, high_ - low_, part);
    };
    one(pass_.u), one(pass_.p);
    if constexpr (Pass::tracks) one(pass_.maximum), one(pass_.arrival);
    if constexpr (varies)
      one(pass_.medium.east), one(pass_.medium.north), one(pass_.medium.inverse), one(pass_.medium.keep);
  }

  void step(int s, int row, bool own) {
    const bool last = s == K;
    const T* const p = s == 1 ? row_of(of_p, pass_.p, row) : steps_.at(2, row);
    const bool leaves = last && !past_caches_;
    T* const p_to = leaves ? pass_.p_to + line(row) : steps_.at(2, row);
    T* const u_to = leaves ? pass_.u_to + line(row) : steps_.at(s % 2, row);
    const int a = last ? from_ : low_, b = last ? to_ : high_;
    const T *const south = left_by(s - 1, row - 1), *const u = left_by(s - 1, row),
                   *const north = left_by(s - 1, row + 1);
    if constexpr (varies)
      step_varying(row, a, b, south, u, north, p, u_to, p_to);
    else
      step_uniform(row, a, b, south, u, north, p, u_to, p_to);
    const int row_in_field = topology_.wrap_y != 0 ? ring(row, topology_.ny) : row;
    push(s, row_in_field, a, b, p_to, u_to);
    if (!own) return;
    pass_.taps.points.each(row_in_field, first_ + from_, first_ + to_,
                           [&](int k, int col) { pass_.taps.tap(k, s, u_to[col - first_]); });
    if constexpr (Pass::tracks) track(s, row, u_to);
    if (!last || leaves) return;
    stream(u_to + from_, to_ - from_, pass_.u_to + line(row) + from_);
    stream(p_to + from_, to_ - from_, pass_.p_to + line(row) + from_);
  }
  void step_uniform(int row, int a, int b, const T* south, const T* u, const T* north, const T* p, T* u_to,
                    T* p_to) const {
    const auto& kinds = pass_.medium.kinds[row_class(row, topology_)];
    const auto at = [=](const LeapfrogRow<T>& c, int k) {
      const T now = u[k];  // once: a load costs more than a register here
      const T y = c.with_north(c.but_north(p[k], now, south[k], u[k - 1], u[k + 1]), now, north[k]);
      p_to[k] = y;
      u_to[k] = now + y;
    };
    if (topology_.wrap_x == 0) {  // p_to may be p, so that a column is done once
      const int left = -first_, right = topology_.nx - 1 - first_;
      if (a <= left && left < b) at(kinds[bottom_row], left), a = left + 1;
      if (a <= right && right < b) at(kinds[top_row], right), b = right;
    }
    const LeapfrogRow<T> c = kinds[inner_row];
    SIMD for (int k = a; k < b; ++k) at(c, k);
  }
  void step_varying(int row, int a, int b, const T* south, const T* u, const T* north, const T* p, T* u_to,
                    T* p_to) {
    const Medium& m = pass_.medium;
    const T *const east = row_of(of_east, m.east, row), *const to_north = row_of(of_north, m.north, row),
                   *const to_south = row_of(of_north, m.north, row - 1),
                   *const inverse = row_of(of_inverse, m.inverse, row);
    const auto go = [=](auto kept) {
      SIMD for (int k = a; k < b; ++k) {
        const T now = u[k];
        T y = Medium::but_north(now, to_south[k], south[k], east[k - 1], u[k - 1], east[k], u[k + 1]);
        y = Medium::pulled(y, to_north[k], north[k], now);
        y = std::fma(inverse[k], y, kept(k));
        p_to[k] = y;
        u_to[k] = now + y;
      }
    };
    if (m.keep) {
      const T* const keep = row_of(of_keep, m.keep, row);
      go([=](int k) { return keep[k] * p[k]; });
    } else {
      go([=](int k) { return p[k]; });
    }
  }
  /// Columns a .. b - 1 of a row; of a strip that goes round a periodic axis, wherever they come from.
  void push(int s, int row, int a, int b, T* p, T* u) const {
    if (!copies_rows_)
      return pass_.pushes.each(s, row, first_ + a, first_ + b,
                               [&](int col, double x) { Pushes::push(x, p[col - first_], u[col - first_]); });
    const int nx = topology_.nx;
    pass_.pushes.each(s, row, 0, nx, [&](int col, double x) {
      for (int at = ring(col - first_ - a, nx) + a; at < b; at += nx) Pushes::push(x, p[at], u[at]);
    });
  }
  void track(int s, int row, const T* u) const {
    if (pass_.maximum) {
      T* const maximum = pass_.maximum + line(row);
      SIMD for (int k = from_; k < to_; ++k) maximum[k] = larger(maximum[k], u[k]);
    }
    if (pass_.arrival) {
      T* const arrival = pass_.arrival + line(row);
      const T threshold = pass_.threshold, time = pass_.time(s);
      SIMD for (int k = from_; k < to_; ++k) arrival[k] = arrived(arrival[k], u[k], threshold, time);
    }
  }

  const Pass pass_;
  const Topology topology_;
  const int inner_;
  const bool past_caches_;
  int first_ = 0;           // column of the domain that is column 0 of the strip
  int from_ = 0, to_ = 0;   // columns that are its own
  int low_ = 0, high_ = 0;  // columns that are computed
  bool copies_rows_ = false;
  RowsInFlight<T, 3, K + 2> steps_;
  RowsInFlight<T, copied, K + 3> copies_;
};

}  // namespace wavesim::leapfrog
