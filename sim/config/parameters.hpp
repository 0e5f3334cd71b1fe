#pragma once
#include "sim/config/tree.hpp"

namespace wavesim {

/// Reads {a: 0.1, b: 2}. Throws InputError for names that a formula cannot hold and for values that are no numbers.
Parameters read_parameters(const Tree& section);

/// Throws InputError for a parameter of `root` that no value outside its section names.
void check_parameters_are_used(const Tree& root);

}  // namespace wavesim
