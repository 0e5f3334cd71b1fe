// Compiled once for each backend (levels.cpp says why).
#include "solvers/factorisation.hpp"

#include <bit>

#include "kernels/backend.hpp"
#include "kernels/sort.hpp"

namespace wavesim {

/// Columns, and values with them, in ascending order: a few are inserted, many heaped (Knuth, volume 3, 5.2).
HD inline void sort_row(int* column, double* value, int n) {
  const auto insert_down = [=](int hole, int end, int c, double v) {
    for (int child; (child = 2 * hole + 1) < end; hole = child) {
      if (child + 1 < end && column[child + 1] > column[child]) ++child;
      if (column[child] <= c) break;
      column[hole] = column[child];
      value[hole] = value[child];
    }
    column[hole] = c;
    value[hole] = v;
  };
  if (n > 40) {
    bool ascending = true;
    for (int k = 1; k < n && ascending; ++k) ascending = column[k - 1] <= column[k];
    if (ascending) return;
    for (int k = n / 2 - 1; k >= 0; --k) insert_down(k, n, column[k], value[k]);
    for (int end = n - 1; end > 0; --end) {
      const int c = column[end];
      const double v = value[end];
      column[end] = column[0];
      value[end] = value[0];
      insert_down(0, end, c, v);
    }
    return;
  }
  for (int k = 1; k < n; ++k) {
    const int c = column[k];
    const double v = value[k];
    int at = k;
    for (; at > 0 && column[at - 1] > c; --at) {
      column[at] = column[at - 1];
      value[at] = value[at - 1];
    }
    column[at] = c;
    value[at] = v;
  }
}

/// Which entries a_ij to keep.
struct AllEntries {
  HD bool operator()(int, int) const { return true; }
};
struct LowerEntries {
  HD bool operator()(int i, int j) const { return j <= i; }
};
struct UpperEntries {
  HD bool operator()(int i, int j) const { return j >= i; }
};

/// The entries of n rows for which keep(i, j), columns of each row in ascending order.
template <class B, class View, class Keep>
SparseRows<B> sorted_part(B& be, const View& a, int n, Keep keep) {
  Buffer<B, int> starts(be, std::size_t(n) + 1);
  int* start = starts.data();
  each(be, "entries to keep", n, 8, [=] HD(int i) {
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
  each(be, "rows with ascending columns", n, 8, [=] HD(int i) {
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

/// Columns of each row in ascending order.
template <class B>
SparseRows<B> transposed(B& be, const SparseRows<B>& A) {
  const int n = A.rows, entries = A.entries();
  SparseRows<B> t(be, n, entries);
  const SparseRowsView a = A.view();
  const Buffer<B, int> keys(be, entries), froms(be, entries), rows(be, entries);
  int *key = keys.data(), *from = froms.data(), *row = rows.data(), *start = t.start.data();
  each(be, "entries of columns", n, 12, [=] HD(int i) {
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
  each(be, "transpose", entries, 32, [=] HD(int k) {
    column[k] = row[from[k]];
    value[k] = a.value[from[k]];
  });
  return t;
}

/// f on the k-th row of an order, if it has entries.
template <class F>
struct OnRowOf {
  const int *start, *row;
  F f;
  HD void operator()(int k) const {
    if (start[row[k]] < start[row[k] + 1]) f(row[k]);
  }
};

/// f(i) on the rows of A that have entries; f(i) sees what rows j < i in its pattern have left, if it reads
/// it with `fresh`.
template <class B, class F>
void eliminate(B& be, const char* label, const SparseRows<B>& A, const Levels<B>& levels, double bytes, F f) {
  const int n = A.rows;
  const SparseRowsView a = A.view();
  const Buffer<B, int> order = by_level(be, levels), places(be, n), starts(be, std::size_t(n) + 1);
  int *place = places.data(), *start = starts.data();
  const int* row = order.data();
  each(be, "places by level", n, 16, [=] HD(int k) {
    const int i = row[k];
    place[i] = k;
    int count = 0;
    for (int e = a.start[i]; e < a.start[i + 1]; ++e) count += a.column[e] < i;
    start[k] = count;
  });
  sums_before(be, start, n + 1);
  const Buffer<B, int> neighbours(be, read(be, starts, n));
  int* neighbour = neighbours.data();
  each(be, "dependencies by level", n, 16, [=] HD(int k) {
    const int i = row[k];
    int at = start[k];
    for (int e = a.start[i]; e < a.start[i + 1]; ++e)
      if (a.column[e] < i) neighbour[at++] = place[a.column[e]];
  });
  be.in_order(label, n, true, Dependencies{start, neighbour}, bytes, OnRowOf<F>{a.start, row, f});
  be.synchronize();  // before the lists go
}

/// The diagonal's place in each row of a matrix with ascending columns; -1 in rows without entries. Throws
/// InputError if a row lacks it.
template <class B>
Buffer<B, int> diagonal_of(B& be, const SparseRows<B>& A, const char* what) {
  const int n = A.rows;
  const SparseRowsView a = A.view();
  Buffer<B, int> places(be, n);
  const Buffer<B, int> lacks(be, 1);
  int *place = places.data(), *lacking = lacks.data();
  each(be, "no row without a diagonal", 1, 4, [=] HD(int) { *lacking = n; });
  each(be, "places of the diagonal", n, 16, [=] HD(int i) {
    place[i] = -1;
    for (int e = a.start[i]; e < a.start[i + 1]; ++e)
      if (a.column[e] == i) place[i] = e;
    if (place[i] < 0 && a.start[i] < a.start[i + 1]) lower_to(lacking, i);
  });
  if (const int i = read(be, lacks, 0); i < n)
    throw InputError(std::string("the incomplete factorisation ") + what +
                     " needs every element of the diagonal, and " + row_words(i) +
                     " has none; reorder the rows of the matrix or choose another preconditioner");
  return places;
}

/// How a row reads others: after a wait for them, or as a sweep before this one left them.
struct Fresh {
  HD double operator()(const double* p) const { return fresh(p); }
};
struct AsItWas {
  HD double operator()(const double* p) const { return *p; }
};

/// ILU(0) of row i: `to` holds the row of A and gets that of L and U, by elimination with the rows of `from`
/// (Saad, Algorithm 10.4).
struct LuRow {
  SparseRowsView f;
  const int* diagonal;

  template <class Read>
  HD void operator()(int i, const double* from, double* to, Read read) const {
    const int last = f.start[i + 1];
    for (int k = f.start[i]; k < diagonal[i]; ++k) {
      const int p = f.column[k];  // the row to eliminate with
      const double l = to[k] / read(from + diagonal[p]);
      to[k] = l;
      for (int e = diagonal[p] + 1, at = k + 1; e < f.start[p + 1] && at < last; ++e) {
        while (at < last && f.column[at] < f.column[e]) ++at;
        if (at < last && f.column[at] == f.column[e]) to[at] = std::fma(-l, read(from + e), to[at]);
      }
    }
  }
  HD bool fails(int i, const double* value) const {
    const double pivot = value[diagonal[i]];
    return pivot == 0 || !(pivot - pivot == 0);
  }
};

/// IC(0) of row i: `to` holds the lower row of A and gets that of L but for its diagonal, which it gets the
/// square of: l_ij = (a_ij - sum over m < j of l_im l_jm) / l_jj with rows j of `from`.
struct CholeskyRow {
  SparseRowsView l;

  template <class Read>
  HD void operator()(int i, const double* from, double* to, Read read) const {
    const int first = l.start[i], last = l.start[i + 1];
    for (int k = first; k < last; ++k) {
      const int j = l.column[k], end = l.start[j + 1];
      double sum = to[k];
      for (int p = first, q = l.start[j]; p < k && q < end;) {
        const int c = l.column[p], d = l.column[q];
        if (c == d) sum = std::fma(-to[p], j == i ? to[q] : read(from + q), sum);
        p += c <= d;
        q += d <= c;
      }
      to[k] = j < i ? sum / read(from + end - 1) : sum;
    }
  }
  HD static bool fails(double pivot) { return !(pivot > 0) || !(pivot - pivot == 0); }
};

/// The first row that has failed, n before any has.
template <class B>
Buffer<B, int> no_failure(B& be, int n) {
  Buffer<B, int> failures(be, 1);
  int* failed = failures.data();
  each(be, "no pivot has failed", 1, 4, [=] HD(int) { *failed = n; });
  return failures;
}

/// Errors; no sweeps: of exact factors.
inline std::string more_sweeps(int sweeps) {
  return sweeps > 0 ? "take more of them, or 0 for exact factors, " : "";
}

inline void refuse_lu_pivot(const char* what, int row, int sweeps) {
  throw SolveError("the incomplete factorisation " + std::string(what) + by_sweeps(sweeps) +
                   " met a pivot that is zero or not finite in " + row_words(row) + "; " +
                   more_sweeps(sweeps) + "reorder the rows of the matrix or choose another preconditioner");
}
inline void refuse_cholesky_pivot(int row, double pivot, int sweeps) {
  throw SolveError("the incomplete factorisation IC(0)" + by_sweeps(sweeps) + " met the pivot " +
                   std::to_string(pivot) + " in " + row_words(row) + ", which is not positive: " +
                   (sweeps > 0 ? more_sweeps(sweeps) + "or " : "that of this matrix does not exist; ") +
                   "choose another preconditioner, such as ssor or jacobi");
}

/// F, which holds A on its pattern, becomes L and U there. `levels` become those of L.
template <class B>
void factorise(B& be, const char* what, SparseRows<B>& F, Levels<B>& levels) {
  const int n = F.rows;
  const Buffer<B, int> diagonals = diagonal_of(be, F, what), failures = no_failure(be, n);
  levels = Levels<B>(be, F, Triangle::lower);
  const LuRow row{F.view(), diagonals.data()};
  double* value = F.value.data();
  int* failed = failures.data();
  eliminate(be, what, F, levels, double(F.entries()) * 36, [=] HD(int i) {
    row(i, value, value, Fresh{});
    if (row.fails(i, value)) lower_to(failed, i);
  });
  if (const int i = read(be, failures, 0); i < n) refuse_lu_pivot(what, i, 0);
}

template <class B, class T>
SparseRows<B> ilu0(B& be, const Csr<B, T>& A, int n, Levels<B>& levels) {
  SparseRows<B> F = sorted_part(be, A.view(), n, AllEntries{});
  factorise(be, "ILU(0)", F, levels);
  return F;
}

/// A row of a sweep, if it has entries.
template <class F>
struct SweptRow {
  SparseRowsView a;
  const double* from;
  double* to;
  F f;
  HD void operator()(int i) const {
    const int first = a.start[i], last = a.start[i + 1];
    for (int k = first; k < last; ++k) to[k] = a.value[k];
    if (first < last) f(i, from, to);
  }
};

/// f(i, from, to) on the rows of A that have entries, `sweeps` times, with A's values in row i of `to` and
/// in `from` what the sweep before left, for the first one `start`.
template <class B, class F>
void sweep(B& be, const char* label, SparseRows<B>& A, int sweeps, Buffer<B, double> start, F f) {
  const SparseRowsView a = A.view();
  Buffer<B, double> from = std::move(start), to(be, A.entries());
  const double bytes = double(A.entries()) / std::max(1, A.rows) * 36 + 12;
  for (int n = 0; n < sweeps; ++n) {
    each(be, label, A.rows, bytes, SweptRow<F>{a, from.data(), to.data(), f});
    std::swap(from, to);
  }
  A.value = std::move(from);
  be.synchronize();  // before the lists go
}

template <class T, class B>
Buffer<B, T> values_in(B& be, const SparseRows<B>& A) {
  Buffer<B, T> to(be, A.entries());
  const double* v = A.value.data();
  T* w = to.data();
  each(be, "a copy of values", A.entries(), sizeof(double) + sizeof(T), [=] HD(int k) { w[k] = T(v[k]); });
  return to;
}

/// F, which holds A on its pattern, becomes nearly L and U there, by sweeps from `start`. Pivots that fail
/// are refused if they are looked at.
template <class B>
void sweep_factors(B& be, const char* what, SparseRows<B>& F, int sweeps, Buffer<B, double> start,
                   bool look = true) {
  const int n = F.rows;
  const Buffer<B, int> diagonals = diagonal_of(be, F, what), failures = no_failure(be, n);
  const LuRow row{F.view(), diagonals.data()};
  sweep(be, "a sweep of ILU", F, sweeps, std::move(start),
        [=] HD(int i, const double* from, double* to) { row(i, from, to, AsItWas{}); });
  if (!look) return;
  const LuRow found{F.view(), diagonals.data()};
  int* failed = failures.data();
  each(be, "pivots", n, 16, [=] HD(int i) {
    if (found.diagonal[i] >= 0 && found.fails(i, found.f.value)) lower_to(failed, i);
  });
  if (const int i = read(be, failures, 0); i < n) refuse_lu_pivot(what, i, sweeps);
}

template <class B, class T>
SparseRows<B> ilu0_by_sweeps(B& be, const Csr<B, T>& A, int n, int sweeps) {
  SparseRows<B> F = sorted_part(be, A.view(), n, AllEntries{});
  sweep_factors(be, "ILU(0)", F, sweeps, values_in<double>(be, F));
  return F;
}

/// The lower triangle of A, whose diagonal is whole.
template <class B, class T>
SparseRows<B> lower_part(B& be, const Csr<B, T>& A, int n) {
  SparseRows<B> L = sorted_part(be, A.view(), n, LowerEntries{});
  const CsrView<T> a = A.view();  // a row with entries above its diagonal alone is no padding
  const Buffer<B, int> lacks = no_failure(be, n);
  int* lacking = lacks.data();
  each(be, "rows without a lower triangle", n, 16, [=] HD(int i) {
    if (a.start[i] < a.start[i + 1]) {
      bool there = false;
      for (int k = a.start[i]; k < a.start[i + 1]; ++k) there = there || a.column[k] == i;
      if (!there) lower_to(lacking, i);
    }
  });
  if (const int i = read(be, lacks, 0); i < n)
    throw InputError("the incomplete factorisation IC(0) needs every element of the diagonal, and " +
                     row_words(i) + " has none; choose another preconditioner");
  return L;
}

/// Throws for row i, which has failed: L has the square of its diagonal.
template <class B>
void refuse_cholesky_row(B& be, const SparseRows<B>& L, int i, int sweeps) {
  refuse_cholesky_pivot(i, read(be, L.value, std::size_t(read(be, L.start, i + 1)) - 1), sweeps);
}

template <class B, class T>
SparseRows<B> ic0(B& be, const Csr<B, T>& A, int n, Levels<B>& levels) {
  SparseRows<B> L = lower_part(be, A, n);
  levels = Levels<B>(be, L, Triangle::lower);
  const SparseRowsView l = L.view();
  const Buffer<B, int> failures = no_failure(be, n);
  int* failed = failures.data();
  eliminate(be, "IC(0)", L, levels, double(L.entries()) * 36, [=] HD(int i) {
    CholeskyRow{l}(i, l.value, l.value, Fresh{});
    double& pivot = l.value[l.start[i + 1] - 1];
    if (CholeskyRow::fails(pivot))
      lower_to(failed, i);
    else
      pivot = std::sqrt(pivot);
  });
  if (const int i = read(be, failures, 0); i < n) refuse_cholesky_row(be, L, i, 0);
  return L;
}

template <class B, class T>
SparseRows<B> ic0_by_sweeps(B& be, const Csr<B, T>& A, int n, int sweeps) {
  SparseRows<B> L = lower_part(be, A, n);
  const SparseRowsView l = L.view();
  Buffer<B, double> starts(be, L.entries());
  double* start = starts.data();
  each(be, "L as far as the diagonal says", n, 36, [=] HD(int i) {
    for (int k = l.start[i]; k < l.start[i + 1]; ++k)
      start[k] = l.value[k] / std::sqrt(l.value[l.start[l.column[k] + 1] - 1]);
  });
  const Buffer<B, int> failures = no_failure(be, n);
  int* failed = failures.data();
  // A pivot that fails in a sweep before the last may yet become what it is: the row keeps what it had.
  const Buffer<B, double> pivots(be, n);
  double* pivot = pivots.data();
  sweep(be, "a sweep of IC(0)", L, sweeps, std::move(starts), [=] HD(int i, const double* from, double* to) {
    CholeskyRow{l}(i, from, to, AsItWas{});
    const int d = l.start[i + 1] - 1;
    pivot[i] = to[d];
    to[d] = CholeskyRow::fails(to[d]) ? from[d] : std::sqrt(to[d]);
  });
  const SparseRowsView found = L.view();
  each(be, "pivots", n, 24, [=] HD(int i) {
    const int d = found.start[i + 1] - 1;
    if (d < found.start[i] || !CholeskyRow::fails(pivot[i])) return;
    found.value[d] = pivot[i];  // for the message
    lower_to(failed, i);
  });
  if (const int i = read(be, failures, 0); i < n) refuse_cholesky_row(be, L, i, sweeps);
  return L;
}

template <class B, class T>
SparseRows<B> ssor_lower(B& be, const Csr<B, T>& A, int n, double omega) {
  SparseRows<B> L = sorted_part(be, A.view(), n, LowerEntries{});
  const SparseRowsView l = L.view();
  each(be, "D / omega + L", n, 16, [=] HD(int i) {
    for (int k = l.start[i]; k < l.start[i + 1]; ++k)
      if (l.column[k] == i) l.value[k] /= omega;
  });
  return L;
}
template <class B, class T>
SparseRows<B> ssor_upper(B& be, const Csr<B, T>& A, int n, double omega) {
  SparseRows<B> U = sorted_part(be, A.view(), n, UpperEntries{});
  const SparseRowsView u = U.view();
  const double unit = 1 / (2 - omega), weight = omega / (2 - omega);
  each(be, "D^-1 (D / omega + U), weighted", n, 16, [=] HD(int i) {
    double d = 1;
    for (int k = u.start[i]; k < u.start[i + 1]; ++k)
      if (u.column[k] == i) d = u.value[k];
    for (int k = u.start[i]; k < u.start[i + 1]; ++k)
      u.value[k] = u.column[k] == i ? unit : weight * u.value[k] / d;
  });
  return U;
}

template <class B>
SparseRows<B> triangle_of(B& be, const SparseRows<B>& A, Triangle side, bool unit) {
  SparseRows<B> t = side == Triangle::lower ? sorted_part(be, A.view(), A.rows, LowerEntries{})
                                            : sorted_part(be, A.view(), A.rows, UpperEntries{});
  const SparseRowsView v = t.view();
  if (unit)
    each(be, "ones on the diagonal", t.rows, 8, [=] HD(int i) {
      for (int k = v.start[i]; k < v.start[i + 1]; ++k)
        if (v.column[k] == i) v.value[k] = 1;
    });
  return t;
}

/// The pattern of P A, where both hold their diagonals and columns ascend; values are zero. Throws InputError
/// where an int cannot count it, with `advice`.
template <class B>
SparseRows<B> pattern_of_product(B& be, const SparseRows<B>& P, const SparseRows<B>& A, const char* advice) {
  const int n = P.rows;
  const SparseRowsView p = P.view(), a = A.view();
  const Buffer<B, int> starts(be, std::size_t(n) + 1);  // of rows with columns that come more than once
  const Buffer<B, Sum<1>> totals(be, 1);
  int* start = starts.data();
  be.rows_sum(
      "entries of a product, at most", extent_of_list(n), 24, totals.data(),
      [=] HD(Row r) {
        Sum<1> count{};
        if (r.i >= n) return count;
        for (int k = p.start[r.i]; k < p.start[r.i + 1]; ++k)
          count.v[0] += a.start[p.column[k] + 1] - a.start[p.column[k]];
        start[r.i] = count.v[0] < INT32_MAX ? int(count.v[0]) : 0;
        return count;
      },
      NoTail{});
  if (const double total = read(be, totals, 0).v[0]; !(total < INT32_MAX))
    throw InputError(std::string("a pattern grows beyond what can be counted; ") + advice);
  sums_before(be, start, n + 1);
  const int most = read(be, starts, n);
  const Buffer<B, int> all(be, most), counts(be, std::size_t(n) + 1);
  const Buffer<B, double> ignored(be, most);
  int *found = all.data(), *count = counts.data();
  double* no_value = ignored.data();
  each(be, "pattern of a product", n, 48, [=] HD(int i) {
    int at = start[i];
    for (int k = p.start[i]; k < p.start[i + 1]; ++k)
      for (int e = a.start[p.column[k]]; e < a.start[p.column[k] + 1]; ++e) found[at++] = a.column[e];
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
  each(be, "pattern of a product, packed", n + 1, 32, [=] HD(int i) {
    to_start[i] = count[i];
    if (i == n) return;
    for (int k = count[i]; k < count[i + 1]; ++k) to_column[k] = found[start[i] + k - count[i]];
  });
  be.synchronize();  // before the lists go
  return product;
}

template <class B>
SparseRows<B> isai(B& be, const SparseRows<B>& A, Triangle side, int power) {
  const int n = A.rows;
  const bool lower = side == Triangle::lower;
  SparseRows<B> W = sorted_part(be, A.view(), n, AllEntries{});
  for (int step = 1; step < power; ++step) W = pattern_of_product(be, W, A, "take a lower power for isai");
  const SparseRowsView a = A.view(), w = W.view();
  // The row w of W solves w' A = e' on its pattern, with one in row i of e. The unknowns are found from the
  // diagonal outwards, and each takes its multiple of a row of A from what the rest have to make.
  each(be, "approximate inverses of triangles", n, double(W.entries()) / std::max(1, n) * 40, [=] HD(int i) {
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

/// Values of A where `pattern` has entries, zero where A has none; columns ascend in both.
template <class B>
Buffer<B, double> values_on(B& be, const SparseRows<B>& pattern, const SparseRows<B>& A) {
  Buffer<B, double> values(be, pattern.entries());
  const SparseRowsView p = pattern.view(), a = A.view();
  double* value = values.data();
  each(be, "values on a pattern", pattern.rows, 60, [=] HD(int i) {
    int e = a.start[i];
    for (int k = p.start[i]; k < p.start[i + 1]; ++k) {
      while (e < a.start[i + 1] && a.column[e] < p.column[k]) ++e;
      value[k] = e < a.start[i + 1] && a.column[e] == p.column[k] ? a.value[e] : 0;
    }
  });
  return values;
}

/// F with the entries of A's pattern, and the largest others, of those of L in units of its diagonal and of
/// those of U in units of that of their row: at most so many altogether.
template <class B>
SparseRows<B> largest(B& be, const SparseRows<B>& F, const SparseRows<B>& A, int most) {
  constexpr int last = 0x7f7fffff;  // bits of the largest float, which order as floats do
  const int n = F.rows, entries = F.entries();
  const SparseRowsView f = F.view(), a = A.view();
  const Buffer<B, int> keys(be, entries), places(be, entries), keeps(be, entries);
  int *key = keys.data(), *place = places.data(), *keep = keeps.data();
  each(be, "order of size", n, 100, [=] HD(int i) {
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
  each(be, "what is kept", std::min(most, entries), 12, [=] HD(int k) {
    if (key[k] < last) keep[place[k]] = 1;  // no zeros
  });
  SparseRows<B> kept(be, 0, 0);
  kept.rows = n;
  kept.start = Buffer<B, int>(be, std::size_t(n) + 1);
  int* start = kept.start.data();
  each(be, "entries that are kept", n, 24, [=] HD(int i) {
    for (int k = f.start[i]; k < f.start[i + 1]; ++k) start[i] += keep[k];
  });
  sums_before(be, start, n + 1);
  kept.column = Buffer<B, int>(be, read(be, kept.start, n));
  kept.value = Buffer<B, double>(be, kept.column.size());
  int* column = kept.column.data();
  double* value = kept.value.data();
  each(be, "a thinner pattern", n, 100, [=] HD(int i) {
    int at = start[i];
    for (int k = f.start[i]; k < f.start[i + 1]; ++k)
      if (keep[k]) {
        column[at] = f.column[k];
        value[at++] = f.value[k];
      }
  });
  be.synchronize();  // before the lists go
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

template Buffer<Backend, double> values_in(Backend&, const SparseRows<Backend>&);
template Buffer<Backend, float> values_in(Backend&, const SparseRows<Backend>&);
template SparseRows<Backend> parilut(Backend&, const Csr<Backend, double>&, int, double, int, int,
                                     Levels<Backend>&);
template SparseRows<Backend> parilut(Backend&, const Csr<Backend, float>&, int, double, int, int,
                                     Levels<Backend>&);
template SparseRows<Backend> triangle_of(Backend&, const SparseRows<Backend>&, Triangle, bool);
template SparseRows<Backend> isai(Backend&, const SparseRows<Backend>&, Triangle, int);
template SparseRows<Backend> transposed(Backend&, const SparseRows<Backend>&);
template SparseRows<Backend> ilu0(Backend&, const Csr<Backend, double>&, int, Levels<Backend>&);
template SparseRows<Backend> ilu0_by_sweeps(Backend&, const Csr<Backend, double>&, int, int);
template SparseRows<Backend> ic0(Backend&, const Csr<Backend, double>&, int, Levels<Backend>&);
template SparseRows<Backend> ic0_by_sweeps(Backend&, const Csr<Backend, double>&, int, int);
template SparseRows<Backend> ssor_lower(Backend&, const Csr<Backend, double>&, int, double);
template SparseRows<Backend> ssor_upper(Backend&, const Csr<Backend, double>&, int, double);
template SparseRows<Backend> ilu0(Backend&, const Csr<Backend, float>&, int, Levels<Backend>&);
template SparseRows<Backend> ilu0_by_sweeps(Backend&, const Csr<Backend, float>&, int, int);
template SparseRows<Backend> ic0(Backend&, const Csr<Backend, float>&, int, Levels<Backend>&);
template SparseRows<Backend> ic0_by_sweeps(Backend&, const Csr<Backend, float>&, int, int);
template SparseRows<Backend> ssor_lower(Backend&, const Csr<Backend, float>&, int, double);
template SparseRows<Backend> ssor_upper(Backend&, const Csr<Backend, float>&, int, double);

}  // namespace wavesim
