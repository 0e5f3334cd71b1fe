#pragma once
// Names that a user can choose by and that are no family of their own, with one line each: for `wavesim
// list`, the reader and the schema.

#include <algorithm>

#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

const std::vector<Entry>& medium_models();
const std::vector<Entry>& scheme_names();
const std::vector<Entry>& quantity_names();
const std::vector<Entry>& stop_norms();
/// Of a key that names a format: one line for schema and docs, which says where the bits may vary.
std::string_view about_formats();

/// The names of a table, for Rule::choices.
template <class E>
std::vector<std::string_view> names(const std::vector<E>& table) {
  std::vector<std::string_view> list;
  for (const E& e : table) list.push_back(e.name);
  return list;
}

/// The options of all members of a table, each once.
template <class E>
std::vector<const Option*> options_of(const std::vector<E>& table) {
  std::vector<const Option*> list;
  for (const E& e : table)
    for (const Option* o : e.options)
      if (std::find(list.begin(), list.end(), o) == list.end()) list.push_back(o);
  return list;
}

}  // namespace wavesim
