// Compiled once for each backend (levels.cpp says why).
#include "solvers/factorisation/product_pattern.hpp"

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/factorisation/sort_row.hpp"

namespace wavesim {

template <class B, class Keep>
SparseRows<B> pattern_of_product(B& be, const SparseRows<B>& P, const SparseRows<B>& A, const char* advice,
                                 Keep keep) {
  const int n = P.rows;
  const SparseRowsView p = P.view(), a = A.view();
  const Buffer<B, int> starts(be, std::size_t(n) + 1);  // of rows with columns that come more than once
  const Buffer<B, Sum<1>> totals(be, 1);
  int* start = starts.data();
  be.rows_sum(
      "entries of a product, at most", vector_extent(n), 24, totals.data(),
      [=] KERNEL(Row r) {
        Sum<1> count{};
        if (r.i >= n) return count;
        for (int k = p.start[r.i]; k < p.start[r.i + 1]; ++k)
          for (int e = a.start[p.column[k]]; e < a.start[p.column[k] + 1]; ++e)
            count.v[0] += keep(r.i, a.column[e]);
        start[r.i] = count.v[0] < INT32_MAX ? int(count.v[0]) : 0;
        return count;
      },
      NoEpilogue{});
  if (const double total = read(be, totals, 0).v[0]; !(total < INT32_MAX))
    throw InputError(std::string("a pattern grows beyond what can be counted; ") + advice);
  sums_before(be, start, n + 1);
  const int most = read(be, starts, n);
  const Buffer<B, int> all(be, most), counts(be, std::size_t(n) + 1);
  const Buffer<B, double> ignored(be, most);
  int *found = all.data(), *count = counts.data();
  double* no_value = ignored.data();
  each(be, "pattern of a product", n, 48, [=] KERNEL(int i) {
    int at = start[i];
    for (int k = p.start[i]; k < p.start[i + 1]; ++k)
      for (int e = a.start[p.column[k]]; e < a.start[p.column[k] + 1]; ++e)
        if (keep(i, a.column[e])) found[at++] = a.column[e];
    sort_row(found + start[i], no_value + start[i], at - start[i]);
    int distinct = 0;
    for (int k = start[i]; k < at; ++k)
      if (distinct == 0 || found[start[i] + distinct - 1] != found[k])
        found[start[i] + distinct++] = found[k];
    count[i] = distinct;
  });
  sums_before(be, count, n + 1);
  SparseRows<B> product(be, n, read(be, counts, n));
  int* to_start = product.start.data();
  int* to_column = product.column.data();
  each(be, "pattern of a product, packed", n + 1, 32, [=] KERNEL(int i) {
    to_start[i] = count[i];
    if (i == n) return;
    for (int k = count[i]; k < count[i + 1]; ++k) to_column[k] = found[start[i] + k - count[i]];
  });
  be.synchronize();  // before the lists are released
  return product;
}

template SparseRows<Backend> pattern_of_product(Backend&, const SparseRows<Backend>&,
                                                const SparseRows<Backend>&, const char*, AllEntries);
template SparseRows<Backend> pattern_of_product(Backend&, const SparseRows<Backend>&,
                                                const SparseRows<Backend>&, const char*, LowerEntries);

}  // namespace wavesim
