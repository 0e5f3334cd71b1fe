// The incomplete sparse approximate inverse W of a triangle: W A = I on the pattern of A to a power (Anzt,
// Huckle, Braeckle & Dongarra, Parallel Computing 71, 2018). Compiled once for each backend (levels.cpp says
// why).
#include "kernels/backend/backend.hpp"
#include "solvers/factorisation/factorisation.hpp"
#include "solvers/factorisation/product_pattern.hpp"
#include "solvers/factorisation/sorted_part.hpp"

namespace wavesim {

template <class B>
SparseRows<B> isai(B& be, const SparseRows<B>& A, Triangle side, int power) {
  const int n = A.rows;
  const bool lower = side == Triangle::lower;
  SparseRows<B> W = sorted_part(be, A.view(), n, AllEntries{});
  for (int step = 1; step < power; ++step) W = pattern_of_product(be, W, A, "take a lower power for isai");
  const SparseRowsView a = A.view(), w = W.view();
  // The row w of W solves w' A = e' on its pattern, where e is the i-th unit vector. The unknowns are found
  // from the diagonal outwards; each subtracts its multiple of a row of A from the right-hand side of the rest.
  each(be, "approximate inverses of triangles", n, double(W.entries()) / std::max(1, n) * 40,
       [=] KERNEL(int i) {
         const int first = w.start[i], count = w.start[i + 1] - first;
         for (int k = first; k < first + count; ++k) w.value[k] = w.column[k] == i ? 1 : 0;
         for (int step = 0; step < count; ++step) {
           const int k = lower ? first + count - 1 - step : first + step, r = w.column[k];
           const int begin = a.start[r], end = a.start[r + 1];
           const double v = w.value[k] / a.value[lower ? end - 1 : begin];
           w.value[k] = v;
           int at = lower ? first : k + 1;
           for (int e = lower ? begin : begin + 1; e < (lower ? end - 1 : end); ++e) {
             while (at < (lower ? k : first + count) && w.column[at] < a.column[e]) ++at;
             if (at >= (lower ? k : first + count)) break;
             if (w.column[at] == a.column[e]) w.value[at] = std::fma(-v, a.value[e], w.value[at]);
           }
         }
       });
  return W;
}

template SparseRows<Backend> isai(Backend&, const SparseRows<Backend>&, Triangle, int);

}  // namespace wavesim
