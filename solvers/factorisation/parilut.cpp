// ParILUT, incomplete LU factors on a pattern that grows where they are large and is thinned out again (Anzt,
// Chow & Dongarra, SIAM J. Sci. Comput. 40, 2018). Compiled once for each backend (levels.cpp says why).
#include <bit>

#include "kernels/backend/backend.hpp"
#include "solvers/factorisation/factorisation.hpp"
#include "solvers/factorisation/ilu.hpp"
#include "solvers/factorisation/product_pattern.hpp"
#include "solvers/factorisation/sorted_part.hpp"
#include "solvers/factorisation/values.hpp"

namespace wavesim {

/// F with the entries of A's pattern, and the largest others, of those of L in units of its diagonal and of
/// those of U in units of that of their row: at most so many altogether.
template <class B>
SparseRows<B> largest(B& be, const SparseRows<B>& F, const SparseRows<B>& A, int most) {
  constexpr int last = 0x7f7fffff;  // bits of the largest float, which order as floats do
  const int n = F.rows, entries = F.entries();
  const SparseRowsView f = F.view(), a = A.view();
  const Buffer<B, int> keys(be, entries), places(be, entries), keeps(be, entries);
  int *key = keys.data(), *place = places.data(), *keep = keeps.data();
  each(be, "order of size", n, 100, [=] KERNEL(int i) {
    double diagonal = 1;
    for (int k = f.start[i]; k < f.start[i + 1]; ++k)
      if (f.column[k] == i) diagonal = f.value[k];
    int e = a.start[i];
    for (int k = f.start[i]; k < f.start[i + 1]; ++k) {
      const int j = f.column[k];
      while (e < a.start[i + 1] && a.column[e] < j) ++e;
      const double v = f.value[k] / (j < i ? 1 : diagonal), size = v < 0 ? -v : v;
      const float bounded = size < 3e38 ? float(size) : 3e38f;  // of what is no number, too
      const bool of_A = e < a.start[i + 1] && a.column[e] == j;
      key[k] = of_A ? 0 : last - std::bit_cast<int>(bounded);
      place[k] = k;
    }
  });
  sort_by_key(be, key, place, entries, 31);
  each(be, "what is kept", std::min(most, entries), 12, [=] KERNEL(int k) {
    if (key[k] < last) keep[place[k]] = 1;  // no zeros
  });
  SparseRows<B> kept(be, 0, 0);
  kept.rows = n;
  kept.start = Buffer<B, int>(be, std::size_t(n) + 1);
  int* start = kept.start.data();
  each(be, "entries that are kept", n, 24, [=] KERNEL(int i) {
    for (int k = f.start[i]; k < f.start[i + 1]; ++k) start[i] += keep[k];
  });
  sums_before(be, start, n + 1);
  kept.column = Buffer<B, int>(be, read(be, kept.start, n));
  kept.value = Buffer<B, double>(be, kept.column.size());
  int* column = kept.column.data();
  double* value = kept.value.data();
  each(be, "a thinner pattern", n, 100, [=] KERNEL(int i) {
    int at = start[i];
    for (int k = f.start[i]; k < f.start[i + 1]; ++k)
      if (keep[k]) {
        column[at] = f.column[k];
        value[at++] = f.value[k];
      }
  });
  be.synchronize();  // before the lists are released
  return kept;
}

template <class B, class T>
SparseRows<B> parilut(B& be, const Csr<B, T>& A, int n, double fill, int rounds, int sweeps,
                      Levels<B>& levels) {
  const SparseRows<B> a = sorted_part(be, A.view(), n, AllEntries{});
  const int most = int(std::min(fill * a.entries(), 2147483647.0));
  /// A on the pattern of P, a few sweeps on from F.
  const auto swept = [&](SparseRows<B> P, const SparseRows<B>& F, int count) {
    Buffer<B, double> start = values_on(be, P, F);
    P.value = values_on(be, P, a);
    sweep_factors(be, "ParILUT", P, count, std::move(start), false);
    return P;
  };
  const auto copy = [&](const SparseRows<B>& m) { return sorted_part(be, m.view(), n, AllEntries{}); };
  SparseRows<B> F = swept(copy(a), a, 2);
  for (int round = 0; round < rounds; ++round) {
    const SparseRows<B> L = triangle_of(be, F, Triangle::lower, true),
                        U = triangle_of(be, F, Triangle::upper, false);
    F = swept(pattern_of_product(be, L, U, "take a smaller fill for parilut"), F, 1);
    const SparseRows<B> thinner = largest(be, F, a, most);
    F = swept(copy(thinner), thinner, 1);
  }
  Buffer<B, double> start = std::move(F.value);
  F.value = values_on(be, F, a);
  if (sweeps > 0)
    sweep_factors(be, "ParILUT", F, sweeps, std::move(start));
  else
    factorise(be, "ParILUT", F, levels);
  return F;
}

template SparseRows<Backend> parilut(Backend&, const Csr<Backend, double>&, int, double, int, int,
                                     Levels<Backend>&);
template SparseRows<Backend> parilut(Backend&, const Csr<Backend, float>&, int, double, int, int,
                                     Levels<Backend>&);

}  // namespace wavesim
