#pragma once
// The rows that a thread has at work in blocked sweeps on a CPU (blocked_sweeps_host.hpp): rings of rows, which stay in
// a core's caches.

#include "kernels/temporal/host_strip.hpp"
#include "kernels/temporal/scaled_medium.hpp"

namespace wavesim {

template <class T, int K, class Medium, class Fields>
class HostRows {
  static constexpr int H = K + 1;
  static constexpr bool is_step = Fields::is_step, varies = temporal::varies<Medium>;

 public:
  void clear() { rows_.clear(); }

  const T* zeros() { return place(0); }
  /// Iterate s: what sweep s has left.
  T* x(int s, int row) { return place(place_x + 3 * s + ring(row, 3)); }
  T* g(int row) { return place(place_g + ring(row, H + 1)); }
  T* before(int row) { return place(place_before + ring(row, 2)); }
  T* u(int row) { return place(place_u + ring(row, 3)); }
  /// Two to write in.
  T* scratch(int k) { return place(place_scratch + k); }
  /// Of a varying medium: its faces, D^1/2, two rows that enter g, and the weights of steps by mass.
  T* east(int row) { return place(place_east + ring(row, H + 2)); }
  T* north(int row) { return place(place_north + ring(row, H + 2)); }
  T* sqrt_diagonal(int row) { return place(place_root + ring(row, H + 2)); }
  T* masses(int k) { return place(place_masses + k); }
  T* weights(int row) { return place(place_weights + ring(row, 3)); }

 private:
  static constexpr int place_x = 1, place_g = place_x + 3 * (K + 1), place_before = place_g + H + 1,
                       place_scratch = place_before + 2, place_u = place_scratch + 2,
                       place_east = place_u + 3 * is_step, place_north = place_east + (H + 2) * varies,
                       place_root = place_north + (H + 2) * varies,
                       place_masses = place_root + (H + 2) * varies,
                       place_weights = place_masses + 2 * varies, place_end = place_weights + 3 * varies;
  T* place(int k) { return rows_[k]; }

  StripRows<T> rows_{place_end};
};

}  // namespace wavesim
