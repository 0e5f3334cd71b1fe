#pragma once
#include <string>
#include <vector>

#include "sim/config/tree.hpp"

namespace wavesim {

/// Reads {a: 0.1, b: 2}. Throws InputError for names that a formula cannot hold and for values that are no numbers.
Parameters read_parameters(const Tree& section);

/// Those that mean something in formulas without parameters.
std::vector<std::string> names_in_formulas();

/// Whether a formula in the tree has this name in it.
bool names(const Tree& t, const std::string& name);

/// Throws InputError for a parameter of `root` that no value outside its section names.
void check_parameters_are_used(const Tree& root);

}  // namespace wavesim
