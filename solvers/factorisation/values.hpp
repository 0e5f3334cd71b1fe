#pragma once
// The values of a sparse matrix on the pattern of another.

#include "solvers/matrices/sparse_rows.hpp"

namespace wavesim {

/// Values of A where `pattern` has entries, zero where A has none; columns ascend in both.
template <class B>
Buffer<B, double> values_on(B& be, const SparseRows<B>& pattern, const SparseRows<B>& A);

}  // namespace wavesim
