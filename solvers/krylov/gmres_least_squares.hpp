#pragma once
// The least-squares problem of GMRES, min |beta e1 - H y|, by Givens rotations, one column at a time, and the
// epilogues of the reductions of an iteration.

#include <cmath>

#include "solvers/core/solver.hpp"

namespace wavesim {

/// Columns whose inner products one pass computes.
inline constexpr int gmres_columns = 8;
template <class T>
struct GmresColumns {
  const T* v[gmres_columns] = {};
};

/// The least-squares problem min |beta e1 - H y|, in the backend's memory.
struct GmresScalars {
  int columns;          // done since the last restart
  double scale;         // 1 / norm of the newest vector
  double started_from;  // norm of the residual at the last restart
  double rounding;      // of the vectors
  int restart;
  double* h;      // the new column of H
  double* R;      // of H = Q R: restart x restart, by columns
  double *c, *s;  // the rotations that make up Q
  double* g;      // Q' beta e1
  double* y;
  double unused;

  /// The residual of x is known: v1 = r / |r|.
  HD void begin(const Norms& r) {
    columns = 0;
    g[0] = started_from = std::sqrt(r.squares);
    scale = 1 / g[0];
  }
  /// Column j of H is h[0..j] and `below`: rotates it into R and gives the new residual norm; less than zero
  /// if the column is a combination of those before, as then A is singular.
  HD double add_column(int j, double below) {
    double* column = R + long(j) * restart;
    double at = h[0], squares = below * below + at * at;
    for (int i = 0; i < j; ++i) {
      squares += h[i + 1] * h[i + 1];
      const double next = h[i + 1];
      column[i] = c[i] * at + s[i] * next;
      at = c[i] * next - s[i] * at;
    }
    const double length = std::sqrt(at * at + below * below);
    scale = below != 0 ? 1 / below : 0;
    if (squares - squares != 0) return squares - squares;  // not a number
    if (length <= rounding * std::sqrt(squares)) return -1;
    c[j] = at / length;
    s[j] = below / length;
    column[j] = length;
    g[j + 1] = -s[j] * g[j];
    g[j] = c[j] * g[j];
    columns = j + 1;
    return std::fabs(g[j + 1]);
  }
  /// y <- R^-1 g
  HD void solve() {
    for (int i = columns - 1; i >= 0; --i) {
      double sum = g[i];
      for (int j = i + 1; j < columns; ++j) sum -= R[long(j) * restart + i] * y[j];
      y[i] = sum / R[long(i) * restart + i];
    }
  }
};
/// Epilogue of the inner products with up to eight columns, in the first or the second Gram-Schmidt.
struct GmresCoefficients {
  GmresScalars* g;
  double* to;
  int first, count;
  bool again;
  HD void operator()(const Sum<gmres_columns>& sum) const {
    for (int k = 0; k < count; ++k) {
      to[first + k] = sum.v[k];
      g->h[first + k] = again ? g->h[first + k] + sum.v[k] : sum.v[k];
    }
  }
};
struct GmresRecorded {
  Epilogue then;
  GmresScalars* g;
  int column;
  HD void operator()(const Sum<1>& below) const {
    const double norm = g->add_column(column, std::sqrt(below.v[0]));
    IterationState& c = *then.control;
    if (norm < 0) {
      then(c.residual);
      if (c.status == Status::running) c.status = Status::breakdown;
      return;
    }
    then(Norms{norm * norm, norm});
  }
};
/// Tests the residual after a cycle. The next cycle starts from it, unless the solve has converged or stalls.
struct GmresRestarted {
  GmresScalars* g;
  IterationState* control;
  const Norms* norms;
  HD void operator()() const {
    const double before = g->started_from;
    control->residual = *norms;
    g->begin(*norms);
    if (!IterationState::finite(*norms)) {
      control->status = Status::not_finite;
    } else if (control->measure(*norms) <= control->goal) {
      control->status = Status::claimed;
    } else if (!(g->started_from < before * (1 - 1e-8))) {  // the next cycle would do the same
      control->status = Status::stagnated;
    }
  }
};

}  // namespace wavesim
