#pragma once
// The five-point system in a format that is filled from compressed sparse rows: assembled there, then
// converted.

#include "kernels/formats/csr.hpp"

namespace wavesim {

template <class B, class T, class Storage>
class Converted {
 public:
  using View = typename Storage::View;
  template <class System>
  Converted(B& backend, Extent e, const System& system)
      : storage_(backend, e, assembled(backend, e, system)) {}
  View view() const { return storage_.view(); }
  const Csr<B, T>& csr() const { return storage_.csr(); }
  template <class System>
  void assemble(B& backend, Extent e, const System& system) {
    storage_.csr().assemble(backend, e, system);
    storage_.fill(backend, e);
  }

 private:
  template <class System>
  static Csr<B, T> assembled(B& backend, Extent e, const System& system) {
    Csr<B, T> csr(backend, e, system);
    csr.assemble(backend, e, system);
    return csr;
  }
  Storage storage_;
};

}  // namespace wavesim
