// Compiled once for each backend (levels.cpp says why).
#include "solvers/factorisation.hpp"

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

/// A with the entries for which keep(i, j), columns of each row in ascending order.
template <class B, class T, class Keep>
SparseRows<B> sorted_part(B& be, const Csr<B, T>& A, int n, Keep keep) {
  const CsrView<T> a = A.view();
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

template <class B, class T>
SparseRows<B> ilu0(B& be, const Csr<B, T>& A, int n, Levels<B>& levels) {
  SparseRows<B> F = sorted_part(be, A, n, AllEntries{});
  const Buffer<B, int> diagonals = diagonal_of(be, F, "ILU(0)"), failures(be, 1);
  levels = Levels<B>(be, F, Triangle::lower);
  const SparseRowsView f = F.view();
  const int* diagonal = diagonals.data();
  int* failed = failures.data();
  each(be, "no pivot has failed", 1, 4, [=] HD(int) { *failed = n; });
  eliminate(be, "ILU(0)", F, levels, double(F.entries()) * 36, [=] HD(int i) {
    const int last = f.start[i + 1];
    for (int k = f.start[i]; k < diagonal[i]; ++k) {
      const int p = f.column[k];  // the row to eliminate with
      const double l = f.value[k] / fresh(f.value + diagonal[p]);
      f.value[k] = l;
      for (int e = diagonal[p] + 1, at = k + 1; e < f.start[p + 1] && at < last; ++e) {
        while (at < last && f.column[at] < f.column[e]) ++at;
        if (at < last && f.column[at] == f.column[e])
          f.value[at] = std::fma(-l, fresh(f.value + e), f.value[at]);
      }
    }
    const double pivot = f.value[diagonal[i]];
    if (pivot == 0 || !(pivot - pivot == 0)) lower_to(failed, i);
  });
  if (const int i = read(be, failures, 0); i < n)
    throw SolveError("the incomplete factorisation ILU(0) met a pivot that is zero or not finite in " +
                     row_words(i) + "; reorder the rows of the matrix or choose another preconditioner");
  return F;
}

template <class B, class T>
SparseRows<B> ic0(B& be, const Csr<B, T>& A, int n, Levels<B>& levels) {
  SparseRows<B> L = sorted_part(be, A, n, LowerEntries{});
  {
    const CsrView<T> a = A.view();  // a row with entries above its diagonal alone is no padding
    const Buffer<B, int> lacks(be, 1);
    int* lacking = lacks.data();
    each(be, "no row without a diagonal", 1, 4, [=] HD(int) { *lacking = n; });
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
  }
  levels = Levels<B>(be, L, Triangle::lower);
  const SparseRowsView l = L.view();
  const Buffer<B, int> failures(be, 1);
  int* failed = failures.data();
  each(be, "no pivot has failed", 1, 4, [=] HD(int) { *failed = n; });
  eliminate(be, "IC(0)", L, levels, double(L.entries()) * 36, [=] HD(int i) {
    const int first = l.start[i], last = l.start[i + 1];
    for (int k = first; k < last; ++k) {
      // l_ij = (a_ij - sum over m < j of l_im l_jm) / l_jj
      const int j = l.column[k], end = l.start[j + 1];
      double sum = l.value[k];
      for (int p = first, q = l.start[j]; p < k && q < end;) {
        const int c = l.column[p], d = l.column[q];
        if (c == d) sum = std::fma(-l.value[p], j == i ? l.value[q] : fresh(l.value + q), sum);
        p += c <= d;
        q += d <= c;
      }
      if (j < i) {
        l.value[k] = sum / fresh(l.value + end - 1);
        continue;
      }
      if (!(sum > 0) || !(sum - sum == 0)) {
        l.value[k] = sum;  // for the message
        lower_to(failed, i);
      } else {
        l.value[k] = std::sqrt(sum);
      }
    }
  });
  if (const int i = read(be, failures, 0); i < n)
    throw SolveError("the incomplete factorisation IC(0) met the pivot " +
                     std::to_string(read(be, L.value, std::size_t(read(be, L.start, i + 1)) - 1)) + " in " +
                     row_words(i) +
                     ", which is not positive: that of this matrix does not "
                     "exist; choose another preconditioner, such as ssor or jacobi");
  return L;
}

template <class B, class T>
SparseRows<B> ssor_lower(B& be, const Csr<B, T>& A, int n, double omega) {
  SparseRows<B> L = sorted_part(be, A, n, LowerEntries{});
  const SparseRowsView l = L.view();
  each(be, "D / omega + L", n, 16, [=] HD(int i) {
    for (int k = l.start[i]; k < l.start[i + 1]; ++k)
      if (l.column[k] == i) l.value[k] /= omega;
  });
  return L;
}
template <class B, class T>
SparseRows<B> ssor_upper(B& be, const Csr<B, T>& A, int n, double omega) {
  SparseRows<B> U = sorted_part(be, A, n, UpperEntries{});
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

template SparseRows<Backend> transposed(Backend&, const SparseRows<Backend>&);
template SparseRows<Backend> ilu0(Backend&, const Csr<Backend, double>&, int, Levels<Backend>&);
template SparseRows<Backend> ic0(Backend&, const Csr<Backend, double>&, int, Levels<Backend>&);
template SparseRows<Backend> ssor_lower(Backend&, const Csr<Backend, double>&, int, double);
template SparseRows<Backend> ssor_upper(Backend&, const Csr<Backend, double>&, int, double);
template SparseRows<Backend> ilu0(Backend&, const Csr<Backend, float>&, int, Levels<Backend>&);
template SparseRows<Backend> ic0(Backend&, const Csr<Backend, float>&, int, Levels<Backend>&);
template SparseRows<Backend> ssor_lower(Backend&, const Csr<Backend, float>&, int, double);
template SparseRows<Backend> ssor_upper(Backend&, const Csr<Backend, float>&, int, double);

}  // namespace wavesim
