#pragma once
// Chains of the rows of a triangle, found where the matrix is.
//
// A chain is a row, one that waits for it, one that waits for that, ...: along a chain nothing can be done at
// once. A row goes on with the chain of the last row it waits for whose first waiting row it is: on a grid
// chains are its lines, in natural order as after a sorting by levels.

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
  int width = 0;             // most others that a row waits for,
  int others = 0;            // and of those that are not before it in its chain
  Buffer<B, int> start;      // rows of the chains before, by their first rows; and of all
  Buffer<B, ChainPlace> of;  // of each row
};

template <class B>
Chains<B> find_chains(B& be, const SparseRows<B>& A, Triangle side);

/// Whether rows wait for few enough others beside the one before in their chain.
template <class B>
bool can_be_walked(const Chains<B>& chains);

/// Whether depths are found faster by chains: they are long, too, and there is a lane for each.
template <class B>
bool worth_walking(B& be, const Chains<B>& chains);

/// Depths (kernels/sptrsv/levels_of_list.hpp) of all rows, by chains that can be walked. There have to be
/// lanes for all (chains_at_once).
template <class B>
void levels_by_chains(B& be, const SparseRows<B>& A, Triangle side, const Chains<B>& chains, int* depth);

}  // namespace wavesim
