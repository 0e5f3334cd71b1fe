#pragma once
// Levels of a triangle, found where the matrix is (ordering.hpp says what they are, and finds them on the
// host).

#include "solvers/ordering.hpp"
#include "solvers/sparse_rows.hpp"

namespace wavesim {

enum class Triangle { lower, upper };

template <class B>
struct Levels {
  int count = 0;
  Buffer<B, int> level;  // of each row; -1: no entries

  Levels() = default;
  Levels(B& be, const SparseRows<B>& A, Triangle side) : level(be, A.rows) { find(be, A, side); }
  void find(B& be, const SparseRows<B>& A, Triangle side);
};

/// Rows by level, ascending in each, in the backend's memory; rows without entries come last.
template <class B>
Buffer<B, int> by_level(B& be, const Levels<B>& levels);

}  // namespace wavesim
