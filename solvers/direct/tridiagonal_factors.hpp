#pragma once
// The inverse pivots of the systems of tridiagonal_lines.hpp, for lines and for cycles, and the chunks that a
// line is cut into.

#include <cmath>

#include "kernels/transform/row_pairs.hpp"

namespace wavesim {

/// Rows of a chunk: a thread of a GPU has them in registers.
inline constexpr int chunk_pairs = 16, chunk_rows = 2 * chunk_pairs;

/// The lines of all modes: two rows to a pair, pairs `pitch` apart, as a transform leaves them.
struct LineShape {
  int ny = 0, pitch = 0;
  HD int chunks() const { return (ny + chunk_rows - 1) / chunk_rows; }
  HD int last() const { return chunks() - 1; }
  HD int rows(int chunk) const {
    return ny - chunk * chunk_rows < chunk_rows ? ny - chunk * chunk_rows : chunk_rows;
  }
  HD int pair(int chunk) const { return chunk * chunk_pairs * pitch; }
};

/// The constant that the pivots of a line have converged to, as rho and p, and from which chunk on. The last
/// chunk is never settled, because its last row has another diagonal.
template <class T>
struct Settled {
  T rho = 0, p = 0;
  int from = 0;
};

/// The table of pivots: of the first `unsettled` chunks, then of the last one.
struct PivotTable {
  int unsettled = 0;
  HD int slot(int chunk, const LineShape& shape) const { return chunk == shape.last() ? unsettled : chunk; }
};

/// The inverse pivots, with d_j = shift share_j + off (faces of point j) + what is added at the two ends. `off` may be
/// negative (nine points), but is small then: |off| < shift / 4.
template <class T>
struct FactorLines {
  RowPair<T>* inverse;  // null: only `settled` is computed
  Settled<T>* settled;
  const double *shift, *off, *added;  // of each line; the last multiplies what is added
  double share_low, share_high;       // of the cells at the ends
  double faces_low, faces_high;       // beyond the ends: 1 if fixed
  double added_low, added_high;
  LineShape shape;
  PivotTable table;

  template <class Width>
  HD void operator()(Width, int first, int) const {
    for (int k = first; k < first + Width::value && k < shape.pitch; ++k) line(k);
  }
  HD void line(int k) const {
    double p = 0;
    bool still = false;
    Settled<T> s{0, 0, shape.chunks()};
    for (int chunk = 0; chunk < shape.chunks(); ++chunk) {
      const bool wanted = inverse && (chunk < table.unsettled || chunk == shape.last());
      if (still && !wanted) continue;
      RowPair<T>* const to = inverse + shape.pair(table.slot(chunk, shape)) + k;
      for (int n = 0; n < shape.rows(chunk); ++n) {
        const int j = chunk * chunk_rows + n;
        if (!still || j == shape.ny - 1) {
          const double q = pivot(k, j, p);
          if (j > 0 && j < shape.ny - 1 && q == p && !still) {
            still = true;
            s = {T(off[k]) * T(p), T(p), chunk + 1};
          }
          p = q;
        }
        if (wanted) (n % 2 == 0 ? to[n / 2 * shape.pitch].a : to[n / 2 * shape.pitch].b) = T(p);
      }
    }
    settled[k] = s;
  }
  HD double pivot(int k, int j, double before) const {
    const bool low = j == 0, high = j == shape.ny - 1;
    const double share = (low ? share_low : 1) * (high ? share_high : 1),
                 rest = off[k] * ((low ? faces_low : 1) + (high ? faces_high : 1)) +
                        added[k] * (low ? added_low : 0) + added[k] * (high ? added_high : 0);
    return 1 / (shift[k] * share + rest - off[k] * off[k] * before);
  }
};

/// The cyclic system whose diagonal d is constant, in two factors: with S the shift by a point round the
/// axis,
///   d - off (S + S^-1) = c (1 - rho S) (1 - rho S^-1),
///   c = (d + sqrt(d^2 - 4 off^2)) / 2,  rho = off / c:
/// recurrences like those above with p = 1 / c, settled from the start. The periodic solution starts with the
/// value at the end of one round that begins with zero, divided by 1 - rho^n.
template <class T>
struct FactorCycles {
  RowPair<T>* inverse;
  Settled<T>* settled;
  T* closing;
  const double *shift, *off;
  LineShape shape;

  template <class Width>
  HD void operator()(Width, int first, int) const {
    for (int k = first; k < first + Width::value && k < shape.pitch; ++k) line(k);
  }
  HD void line(int k) const {
    // d - 2 off is the shift: no difference of large numbers
    const double s = shift[k], c = (s + 2 * off[k] + std::sqrt(s * (s + 4 * off[k]))) / 2;
    const T p = T(1 / c), rho = T(off[k]) * p;
    settled[k] = {rho, p, 0};
    const double logarithm = shape.ny * std::log(std::fabs(double(rho)));  // of |rho^n|
    const bool negative = rho < 0 && shape.ny % 2 != 0;
    closing[k] = T(negative ? 1 / (1 + std::exp(logarithm)) : -1 / std::expm1(logarithm));
    for (int q = 0; 2 * q < shape.rows(shape.last()); ++q) inverse[q * shape.pitch + k] = {p, p};
  }
};

}  // namespace wavesim
