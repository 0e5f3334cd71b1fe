#pragma once
// Incomplete Cholesky factors on a pattern that is given, exact or by sweeps (Saad, Iterative Methods, 10.3).
// `what`, in messages, is the factorisation.

#include "solvers/triangular/levels.hpp"

namespace wavesim {

/// The lower triangle of A, columns ascending. Throws InputError if a row lacks its diagonal.
template <class B, class T>
SparseRows<B> lower_part(B& be, const char* what, const Csr<B, T>& A, int n);

/// tril(A) diag(A)^-1/2 of the lower triangle of A: where sweeps start.
template <class B>
Buffer<B, double> scaled_lower_part(B& be, const SparseRows<B>& A);

/// L, which holds the lower triangle of A on its pattern, becomes the factor there. `levels` become those of
/// L. Throws SolveError if a pivot is not positive.
template <class B>
void factorise_cholesky(B& be, const char* what, SparseRows<B>& L, Levels<B>& levels);

/// L, which holds the lower triangle of A on its pattern, becomes nearly the factor there, by sweeps from
/// `start`. Where a pivot is not positive the diagonal keeps its value, as that pivot may still converge; one
/// of the last sweep is refused if pivots are looked at.
template <class B>
void sweep_cholesky(B& be, const char* what, SparseRows<B>& L, int sweeps, Buffer<B, double> start,
                    bool look = true);

}  // namespace wavesim
