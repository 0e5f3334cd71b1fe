#pragma once
// Flexible GMRES (Saad 1993): GMRES that keeps what the preconditioner made of each column and forms x from
// that, so that the preconditioner may change from one application to the next, an inner iteration say. Twice
// the vectors. Iterations are counted as in GMRES.

#include "solvers/krylov/gmres.hpp"

namespace wavesim {

template <class B, class T>
using Fgmres = Gmres<B, T, true>;

}  // namespace wavesim
