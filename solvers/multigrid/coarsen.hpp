#pragma once
// The coefficients of the next coarser grid: five-point again. Faces in series between two coarse points join
// harmonically, as resistors do, and those side by side add up with the weights of interpolation; masses are
// gathered. For a constant medium this is the operator of the doubled spacing.

#include "solvers/multigrid/transfer.hpp"

namespace wavesim {

/// Faces between a coarse point and its neighbour: the coupling of both, and of the point to a wall.
template <class T>
struct CoarseFace {
  T couples = 0, holds = 0;
  /// As coefficients store it: the larger of the two.
  HD T stored() const { return couples >= holds ? couples : -holds; }
  /// What `stored` leaves out and the diagonal still needs.
  HD T left_out() const { return couples >= holds ? holds : T(0); }
};

/// W: of the coarse coefficients.
template <class T, class Coefficients, class W>
struct Coarsen {
  Transfer<T, Coefficients> transfer;
  T a, b;  // of the fine system M + a D + b K
  W *mass, *east, *north;
  int pitch;

  HD static T joined(T so_far, T next) {
    if (next == 0) return 0;
    const T size = Point<T>::magnitude(next), both = so_far * size / (so_far + size);
    return next < 0 ? -both : both;
  }
  HD static T face(const Point<T>& p, int dx, int dy) {
    return dx < 0 ? p.west : dx > 0 ? p.east : dy < 0 ? p.south : p.north;
  }
  /// The faces from fine point r to the next coarse point, joined; `there` is that point, if there is one.
  HD T walk(Row r, int dx, int dy, Row& there, bool& arrives) const {
    T so_far = face(transfer.c.at(r), dx, dy);
    arrives = false;
    while (transfer.fine(r.col + dx, r.row + dy, there)) {
      if (dx != 0 ? transfer.x.is_coarse(there.col) : transfer.y.is_coarse(there.row)) {
        arrives = true;
        break;
      }
      if (so_far <= 0) break;
      so_far = joined(so_far, face(transfer.c.at(there), dx, dy));
      if (so_far <= 0 && !beyond(there, dx, dy)) break;
      r = there;
    }
    return so_far;
  }
  HD bool beyond(Row r, int dx, int dy) const {
    Row unused;
    return transfer.fine(r.col + dx, r.row + dy, unused);
  }
  /// The weight with which a fine point beside the line through a coarse point takes from that line.
  HD T beside(Row r, int dx, int step) const {
    T lower, upper;
    if (dx != 0)
      transfer.along_y(r, lower, upper);
    else
      transfer.along_x(r, lower, upper);
    return step > 0 ? lower : upper;
  }
  /// The face of coarse point (k, l) towards (dx, dy).
  HD CoarseFace<T> towards(int k, int l, int dx, int dy) const {
    const Coarsening& across = dx != 0 ? transfer.y : transfer.x;
    const int reach = across.kept ? 0 : 1;
    CoarseFace<T> sum;
    for (int step = -reach; step <= reach; ++step) {
      Row here, there, back;
      if (!transfer.fine(transfer.x.fine(k) + (dx == 0 ? step : 0), transfer.y.fine(l) + (dx != 0 ? step : 0),
                         here))
        continue;
      if (step != 0 && across.is_coarse(dx != 0 ? here.row : here.col)) continue;
      bool arrives = false, returns = false;
      T f = walk(here, dx, dy, there, arrives), w = step == 0 ? T(1) : beside(here, dx, step);
      if (arrives) {
        if (step != 0) w = T(0.5) * (w + beside(there, dx, step));
        const T g = walk(there, -dx, -dy, back, returns);
        f = f > 0 && g > 0 ? f : f < g ? f : g;  // one number serves both ends: a wall beside either of them
      }
      if (f > 0)
        sum.couples += w * f;
      else
        sum.holds -= w * f;
    }
    sum.couples *= b;
    sum.holds *= b;
    return sum;
  }

  HD void operator()(Row r) const {
    const int k = r.col, l = r.row;
    T m = 0;
    transfer.each_fine(k, l, [&](Row f, T w) {
      const Point<T> p = transfer.c.at(f);
      m += w * (p.mass + a * p.damping);
    });
    const CoarseFace<T> w = towards(k, l, -1, 0), e = towards(k, l, 1, 0), s = towards(k, l, 0, -1),
                        n = towards(k, l, 0, 1);
    mass[r.i] = W(m + w.left_out() + e.left_out() + s.left_out() + n.left_out());
    east[r.i] = W(e.stored());
    north[r.i] = W(n.stored());
    if (k == 0) east[r.i - 1] = W(w.stored());
    if (l == 0) north[r.i - pitch] = W(s.stored());
  }
};

/// The same for a constant medium where the coarse one is constant too: where walls are as far from coarse
/// points as these from one another, and free edges on them. False if that is not so.
template <class T>
bool coarsen_uniform(const UniformCoefficients<T>& c, const Coarsening& x, const Coarsening& y, Extent to,
                     UniformCoefficients<T>& coarse) {
  const auto fits = [&](const Coarsening& axis, bool wall_before, bool wall_after) {
    if (axis.kept) return false;
    if (axis.wraps) return axis.n % 2 == 0;
    return axis.first == int(wall_before) && axis.n - 1 - axis.fine(axis.coarse() - 1) == int(wall_after);
  };
  if (!fits(x, c.edge[0] < 0, c.edge[1] < 0) || !fits(y, c.edge[2] < 0, c.edge[3] < 0)) return false;
  coarse = c;
  coarse.topology = {to.nx, to.ny, x.wraps ? to.nx : 0, y.wraps ? to.ny * to.pitch : 0};
  coarse.mass *= 4;
  coarse.damping *= 4;
  for (T& r : coarse.radiation) r *= 2;
  return true;
}

}  // namespace wavesim
