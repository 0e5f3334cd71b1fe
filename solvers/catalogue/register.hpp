#pragma once
// Adds methods to the catalogue at run time: for programs that build on the library, and for tests. A method
// that was added is listed, checked and made like those of the library (docs/adding.md).

#include "solvers/catalogue/families.hpp"

namespace wavesim {

/// The same method in both precisions; `in_single.make` may be null where its row says `doubles`. The texts
/// of the row have to last. Not while other threads ask the catalogue; references to its rows are not valid
/// afterwards. A program with two backends calls it once for each. Throws InputError if the name is taken, or
/// if nothing makes the method.
template <class B>
void register_method(const MethodOn<B, double>& in_double, const MethodOn<B, float>& in_single);

/// Removes one that was added; others stay.
template <class B>
void unregister_method(std::string_view name);

}  // namespace wavesim
