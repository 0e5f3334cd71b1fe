#pragma once
// `csr-merge`: the rows of `csr`, multiplied in tiles of about as many entries each (row_tiles.hpp).

#include "kernels/formats/row_tiles.hpp"

namespace wavesim {

template <class B, class T>
class CsrMerge {
 public:
  using View = TiledRowsView<T>;
  static constexpr int vectors_of_block = row_tiles::vectors_of_block, most_vectors = row_tiles::most_vectors;
  /// The pattern is that of `system`.
  template <class System>
  CsrMerge(B& backend, Extent e, const System& system)
      : CsrMerge(backend, e, Csr<B, T>(backend, e, system)) {}
  /// Any square matrix.
  CsrMerge(B& backend, Extent, Csr<B, T> csr) : csr_(std::move(csr)) {
    if constexpr (B::asynchronous)  // a CPU takes row after row
      tiles_ = RowTiles<B, T>(backend, RowCuts(csr_.starts()));
  }
  template <class System>
  void assemble(B& backend, Extent e, const System& system) {
    csr_.assemble(backend, e, system);
  }
  View view() const { return {csr_.view()}; }
  const Csr<B, T>& csr() const { return csr_; }
  /// y <- A x for the rows of e.
  void multiply(B& be, const char* label, Extent e, const Field<B, T>& x, Field<B, T>& y) const {
    multiply_by_tiles(be, label, e, view(), tiles_, x, y);
  }
  /// Y <- A X where products are asynchronous; a CPU has the rows themselves.
  template <class Columns>
  void multiply(B& be, const char* label, Extent e, const Columns& columns) const {
    multiply_by_tiles(be, label, e, view(), tiles_, columns);
  }

 private:
  Csr<B, T> csr_;
  RowTiles<B, T> tiles_;
};

}  // namespace wavesim
