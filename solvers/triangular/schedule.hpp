#pragma once
// Makes the level schedule of a triangle (kernels/sptrsv/level_schedule.hpp) in the backend's memory.
//
// The rows of a chain (chains.hpp) depend on one another in sequence, so a chain belongs to one band, which
// keeps the last value. Neighbouring chains make up a band.

#include <string>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "kernels/sptrsv/level_schedule.hpp"
#include "solvers/triangular/levels.hpp"

namespace wavesim {

/// The schedule of a triangle, with its diagonal or with ones in place of it if `unit`. Throws InputError if an
/// element of the diagonal is zero or missing.
template <class T, class B>
LevelSchedule<B, T> make_schedule(B& be, const SparseRows<B>& A, Triangle side, bool unit,
                                  const Levels<B>& levels, ScheduleLimits limits);

/// Throws InputError, about row i.
[[noreturn]] inline void refuse_zero_on_diagonal(int i) {
  throw InputError("a triangular matrix has a zero on its diagonal, in row " + std::to_string(i) +
                   " (counted from 0); its system has no unique solution");
}

}  // namespace wavesim
