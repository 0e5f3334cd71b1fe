// Compiled once for each backend (levels.cpp says why).
#include "solvers/matrices/sparse_rows.hpp"

#include "kernels/backend/backend.hpp"

namespace wavesim {

template <class B>
SparseRows<B> transposed(B& be, const SparseRows<B>& A) {
  const int n = A.rows, entries = A.entries();
  SparseRows<B> t(be, n, entries);
  const SparseRowsView a = A.view();
  const Buffer<B, int> keys(be, entries), froms(be, entries), rows(be, entries);
  int *key = keys.data(), *from = froms.data(), *row = rows.data(), *start = t.start.data();
  each(be, "entries of columns", n, 12, [=] KERNEL(int i) {
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      key[k] = a.column[k];
      from[k] = k;
      row[k] = i;
      add_to(start + a.column[k], 1);
    }
  });
  sums_before(be, start, n + 1);
  sort_by_key(be, key, from, entries, bits_of(n));
  int* column = t.column.data();
  double* value = t.value.data();
  each(be, "transpose", entries, 32, [=] KERNEL(int k) {
    column[k] = row[from[k]];
    value[k] = a.value[from[k]];
  });
  return t;
}

template SparseRows<Backend> transposed(Backend&, const SparseRows<Backend>&);

}  // namespace wavesim
