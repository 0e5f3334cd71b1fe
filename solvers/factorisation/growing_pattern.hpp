#pragma once
// How the pattern of ParILUT and ParICT grows where the factors are large and is thinned out again (Anzt, Chow &
// Dongarra, SIAM J. Sci. Comput. 40, 2018; Anzt, Ribizel, Flegar, Chow & Dongarra, IPDPS 2019).

#include <bit>

#include "solvers/factorisation/sorted_part.hpp"
#include "solvers/factorisation/values.hpp"

namespace wavesim {

/// F with the entries of A's pattern, and the largest others: at most so many altogether. An entry for which
/// units.apply(i, j) counts in units of units.of_row(f, a, i), where f and a are F and A.
template <class B, class Units>
SparseRows<B> largest(B& be, const SparseRows<B>& F, const SparseRows<B>& A, int most, Units units) {
  constexpr int last = 0x7f7fffff;  // bits of the largest float, which order as floats do
  const int n = F.rows, entries = F.entries();
  const SparseRowsView f = F.view(), a = A.view();
  const Buffer<B, int> keys(be, entries), places(be, entries), keeps(be, entries);
  int *key = keys.data(), *place = places.data(), *keep = keeps.data();
  each(be, "order of size", n, 100, [=] KERNEL(int i) {
    const double unit = units.of_row(f, a, i);
    int e = a.start[i];
    for (int k = f.start[i]; k < f.start[i + 1]; ++k) {
      const int j = f.column[k];
      while (e < a.start[i + 1] && a.column[e] < j) ++e;
      const double v = f.value[k] / (units.apply(i, j) ? unit : 1), size = v < 0 ? -v : v;
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

/// Factors of A (for a symmetric one its lower triangle and L) on a pattern that grew in so many rounds, and a
/// few sweeps towards their values: at most `fill` times as many entries as A, whose own are never dropped.
/// `start` is where sweeps on the pattern of A start. `kind` has candidates(F), the pattern that F grows to,
/// sweep(P, count, start), which makes so many sweeps on P, and `units` of the entries (see `largest`).
template <class B, class Kind>
SparseRows<B> grown_factors(B& be, const SparseRows<B>& A, double fill, int rounds, Buffer<B, double> start,
                            const Kind& kind) {
  const int most = int(std::min(fill * A.entries(), 2147483647.0));
  const auto swept = [&](SparseRows<B> P, Buffer<B, double> from, int count) {
    P.value = values_on(be, P, A);
    kind.sweep(P, count, std::move(from));
    return P;
  };
  const auto copy = [&](const SparseRows<B>& m) { return sorted_part(be, m.view(), m.rows, AllEntries{}); };
  SparseRows<B> F = swept(copy(A), std::move(start), 2);
  for (int round = 0; round < rounds; ++round) {
    SparseRows<B> P = kind.candidates(F);
    Buffer<B, double> from = values_on(be, P, F);
    F = swept(std::move(P), std::move(from), 1);
    SparseRows<B> thinner = largest(be, F, A, most, kind.units);
    from = std::move(thinner.value);
    F = swept(std::move(thinner), std::move(from), 1);
  }
  return F;
}

}  // namespace wavesim
