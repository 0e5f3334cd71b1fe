#pragma once
// Levels of a triangle, found in the backend's memory (ordering.hpp defines them, and finds them on the host).

#include "solvers/triangular/chains.hpp"
#include "solvers/triangular/ordering.hpp"

namespace wavesim {

template <class B>
struct Levels {
  int count = 0;
  Buffer<B, int> level;  // of each row; -1: no entries
  Chains<B> chains;      // of a triangle, if they were looked for

  Levels() = default;
  Levels(B& be, const SparseRows<B>& A, Triangle side) : level(be, A.rows) { find(be, A, side); }
  void find(B& be, const SparseRows<B>& A, Triangle side);
  /// Completes what `level` holds: -1 for rows that are empty by `start`, and the number of levels.
  void count_levels(B& be, const int* start);
};

/// Of a sweep over A that overwrites x in place: row i waits for row j < i with a_ij or a_ji. `n` rows.
template <class B, class T>
Levels<B> levels_in_place(B& be, const Csr<B, T>& A, int n);

/// Rows by level, ascending in each, in the backend's memory; rows without entries come last.
template <class B>
Buffer<B, int> by_level(B& be, const Levels<B>& levels);

/// Where each level starts in that order, and where the last one ends.
template <class B>
std::vector<int> level_starts(B& be, const Levels<B>& levels, const Buffer<B, int>& order);

}  // namespace wavesim
