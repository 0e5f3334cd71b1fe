#pragma once
// Names that a user can choose by and that are no family of their own, with one line each: for `wavesim
// list`, the reader and the schema.

#include "solvers/catalogue.hpp"

namespace wavesim {

const std::vector<Entry>& medium_models();
const std::vector<Entry>& scheme_names();
const std::vector<Entry>& quantity_names();
const std::vector<Entry>& stop_norms();

/// The names of a table, for Rule::choices.
std::vector<std::string_view> names(const std::vector<Entry>& table);

}  // namespace wavesim
