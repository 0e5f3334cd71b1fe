// The values of a sparse matrix in another type, or on another pattern.
// Compiled once for each backend (levels.cpp says why).
#include "solvers/factorisation/values.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/factorisation/factorisation.hpp"

namespace wavesim {

template <class T, class B>
Buffer<B, T> values_in(B& be, const SparseRows<B>& A) {
  Buffer<B, T> to(be, A.entries());
  const double* v = A.value.data();
  T* w = to.data();
  each(be, "a copy of values", A.entries(), sizeof(double) + sizeof(T),
       [=] KERNEL(int k) { w[k] = T(v[k]); });
  return to;
}

template <class B>
Buffer<B, double> values_on(B& be, const SparseRows<B>& pattern, const SparseRows<B>& A) {
  Buffer<B, double> values(be, pattern.entries());
  const SparseRowsView p = pattern.view(), a = A.view();
  double* value = values.data();
  each(be, "values on a pattern", pattern.rows, 60, [=] KERNEL(int i) {
    int e = a.start[i];
    for (int k = p.start[i]; k < p.start[i + 1]; ++k) {
      while (e < a.start[i + 1] && a.column[e] < p.column[k]) ++e;
      value[k] = e < a.start[i + 1] && a.column[e] == p.column[k] ? a.value[e] : 0;
    }
  });
  return values;
}

template Buffer<Backend, double> values_in(Backend&, const SparseRows<Backend>&);
template Buffer<Backend, float> values_in(Backend&, const SparseRows<Backend>&);
template Buffer<Backend, double> values_on(Backend&, const SparseRows<Backend>&, const SparseRows<Backend>&);

}  // namespace wavesim
