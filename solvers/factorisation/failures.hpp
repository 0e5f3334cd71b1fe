#pragma once
// How incomplete factorisations find the first row at which one fails, and what they advise then.

#include <string>

#include "solvers/matrices/sparse_rows.hpp"

namespace wavesim {

/// A word takes a value.
struct SetTo {
  int* word;
  int value;
  HD void operator()(int) const { *word = value; }
};
/// A word in which lower_to finds the first row that fails; n if none does.
template <class B>
Buffer<B, int> no_row_yet(B& be, const char* label, int n) {
  Buffer<B, int> rows(be, 1);
  each(be, label, 1, 4, SetTo{rows.data(), n});
  return rows;
}
/// The same for pivots.
template <class B>
Buffer<B, int> no_failure(B& be, int n) {
  return no_row_yet(be, "no pivot has failed", n);
}

/// Advice after so many sweeps; none about exact factors.
inline std::string more_sweeps(int sweeps) {
  return sweeps > 0 ? "take more of them, or 0 for exact factors, " : "";
}

}  // namespace wavesim
