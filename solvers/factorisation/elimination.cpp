// Compiled once for each backend (levels.cpp says why).
#include "solvers/factorisation/elimination.hpp"

#include "kernels/backend/backend.hpp"

namespace wavesim {

template <class B>
EliminationOrder<B> elimination_order(B& be, const SparseRows<B>& A, const Levels<B>& levels) {
  const int n = A.rows;
  const SparseRowsView a = A.view();
  EliminationOrder<B> found{by_level(be, levels), Buffer<B, int>(be, std::size_t(n) + 1), {}};
  const Buffer<B, int> places(be, n);
  int *place = places.data(), *start = found.start.data();
  const int* row = found.row.data();
  each(be, "places by level", n, 16, [=] KERNEL(int k) {
    const int i = row[k];
    place[i] = k;
    int count = 0;
    for (int e = a.start[i]; e < a.start[i + 1]; ++e) count += a.column[e] < i;
    start[k] = count;
  });
  sums_before(be, start, n + 1);
  found.neighbour = Buffer<B, int>(be, read(be, found.start, n));
  int* neighbour = found.neighbour.data();
  each(be, "dependencies by level", n, 16, [=] KERNEL(int k) {
    const int i = row[k];
    int at = start[k];
    for (int e = a.start[i]; e < a.start[i + 1]; ++e)
      if (a.column[e] < i) neighbour[at++] = place[a.column[e]];
  });
  return found;
}

template EliminationOrder<Backend> elimination_order(Backend&, const SparseRows<Backend>&,
                                                     const Levels<Backend>&);

}  // namespace wavesim
