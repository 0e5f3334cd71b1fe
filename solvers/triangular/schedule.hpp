#pragma once
// Makes the level schedule of a triangle (kernels/sptrsv/level_schedule.hpp) in the backend's memory.
//
// The rows of a chain (chains.hpp) depend on one another in sequence, so a chain belongs to one band, which
// keeps the last value. Neighbouring chains make up a band.

#include "kernels/backend/backend.hpp"
#include "kernels/sptrsv/level_schedule.hpp"
#include "solvers/triangular/levels.hpp"

namespace wavesim {

/// The schedule of a triangle, with its diagonal or with ones in place of it if `unit`. Throws InputError if an
/// element of the diagonal is zero or missing.
template <class T, class B>
LevelSchedule<B, T> make_schedule(B& be, const SparseRows<B>& A, Triangle side, bool unit,
                                  const Levels<B>& levels, ScheduleLimits limits);

}  // namespace wavesim
