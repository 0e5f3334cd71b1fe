#pragma once
// The incomplete factorisations of incomplete_host.hpp in a backend's memory. Exact ones equal
// those to the bit: rows wait for the rows that they are eliminated with, and are visited by level, so that
// waits are short. Those by sweeps are approximate, and no row waits. Each is a file of factorisation/.

#include "solvers/factorisation/incomplete_host.hpp"
#include "solvers/triangular/levels.hpp"

namespace wavesim {

/// ILU(0), see `ilu0(const HostCsr&)`. `levels` become those of L.
template <class B, class T>
SparseRows<B> ilu0(B& be, const Csr<B, T>& A, int n, Levels<B>& levels);

/// IC(0), see `ic0(const HostCsr&)`: L. `levels` become those of L.
template <class B, class T>
SparseRows<B> ic0(B& be, const Csr<B, T>& A, int n, Levels<B>& levels);

/// The same by sweeps over all rows in parallel, each eliminated with the others of the sweep before
/// (Chow & Patel, "Fine-grained parallel incomplete LU factorization", SIAM J. Sci. Comput. 37, 2015): no row
/// waits. Theirs solve the equations (L U)_ij = a_ij entry by entry, in whatever order threads come; here a
/// row is one unknown and two arrays take turns, so that bits repeat, and rows of level l are exact, to the
/// bit, after l + 1 sweeps. The start is theirs, the triangles of A scaled to a diagonal of ones; scaled back
/// that is U = triu(A) for ILU(0), and L = tril(A) diag(A)^-1/2 for IC(0). At least one sweep.
template <class B, class T>
SparseRows<B> ilu0_by_sweeps(B& be, const Csr<B, T>& A, int n, int sweeps);
template <class B, class T>
SparseRows<B> ic0_by_sweeps(B& be, const Csr<B, T>& A, int n, int sweeps);

/// ILU on a pattern of its own (ParILUT: Anzt, Chow & Dongarra, SIAM J. Sci. Comput. 40, 2018): in each round
/// the pattern grows to that of L U, a sweep computes the new values, and the largest stay, so that the
/// factors have at most `fill` times as many entries as A, whose own are never dropped. On the last pattern
/// the factors are exact, and `levels` become those of L; with `sweeps` > 0 so many sweeps compute them.
template <class B, class T>
SparseRows<B> parilut(B& be, const Csr<B, T>& A, int n, double fill, int rounds, int sweeps,
                      Levels<B>& levels);

/// The same for a symmetric A ~ L L' (ParICT: Anzt, Ribizel, Flegar, Chow & Dongarra, IPDPS 2019): returns L,
/// with at most `fill` times as many entries as the lower triangle of A.
template <class B, class T>
SparseRows<B> parict(B& be, const Csr<B, T>& A, int n, double fill, int rounds, int sweeps,
                     Levels<B>& levels);

/// Words for them: " by 5 sweeps"; none for exact factors.
inline std::string by_sweeps(int sweeps) {
  return sweeps > 0 ? " by " + std::to_string(sweeps) + (sweeps > 1 ? " sweeps" : " sweep") : "";
}

/// Factors of SSOR, see `ssor_lower` and `ssor_upper` of a HostCsr.
template <class B, class T>
SparseRows<B> ssor_lower(B& be, const Csr<B, T>& A, int n, double omega);
template <class B, class T>
SparseRows<B> ssor_upper(B& be, const Csr<B, T>& A, int n, double omega);

/// The values of A in T.
template <class T, class B>
Buffer<B, T> values_in(B& be, const SparseRows<B>& A);

/// The triangle of A on one side with its diagonal, or with ones in place of it if `unit`, where columns
/// ascend in each row.
template <class B>
SparseRows<B> triangle_of(B& be, const SparseRows<B>& A, Triangle side, bool unit);

/// The incomplete sparse approximate inverse of a triangle with its diagonal, see `isai(const HostCsr&)`.
template <class B>
SparseRows<B> isai(B& be, const SparseRows<B>& A, Triangle side, int power);

}  // namespace wavesim
