#pragma once
// Deals the rows of a triangle to the bands of a relay (kernels/sptrsv/level_schedule.hpp), where the matrix
// is.
//
// Along a chain of rows (chains.hpp) nothing can be done at once, so it belongs to one band, which has the
// last value at hand. Chains side by side make a band.

#include "kernels/backend/backend.hpp"
#include "kernels/sptrsv/level_schedule.hpp"
#include "solvers/triangular/levels.hpp"

namespace wavesim {

/// The relay of a triangle, with its diagonal or with ones in place of it if `unit`. Throws InputError if an
/// element of the diagonal is zero or missing.
template <class T, class B>
LevelSchedule<B, T> make_schedule(B& be, const SparseRows<B>& A, Triangle side, bool unit,
                                  const Levels<B>& levels, ScheduleLimits limits);

}  // namespace wavesim
