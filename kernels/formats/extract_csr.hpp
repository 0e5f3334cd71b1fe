#pragma once
// Compressed sparse rows of a matrix in any other format, made where the matrix is.

#include "kernels/formats/csr.hpp"

namespace wavesim {

/// `A`: the view of a format. Rows keep the order of their entries; padding of the extent has empty rows.
template <class T, class B, class View>
Csr<B, T> extract_csr(B& backend, Extent e, const View& A) {
  Buffer<B, int> start(backend, std::size_t(e.count()) + 1);
  backend.rows(
      "entries of each row", e, A.bytes,
      [=] KERNEL(Row r, int& n) {
        int count = 0;
        A.each(r, [&](int, T) { ++count; });
        n = count;
      },
      Out<int>{start.data()});
  Csr<B, T> csr(backend, std::move(start));
  const CsrView<T> to = csr.view();
  backend.rows("A to csr", e, 2 * A.bytes, [=] KERNEL(Row r) {
    int k = to.start[r.i];
    A.each(r, [&](int j, T a) {
      to.column[k] = j;
      to.value[k] = a;
      ++k;
    });
  });
  return csr;
}

}  // namespace wavesim
