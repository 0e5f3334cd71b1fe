#pragma once
// A sparse matrix in a backend's memory, in doubles: what factorisations and triangular solves are set up
// from. Rows without entries are padding of an extent.

#include <algorithm>

#include "kernels/each.hpp"
#include "kernels/formats/csr.hpp"
#include "kernels/sort.hpp"

namespace wavesim {

struct SparseRowsView {
  const int *start, *column;
  double* value;
};

template <class B>
struct SparseRows {
  int rows = 0;
  Buffer<B, int> start, column;
  Buffer<B, double> value;

  SparseRows() = default;
  SparseRows(B& be, int n, std::size_t entries)
      : rows(n), start(be, std::size_t(n) + 1), column(be, entries), value(be, entries) {}
  SparseRows(B& be, const HostCsr& host) : SparseRows(be, host.rows, host.column.size()) {
    start.upload(host.start);
    column.upload(host.column);
    value.upload(host.value);
  }
  SparseRowsView view() const { return {start.data(), column.data(), value.data()}; }
  int entries() const { return int(column.size()); }
  HostCsr download() const { return {rows, start.download(), column.download(), value.download()}; }
};

/// One element of a buffer, read by the host.
template <class B, class V>
V read(B& be, const Buffer<B, V>& buffer, std::size_t at) {
  V v;
  be.download(&v, buffer.data() + at, 1);
  return v;
}

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

}  // namespace wavesim
