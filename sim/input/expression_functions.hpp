#pragma once
// What a formula may call: for `wavesim list` and for words that were meant to be one of them.

#include <vector>

#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

/// Each with a call, as "hypot(a, b): ...", in letters a, b, c.
const std::vector<Entry>& expression_functions();

}  // namespace wavesim
