// Compiled once for each backend (levels.cpp says why).
#include "solvers/factorisation/sorted_part.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/factorisation/factorisation.hpp"
#include "solvers/factorisation/sort_row.hpp"

namespace wavesim {

template <class B, class View, class Keep>
SparseRows<B> sorted_part(B& be, const View& a, int n, Keep keep) {
  Buffer<B, int> starts(be, std::size_t(n) + 1);
  int* start = starts.data();
  each(be, "entries to keep", n, 8, [=] KERNEL(int i) {
    int count = 0;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) count += keep(i, a.column[k]);
    start[i] = count;
  });
  sums_before(be, start, n + 1);
  SparseRows<B> s(be, 0, 0);
  s.rows = n;
  const int entries = read(be, starts, n);
  s.start = std::move(starts);
  s.column = Buffer<B, int>(be, entries);
  s.value = Buffer<B, double>(be, entries);
  int* column = s.column.data();
  double* value = s.value.data();
  each(be, "rows with ascending columns", n, 8, [=] KERNEL(int i) {
    int at = start[i];
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (keep(i, a.column[k])) {
        column[at] = a.column[k];
        value[at] = double(a.value[k]);
        ++at;
      }
    sort_row(column + start[i], value + start[i], at - start[i]);
  });
  return s;
}

template <class B>
SparseRows<B> triangle_of(B& be, const SparseRows<B>& A, Triangle side, bool unit) {
  SparseRows<B> t = side == Triangle::lower ? sorted_part(be, A.view(), A.rows, LowerEntries{})
                                            : sorted_part(be, A.view(), A.rows, UpperEntries{});
  const SparseRowsView v = t.view();
  if (unit)
    each(be, "ones on the diagonal", t.rows, 8, [=] KERNEL(int i) {
      for (int k = v.start[i]; k < v.start[i + 1]; ++k)
        if (v.column[k] == i) v.value[k] = 1;
    });
  return t;
}

template SparseRows<Backend> sorted_part(Backend&, const CsrView<double>&, int, AllEntries);
template SparseRows<Backend> sorted_part(Backend&, const CsrView<double>&, int, LowerEntries);
template SparseRows<Backend> sorted_part(Backend&, const CsrView<double>&, int, UpperEntries);
template SparseRows<Backend> sorted_part(Backend&, const CsrView<float>&, int, AllEntries);
template SparseRows<Backend> sorted_part(Backend&, const CsrView<float>&, int, LowerEntries);
template SparseRows<Backend> sorted_part(Backend&, const CsrView<float>&, int, UpperEntries);
template SparseRows<Backend> sorted_part(Backend&, const SparseRowsView&, int, AllEntries);
template SparseRows<Backend> sorted_part(Backend&, const SparseRowsView&, int, LowerEntries);
template SparseRows<Backend> sorted_part(Backend&, const SparseRowsView&, int, UpperEntries);
template SparseRows<Backend> triangle_of(Backend&, const SparseRows<Backend>&, Triangle, bool);

}  // namespace wavesim
