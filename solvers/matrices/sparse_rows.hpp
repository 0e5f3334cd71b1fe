#pragma once
// A sparse matrix in a backend's memory, in doubles: what factorisations and triangular solves are set up
// from. Rows without entries are padding of an extent.

#include <algorithm>

#include "kernels/formats/csr.hpp"
#include "kernels/lists/each.hpp"
#include "kernels/lists/sort.hpp"
#include "kernels/memory/copy_to_host.hpp"

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
  HostCsr download() const {
    if (start.size() == 0) return {};
    HostCsr host;
    host.rows = rows;
    host.start.resize(start.size()), host.column.resize(column.size()), host.value.resize(value.size());
    start.backend().download_all({copy_to(host.start, start.data()), copy_to(host.column, column.data()),
                                  copy_to(host.value, value.data())});
    return host;
  }
};

/// One element of a list, read by the host.
template <class B, class V>
V read(B& be, const V* list, std::size_t at) {
  V v;
  be.download(&v, list + at, 1);
  return v;
}
template <class B, class V>
V read(B& be, const Buffer<B, V>& buffer, std::size_t at) {
  return read(be, buffer.data(), at);
}

/// Columns of each row in ascending order.
template <class B>
SparseRows<B> transposed(B& be, const SparseRows<B>& A);

}  // namespace wavesim
