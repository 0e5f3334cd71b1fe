#pragma once
// Flexible GMRES (Saad 1993): GMRES that keeps each preconditioned column and forms x from these, so that the
// preconditioner may change from one application to the next, as an inner iteration does. It has twice the
// vectors. Iterations are counted as in GMRES.

#include "solvers/krylov/gmres.hpp"

namespace wavesim {

template <class B, class T>
using Fgmres = Gmres<B, T, true>;

}  // namespace wavesim
