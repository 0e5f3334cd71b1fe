#pragma once
// Exact elimination, row by row (IKJ: Saad, Iterative Methods, 10.3): a row waits for the rows that it is
// eliminated with, which are those of its lower triangle. Rows are visited by level, so that waits are short.

#include "kernels/backend/access.hpp"
#include "solvers/triangular/levels.hpp"

namespace wavesim {

/// How a row reads other rows after it has waited for them.
struct Fresh {
  HD double operator()(const double* p) const { return fresh(p); }
};

/// f on the k-th row of an order, if it has entries.
template <class F>
struct OnRowOf {
  const int *start, *row;
  F f;
  HD void operator()(int k) const {
    if (start[row[k]] < start[row[k] + 1]) f(row[k]);
  }
};

/// The rows of a matrix by level, and for each place in that order the places of the rows it waits for: those
/// of place k are neighbour[start[k]] .. neighbour[start[k + 1] - 1].
template <class B>
struct EliminationOrder {
  Buffer<B, int> row, start, neighbour;
};
template <class B>
EliminationOrder<B> elimination_order(B& be, const SparseRows<B>& A, const Levels<B>& levels);

/// f(i) on the rows of A that have entries; f(i) sees what rows j < i in its pattern have left, if it reads
/// it with `fresh`.
template <class B, class F>
void eliminate(B& be, const char* label, const SparseRows<B>& A, const Levels<B>& levels, double bytes, F f) {
  const EliminationOrder<B> order = elimination_order(be, A, levels);
  be.in_order(label, A.rows, true, Dependencies{order.start.data(), order.neighbour.data()}, bytes,
              OnRowOf<F>{A.start.data(), order.row.data(), f});
  be.synchronize();  // before the lists are released
}

}  // namespace wavesim
