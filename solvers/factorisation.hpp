#pragma once
// The incomplete factorisations of incomplete.hpp in a backend's memory, to the bit what those are: rows wait
// for the rows they are eliminated with. They are visited by level, so that the waits are short.

#include "solvers/incomplete.hpp"
#include "solvers/levels.hpp"

namespace wavesim {

/// ILU(0), see `ilu0(const HostCsr&)`. `levels` become those of L.
template <class B, class T>
SparseRows<B> ilu0(B& be, const Csr<B, T>& A, int n, Levels<B>& levels);

/// IC(0), see `ic0(const HostCsr&)`: L. `levels` become those of L.
template <class B, class T>
SparseRows<B> ic0(B& be, const Csr<B, T>& A, int n, Levels<B>& levels);

/// Factors of SSOR, see `ssor_lower` and `ssor_upper` of a HostCsr.
template <class B, class T>
SparseRows<B> ssor_lower(B& be, const Csr<B, T>& A, int n, double omega);
template <class B, class T>
SparseRows<B> ssor_upper(B& be, const Csr<B, T>& A, int n, double omega);

}  // namespace wavesim
