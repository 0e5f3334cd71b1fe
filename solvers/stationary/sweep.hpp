#pragma once
// A sweep over the rows of A, each relaxed in turn: x_i <- x_i + omega (b_i - (A x)_i) / a_ii, with what rows
// before it left in x. The orders differ in how they find work that can be done at once; each gives exactly
// what a serial sweep in its order gives.
//   natural  by index. Nothing is prepared: rows wait for those they depend on (Fiorentini 2022).
//   levels   by index too, to the bit; rows are sorted by level beforehand (Saad 11.6.3).
//   colours  one colour after the other: by parity on the wave system, straight over the format's rows; on
//            any other matrix a greedy colouring, and rows are sorted by colour beforehand.

#include <string>

#include "solvers/matrices/staged_rows.hpp"
#include "solvers/triangular/diagonal_check.hpp"
#include "solvers/triangular/levels.hpp"

namespace wavesim {

/// Sweeps with a weight of 2 or more do not converge for any matrix (Kahan: the spectral radius is at least
/// |omega - 1|).
inline double checked_weight(double omega, const std::string& who) {
  if (!(omega < 2))
    throw InputError(who + " with relaxation " + std::to_string(omega) +
                     " converges for no matrix; take one below 2");
  return omega;
}

template <class B, class T>
class Sweep {
 public:
  using Vector = Field<B, T>;
  Sweep(B& backend, const std::string& order) : be_(backend), order_(order) {}

  /// For A as it is now. Reads results.
  void set_up(const Operator<B, T>& A, const std::string& who) {
    require_diagonal(be_, A, who);
    red_black_ = order_ == "colours" && A.wave_system() && red_black(A.wave_system()->topology());
    if (red_black_) return;
    if (!A.extent().whole())
      throw InputError(
          who +
          ": several ranks sweep by two colours, which need space.order: 2, order: colours and an even "
          "number of cells along each periodic axis; take method: jacobi, or run the program as one process");
    const Csr<B, T>& csr = A.csr();
    if (order_ == "natural") {
      if (!A.facts().symmetric) before_ = Vector(be_, A.extent());
      return;
    }
    if (order_ == "levels") {
      const Levels<B> levels = levels_in_place(be_, csr, A.extent().count());
      const Buffer<B, int> rows = by_level(be_, levels);
      rows_ = StagedRows<B, T>(be_, csr, rows, level_starts(be_, levels, rows));
    } else {  // first fit is serial
      const RowStages colours = colours_of(csr.download());
      Buffer<B, int> rows(be_, colours.row.size());
      rows.upload(colours.row);
      rows_ = StagedRows<B, T>(be_, csr, rows, colours.start);
    }
  }

  void run(const Operator<B, T>& A, const Vector& b, Vector& x, double omega, bool forward) {
    if (red_black_) {
      A.relax_colour(b, x, omega, forward ? 0 : 1);
      A.relax_colour(b, x, omega, forward ? 1 : 0);
    } else if (order_ == "natural") {
      natural(A.csr(), b, x, T(omega), forward);
    } else {
      by_stages(b, x, T(omega), forward);
    }
  }

  /// Stages of the sorted rows; 0 if they are not sorted.
  int stages() const { return rows_.stages().count(); }

  void by_stages(const Vector& b, Vector& x, T omega, bool forward) {
    const StagedRowsView<T> A = rows_.view();
    const T* bs = b.data();
    T* xs = x.data();
    be_.staged(forward ? "sweep by stages" : "sweep by stages, backward", rows_.stages(), forward,
               rows_.bytes() + 4.0 * rows_.rows() * sizeof(T), [=] KERNEL(int k) {
                 const RowPlace p = A.place[k];
                 T sum = 0, d = 0;
                 A.each(p, [&](int j, T a) {
                   sum = std::fma(a, xs[j], sum);
                   d = j == p.row ? a : d;
                 });
                 xs[p.row] = std::fma(omega, (bs[p.row] - sum) / d, xs[p.row]);
               });
  }

  void natural(const Csr<B, T>& csr, const Vector& b, Vector& x, T omega, bool forward) {
    const CsrView<T> A = csr.view();
    const T *bs = b.data(), *before = x.data();
    T* xs = x.data();
    const int n = x.extent().count();
    if (before_.data()) {  // a_ij without a_ji: row j does not wait until row i has read what it had
      be_.map(
          "x before the sweep", n, [] KERNEL(const T& from, T& to) { to = from; }, x.in(), before_.out());
      before = before_.data();
    }
    be_.in_order(forward ? "sweep in order" : "sweep in order, backward", n, forward,
                 Dependencies{A.start, A.column},
                 double(csr.entries()) * (sizeof(T) + sizeof(int)) + n * (4.0 * sizeof(T) + sizeof(int)),
                 [=] KERNEL(int i) {
                   const int first = A.start[i], last = A.start[i + 1];
                   if (first == last) return;  // padding
                   T sum = 0, d = 0;
                   for (int k = first; k < last; ++k) {
                     const int j = A.column[k];
                     const bool earlier = forward ? j < i : j > i;
                     sum = std::fma(A.value[k], earlier ? fresh(xs + j) : before[j], sum);
                     d = j == i ? A.value[k] : d;
                   }
                   xs[i] = std::fma(omega, (bs[i] - sum) / d, before[i]);
                 });
  }

 private:
  B& be_;
  std::string order_;
  bool red_black_ = false;
  Vector before_;
  StagedRows<B, T> rows_;
};

}  // namespace wavesim
