#pragma once
// A part of a sparse matrix, all of it or a triangle, with ascending columns: factorisations start
// from it, and factors are split into such parts.

#include "solvers/matrices/sparse_rows.hpp"

namespace wavesim {

/// Which entries a_ij to keep.
struct AllEntries {
  HD bool operator()(int, int) const { return true; }
};
struct LowerEntries {
  HD bool operator()(int i, int j) const { return j <= i; }
};
struct UpperEntries {
  HD bool operator()(int i, int j) const { return j >= i; }
};

/// The entries of n rows for which keep(i, j), columns of each row in ascending order.
template <class B, class View, class Keep>
SparseRows<B> sorted_part(B& be, const View& a, int n, Keep keep);

}  // namespace wavesim
