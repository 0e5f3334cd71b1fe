#pragma once
// The names a user can write in `solver:`, with one line each. The tables stand in catalogue.cpp;
// registry.hpp makes the objects. `wavesim list`, config validation, the docs table and the tests that run
// over all of them read them from here.

#include <string_view>
#include <vector>

namespace wavesim {

struct Entry {
  std::string_view name, text;
  bool takes_preconditioner = true;
  bool needs_symmetric = false;  // and positive definite
};

const std::vector<Entry>& solver_methods();
const std::vector<Entry>& solver_formats();
const std::vector<Entry>& solver_preconditioners();

}  // namespace wavesim
