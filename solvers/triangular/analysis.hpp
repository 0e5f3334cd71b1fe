#pragma once
// The analysis of a triangle: its level schedule, made where that is fastest.

#include "solvers/triangular/schedule.hpp"

namespace wavesim {

template <class B, class T>
struct Analysis {
  int levels = 0;
  LevelSchedule<B, T> schedule;
};

/// Of the triangle of A on that side, with its diagonal, or with ones in place of it if `unit`. Throws InputError if an
/// element of the diagonal is zero or missing.
template <class T, class B>
Analysis<B, T> analyse(B& be, const SparseRows<B>& A, Triangle side, bool unit);

}  // namespace wavesim
