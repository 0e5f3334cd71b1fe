#pragma once
// row_tiles.hpp on a CPU, which takes row after row.

#include "kernels/backend/host.hpp"
#include "kernels/formats/row_tiles.hpp"

namespace wavesim {

/// y <- A x for the rows of an extent.
template <class T>
void multiply_by_tiles(Host& be, const char* label, Extent e, const TiledRowsView<T>& A,
                       const RowTiles<Host, T>&, const Field<Host, T>& x, Field<Host, T>& y) {
  const T* const xs = x.data();
  be.rows(
      label, Rows{e, false}, A.bytes + sizeof(T),
      [=](Row r, T& yi) { yi = A.row(r, [xs](int j) { return xs[j]; }); }, y.out());
}

}  // namespace wavesim
