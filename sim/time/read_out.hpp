#pragma once
// Quantities on the nodes of an output window, computed where the state is and sent in the precision of the
// output.

#include <algorithm>

#include "kernels/memory/field.hpp"
#include "kernels/memory/read_back.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/run/output_plan.hpp"
#include "sim/time/cell_share.hpp"
#include "sim/time/filter_on.hpp"
#include "sim/time/stepper.hpp"
#include "sim/time/terms.hpp"

namespace wavesim {

/// Values on edges that are no unknowns: left, right, bottom, top.
struct EdgeValues {
  double side[4];
};

/// The state a quantity is made of; maximum and arrival may be null.
template <class T, class Coefficients>
struct StateView {
  Coefficients c;
  const T *u, *p, *maximum, *arrival;
  double dt, density;  // density: m_ref / dt^2, which turns scaled energy into J/m^2
  CellShare share;
  FilterView<T> filter;

  HD double value(Quantity q, Row r) const {
    switch (q) {
      case Quantity::displacement:
        return filter(u, r);
      case Quantity::velocity:
        return filter(p, r) / dt;
      case Quantity::max_displacement:
        return maximum[r.i];
      case Quantity::arrival_time:
        return arrival[r.i];
      case Quantity::energy_density:
        break;
    }
    const auto at = c.at(r);
    return 0.5 * density * (kinetic(at, c.topology, r, p) + strain(at, c.topology, r, u, u)) / share(r);
  }
};

template <class B>
class ReadOut {
 public:
  explicit ReadOut(B& backend) : be_(backend), read_back_(backend) {}

  /// Of count[1] rows of count[0] values, floats or doubles, those in this rank's rows (rows_of), which the backend sends beside
  /// its further work.
  template <class P, class State>
  Values read(Quantity q, const State& state, const Unknowns& unknowns, const Window& w, EdgeValues edges) {
    const Extent out = rows_of(unknowns.extent, unknowns.first[1], w), e = unknowns.extent;
    const int first = out.first_own;
    const std::size_t count = std::size_t(out.nx) * std::size_t(out.end_own() - first);
    P* const to = read_back_.template stage<P>(count);
    const int stride = int(w.stride), x0 = int(w.first[0] - unknowns.first[0]),
              y0 = int(w.first[1] - unknowns.first[1]);
    const bool wrap_x = unknowns.topology.wrap_x != 0, wrap_y = unknowns.topology.wrap_y != 0;
    if (count == 0) return {read_back_.send(), 0, sizeof(P)};  // the window has rows of others only
    be_.rows("read", out, 2 * sizeof(P), [=] KERNEL(Row o) {
      Row r{0, x0 + o.col * stride, y0 + o.row * stride, e.pitch};
      if (wrap_x && r.col >= e.nx) r.col -= e.nx;
      if (wrap_y && r.row >= e.ny) r.row -= e.ny;
      r.i = e.index(r.row, r.col);
      P v;
      if (r.col < 0)
        v = P(edges.side[0]);
      else if (r.col >= e.nx)
        v = P(edges.side[1]);
      else if (r.row < 0)
        v = P(edges.side[2]);
      else if (r.row >= e.ny)
        v = P(edges.side[3]);
      else
        v = P(state.value(q, r));
      to[std::size_t(o.row - first) * std::size_t(out.nx) + std::size_t(o.col)] = v;  // without padding
    });
    return {read_back_.send(), count, sizeof(P)};
  }

  /// Rows of a window that the rank with the rows of `e` reads. Edges that are no unknowns, and the last row of a ring, which
  /// is its first one, too, go with the rows beside them.
  static Extent rows_of(const Extent& e, long first_row, const Window& w) {
    Extent out = make_extent(int(w.count[0]), int(w.count[1]));
    const auto first_from = [&](long row) {  // the first row of the window that is `row` or higher
      const long steps = (row - (w.first[1] - first_row) + w.stride - 1) / w.stride;
      return int(std::clamp(steps, 0L, w.count[1]));
    };
    if (e.first_own > 0) out.first_own = first_from(e.first_own);
    if (e.end_own() < e.ny) out.own_end = first_from(e.end_own());
    return out;
  }

 private:
  B& be_;
  ReadBack<B> read_back_;
};

}  // namespace wavesim
