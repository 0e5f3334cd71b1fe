#pragma once
// What fronts of blocked sweeps on a CPU have in common, whatever the stencil (host_front.hpp, host_nine_point_front.hpp):
// how they go up a strip, what leaves them, norms. Row f arrives, sweep s is done in row f - s, row f - K leaves, and
// the residual of row f - H is added.

#include <array>

#include "kernels/memory/stream_store.hpp"
#include "kernels/temporal/blocked_sweeps.hpp"
#include "kernels/temporal/host_norms.hpp"
#include "kernels/temporal/host_strip.hpp"

namespace wavesim {

/// `Front` derives from it and has begin(), fetch(row, part), arrive(row, counted), sweep(s, row), leave(row), residual(row),
/// and the `lead` of its right-hand sides (lane_norms.hpp).
template <class Front, class T, int K, class Medium, class Fields>
class HostClimb {
 protected:
  static constexpr int V = temporal::columns_per_lane<T>, H = K + 1;
  static constexpr int rows_ahead = 2;  // of what arrives, for memory to answer
  static constexpr bool is_step = Fields::is_step;
  using Result = typename Fields::Result;

 public:
  /// `past_caches`: what leaves will have left the caches before it is read again.
  HostClimb(const SweepPlan& plan, RowStarts starts, const Medium& medium, const Fields& fields,
            const SweepCoefficients<T, K>& steps, bool past_caches)
      : plan_(plan),
        medium_(medium),
        fields_(fields),
        steps_(steps),
        past_caches_(past_caches),
        strip_(medium.topology(), starts) {}

  /// Slices slice0..slice1 - 1 of a strip, one after the other without rows that are done twice in between;
  /// their parts of the norms go to where plans have them.
  void go_up(int strip, int slice0, int slice1, Result* parts) {
    const Topology& t = medium_.topology();
    Front& front = static_cast<Front&>(*this);
    const int row0 = plan_.first_row_of(slice0), row1 = plan_.first_row_of(slice1);
    const int first = strip * plan_.inner, end = std::min(t.nx, first + plan_.inner);
    int first_col = first - plan_.margin, end_col = end + plan_.margin;
    if (t.wrap_x == 0) first_col = std::max(first_col, 0), end_col = std::min(end_col, t.nx);
    from_ = first - first_col;
    to_ = end - first_col;
    strip_.go_to(first_col, end_col - first_col);
    front.begin();
    const auto own = [&](int row) { return row >= row0 && row < row1; };
    const ReferenceRows counted = reference_rows<Front::lead>(row0, row1 - row0, t.ny);
    int residuals = slice0, references = slice0;
    for (int f = row0 - H - is_step; f < row1 + H; ++f) {
      front.arrive(f, unsigned(f - counted.from) < unsigned(counted.count));
      for (int s = 1; s <= K; ++s) {
        front.fetch(f + rows_ahead, {s - 1, K});
        front.sweep(s, f - s);
      }
      if (own(f - K)) front.leave(f - K);
      if (own(f - H)) front.residual(f - H);
      if constexpr (is_step)
        if (references < slice1 && f + 1 - Front::lead == plan_.first_row_of(references + 1))
          parts[plan_.part(strip, references++)].reference = reference_.take();
      if (residuals < slice1 && f + 1 - H == plan_.first_row_of(residuals + 1)) {
        Result& part = parts[plan_.part(strip, residuals++)];
        if constexpr (is_step)
          part.residual = residual_.take();
        else
          part = residual_.take();
      }
    }
  }

 protected:
  /// Whether sweep s takes the weight of each point (NinePointMedium::by_mass, ScaledMedium::by_mass).
  bool goes_by_mass(int s) const {
    if constexpr (is_step && requires { medium_.by_mass; })
      return s <= 2 && medium_.by_mass && fields_.from_zero();
    return false;
  }
  /// Rows that may lie in a field, not in a ring of this thread's.
  template <std::size_t n>
  static const T*& at(std::array<const T*, n>& rows, int row) {
    return rows[std::size_t(ring(row, int(n)))];
  }
  /// Row `row` of a step leaves with the increment d. The last two are to write in; d may lie in p_to.
  void advance(int row, const T* d, T* u_to, T* p_to) {
    const long line = strip_.line(row);
    const T *const u = fields_.u + line, *const p = fields_.p + line;
    const Fields& fields = fields_;
    SIMD for (int k = from_; k < to_; ++k) {
      T u_now = u[k], p_now = p[k];
      fields.advance(d[k], u_now, p_now);
      u_to[k] = u_now, p_to[k] = p_now;
    }
    store(u_to, fields_.u_to + line);
    store(p_to, fields_.p_to + line);
  }
  /// Adds a row, which may be written to, to the norm of the residual; to that which it is relative to. A lane has the columns
  /// that it has on a GPU, where each strip has margins.
  void add_to_residual(T* row) { residual_.template add<V>(row, from_, to_, plan_.margin / V); }
  void add_to_reference(T* row) { reference_.template add<V>(row, from_, to_, plan_.margin / V); }
  void store(const T* row, T* to) const {
    if (past_caches_)
      stream(row + from_, to_ - from_, to + from_);
    else
      std::copy(row + from_, row + to_, to + from_);
  }

  SweepPlan plan_;
  Medium medium_;
  Fields fields_;
  SweepCoefficients<T, K> steps_;
  bool past_caches_;
  HostStrip<T> strip_;
  int from_ = 0, to_ = 0;  // columns of the strip that are its own, not a neighbour's

 private:
  NormsOfLanes residual_, reference_;
};

}  // namespace wavesim
