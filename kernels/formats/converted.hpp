#pragma once
// A format whose room is found from the lengths of all rows first, and which is then filled row by row from
// the view of another one: for the wave system from `stencil`, which stores nothing, for any other matrix
// from compressed sparse rows, which are let go.

#include "kernels/formats/csr.hpp"
#include "kernels/formats/stencil.hpp"

namespace wavesim {

template <class B, class T, class Storage>
class Converted {
 public:
  using View = typename Storage::View;
  /// The wave system; its couplings must stay non-zero (b > 0) from here on.
  template <class System>
  Converted(B& backend, Extent e, const System& system)
      : storage_(backend, e, starts(Csr<B, T>::counts(backend, e, system).download())) {}
  /// Any square matrix.
  Converted(B& backend, Extent e, const Csr<B, T>& csr) : storage_(backend, e, csr.starts()) {
    storage_.fill(backend, e, csr.view());
    backend.synchronize();  // before csr is let go
  }
  View view() const { return storage_.view(); }
  template <class System>
  void assemble(B& backend, Extent e, const System& system) {
    StencilView<System> stencil;
    stencil.set(system);
    storage_.fill(backend, e, stencil);
  }

 private:
  static std::vector<int> starts(std::vector<int> counts) {
    int sum = 0;
    for (int& s : counts) {
      const int n = s;
      s = sum;
      sum += n;
    }
    return counts;
  }
  Storage storage_;
};

}  // namespace wavesim
