#pragma once
// The pattern of a product of sparse matrices (the symbolic phase of Gustavson, ACM TOMS 4, 1978, but for
// rows that are gathered and sorted, as lanes have no dense row of their own).

#include "solvers/factorisation/sorted_part.hpp"

namespace wavesim {

/// The pattern of P A, or of the part of it for which keep(i, j) (sorted_part.hpp), where both hold their
/// diagonals and columns ascend; values are zero. Throws InputError where an int cannot count it, with `advice`.
template <class B, class Keep = AllEntries>
SparseRows<B> pattern_of_product(B& be, const SparseRows<B>& P, const SparseRows<B>& A, const char* advice,
                                 Keep keep = {});

}  // namespace wavesim
