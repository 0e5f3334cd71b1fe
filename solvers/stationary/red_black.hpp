#pragma once
// Half a Gauss-Seidel sweep: the points of one colour, in place, for no two of them are neighbours.

#include "solvers/formats/row_passes.hpp"

namespace wavesim {

/// x += omega D^-1 (b - A x) on the points whose col + row has the parity of `colour`.
template <class T, class B, class View>
void relax_one_colour(B& be, Extent e, const View& A, const T* bs, T* xs, double omega, int colour) {
  const T w = T(omega);
  Extent half_e = e;
  half_e.nx = (e.nx + 1) / 2;
  // Every other column of each row. b and x are read and x written; the neighbours are the other half of x.
  be.rows(colour == 0 ? "x = x + omega D^-1 (b - A x), red" : "x = x + omega D^-1 (b - A x), black", half_e,
          A.bytes + 4 * sizeof(T), [=] KERNEL(Row half) {
            const int col = 2 * half.col + ((half.row + colour) & 1), i = e.index(half.row, col);
            // away from the edges of the half, where its rows are constants, no column of the whole lies on
            // one
            if (half.edge && col >= e.nx) return;
            const bool edge =
                half.edge && (col == 0 || col == e.nx - 1 || half.row == 0 || half.row == e.ny - 1);
            const Row r{i, col, half.row, e.pitch, edge};
            const T ri = bs[i] - A.row(r, Gather<T>{xs});
            xs[i] = std::fma(w, ri / diagonal<T>(A, r), xs[i]);
          });
}

}  // namespace wavesim
