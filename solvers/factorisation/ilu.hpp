#pragma once
// Incomplete LU factors on a pattern that is given, exact or by sweeps (Saad, Iterative Methods, 10.3).

#include "solvers/triangular/levels.hpp"

namespace wavesim {

/// F, which holds A on its pattern, becomes L and U there. `levels` become those of L. `what`, in messages,
/// is the factorisation.
template <class B>
void factorise(B& be, const char* what, SparseRows<B>& F, Levels<B>& levels);

/// F, which holds A on its pattern, becomes nearly L and U there, by sweeps from `start`. Pivots that fail
/// are refused if they are looked at.
template <class B>
void sweep_factors(B& be, const char* what, SparseRows<B>& F, int sweeps, Buffer<B, double> start,
                   bool look = true);

}  // namespace wavesim
