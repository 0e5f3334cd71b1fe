#pragma once
// The cycle's passes one by one: where two colours do not suffice, round an odd periodic axis, or only one
// axis is coarsened. wavefront_cycle.hpp is tested against them.

#include "kernels/formats/stencil.hpp"
#include "solvers/formats/row_operator.hpp"
#include "solvers/multigrid/coarsen.hpp"
#include "solvers/multigrid/couplings.hpp"

namespace wavesim {

/// T: of the vectors on this grid, W: of those on the coarser one.
template <class B, class T, class Coefficients, class W>
struct PlainPasses {
  using View = WaveStencilView<T, Coefficients>;
  using Vector = Field<B, T>;
  B& be;
  Extent e;
  View A;
  int parity = 0;  // col + row of red points
  bool two_colours = true;

  /// S sweeps, red points first; backwards: last.
  void smooth(int sweeps, bool backwards, const Vector& b, Vector& x, Vector& r) const {
    for (int k = 0; k < sweeps; ++k)
      for (int half = 0; half < 2; ++half)
        if (two_colours) {
          relax_one_colour<T>(be, e, A, b.data(), x.data(), 1, (half + int(backwards) + parity) % 2);
        } else {
          residual(b, x, r);
          damped(r, x);
        }
  }
  void residual(const Vector& b, const Vector& x, Vector& r) const {
    const View A = this->A;
    const T *bs = b.data(), *xs = x.data();
    be.rows(
        "r = b - A x", e, View::bytes + 2 * sizeof(T),
        [=] KERNEL(Row w, T & ri) { ri = bs[w.i] - A.row(w, Gather<T>{xs}); }, r.out());
  }
  /// x += 0.8 D^-1 r
  void damped(const Vector& r, Vector& x) const {
    const View A = this->A;
    const T* rs = r.data();
    be.rows(
        "x += 0.8 D^-1 r", e, View::bytes + sizeof(T),
        [=] KERNEL(Row w, T & xi) { xi += T(0.8) * (rs[w.i] / A.diag(w)); }, x.inout());
  }
  void restrict_to(const Transfer<T, Coefficients>& transfer, const Vector& r, Field<B, W>& coarse) const {
    const T* rs = r.data();
    be.rows(
        "b_coarse = P' r", coarse.extent(), 4 * View::bytes + 4 * sizeof(T),
        [=] KERNEL(Row c, W & bi) {
          T sum = 0;
          transfer.each_fine(c.col, c.row, [&](Row f, T w) { sum = std::fma(w, rs[f.i], sum); });
          bi = W(sum);
        },
        coarse.out());
  }
  void correct_from(const Transfer<T, Coefficients>& transfer, const Field<B, W>& coarse, Vector& x) const {
    const W* es = coarse.data();
    be.rows(
        "x += P x_coarse", e, View::bytes + sizeof(W) / 4.0,
        [=] KERNEL(Row r, T & xi) {
          T sum = 0;
          transfer.each_coarse(r, [&](int j, T w) { sum = std::fma(w, T(es[j]), sum); });
          xi += sum;
        },
        x.inout());
  }

  // Set-up.

  void coarsen(const Transfer<T, Coefficients>& transfer, Extent to, W* mass, W* east, W* north) const {
    be.rows("coarsen", to, 4 * View::bytes,
            Coarsen<T, Coefficients, W>{transfer, A.system.a, A.system.b, mass, east, north, to.pitch});
  }
  void inverse_diagonal(W* inverse) const {
    const View A = this->A;
    be.rows(
        "1 / diag A", e, View::bytes,
        [=] KERNEL(Row r, W & d) {
          const T centre = A.diag(r);
          d = centre != 0 ? W(1 / centre) : W(0);
        },
        Out<W>{inverse});
  }
  /// Of each cell's r0.
  void interpolation(const Transfer<T, Coefficients>& transfer, const Cells& cells,
                     const Field<B, W> (&weight)[4]) const {
    be.rows(
        "weights of interpolation", weight[0].extent(), View::bytes,
        [=] KERNEL(Row c, W & w0, W & w1, W & w2, W & w3) {
          W* const weights[4] = {&w0, &w1, &w2, &w3};
          Row r;
          const bool exists = cells.template point<false>(2 * c.col, 2 * c.row, r);
          UNROLL for (int n = 0; n < 4; ++n) {
            int j;
            const int k = Cells::wrapped(c.col - 1 + n % 2, cells.coarse_nx, cells.wraps_x),
                      l = Cells::wrapped(c.row - 1 + n / 2, cells.coarse_ny, cells.wraps_y);
            const bool takes = exists && cells.template coarse<false>(k, l, j);
            *weights[n] = takes ? W(transfer.weight(r, k, l)) : W(0);
          }
        },
        weight[0].out(), weight[1].out(), weight[2].out(), weight[3].out());
  }
};

}  // namespace wavesim
