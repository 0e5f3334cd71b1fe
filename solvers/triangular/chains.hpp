#pragma once
// Chains of the rows of a triangle, found in the backend's memory.
//
// Each row of a chain depends on the row before it, so a chain has no parallelism. A row continues the chain of
// the last row that it depends on, if it is the first row to depend on that one. On a grid the chains are its
// lines, in the natural order as well as after a sorting by levels.

#include "solvers/matrices/sparse_rows.hpp"

namespace wavesim {

enum class Triangle { lower, upper };

/// A row's place in the order in which a triangle is solved, and the row at a place: its own inverse.
struct SolveOrder {
  bool forward;
  int last;
  HD int operator()(int i) const { return forward ? i : last - i; }
  /// Whether j comes before i.
  HD bool before(int j, int i) const { return forward ? j < i : j > i; }
};
inline SolveOrder solve_order(Triangle side, int n) { return {side == Triangle::lower, n - 1}; }

/// Which chain, and how many of its rows come before; chain -1: a row without entries.
struct alignas(8) ChainPlace {
  int chain, place;
};

template <class B>
struct Chains {
  int count = 0, rows = 0;
  int width = 0;             // most others that a row depends on,
  int others = 0;            // and of those that are not before it in its chain
  Buffer<B, int> start;      // rows of the chains before, by their first rows; and of all
  Buffer<B, ChainPlace> of;  // of each row
};

template <class B>
Chains<B> find_chains(B& be, const SparseRows<B>& A, Triangle side);

/// Whether rows depend on few enough others beside the row before them in their chain.
template <class B>
bool can_be_walked(const Chains<B>& chains);

/// Whether levels are found faster by chains: these are long as well, and there is a lane for each.
template <class B>
bool worth_walking(B& be, const Chains<B>& chains);

/// Levels (kernels/sptrsv/levels_of_list.hpp) of all rows by chains. There has to be a lane for each chain
/// (chains_at_once).
template <class B>
void levels_by_chains(B& be, const SparseRows<B>& A, Triangle side, const Chains<B>& chains, int* level);

}  // namespace wavesim
