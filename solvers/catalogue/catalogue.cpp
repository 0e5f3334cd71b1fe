// The lists of the catalogue. What entries cost with the options that were chosen is in work.cpp, what fits
// what in incompatibility.cpp.
#include "solvers/catalogue/catalogue.hpp"

#include <algorithm>

#include "kernels/formats/host_csr.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "solvers/formats/format.hpp"

namespace wavesim {

namespace {

template <class Row, class Table>
std::vector<Row> rows_of(const Table& table) {
  std::vector<Row> rows;
  for (const auto& e : table) rows.push_back(e.row);
  return rows;
}

/// The rows are the same on every backend and in every precision.
std::vector<Method>& methods() {
  static std::vector<Method> rows = rows_of<Method>(methods_on<Backend, double>());
  return rows;
}

std::vector<std::string_view> words_of_steps() {
  std::vector<const Method*> listed;
  for (const Method& m : methods())
    if (m.steps.place > 0) listed.push_back(&m);
  std::stable_sort(listed.begin(), listed.end(),
                   [](const Method* a, const Method* b) { return a->steps.place < b->steps.place; });
  std::vector<std::string_view> words;
  for (const Method* m : listed) words.push_back(m->name);
  return words;
}

Option& steps_option() {
  static Option o{"method",        "of which steps are taken (preconditioner: steps)", 0, 0, 0, false,
                  words_of_steps()};
  return o;
}

}  // namespace

const std::vector<Format>& solver_formats() {
  static const std::vector<Format> rows = rows_of<Format>(formats_on<Backend, double>());
  return rows;
}

const std::vector<Method>& solver_methods() { return methods(); }

const std::vector<PreconditionerEntry>& solver_preconditioners() {
  static const std::vector<PreconditionerEntry> rows =
      rows_of<PreconditionerEntry>(preconditioners_on<Backend, double>());
  return rows;
}

void add_row(const Method& row) {
  methods().push_back(row);
  steps_option().words = words_of_steps();
}

void remove_row(std::string_view name) {
  std::erase_if(methods(), [&](const Method& m) { return m.name == name; });
  steps_option().words = words_of_steps();
}

const Option& option::option_of_steps() { return steps_option(); }

namespace {

template <class Table>
auto* entry_named(const Table& table, std::string_view name) {
  for (const auto& e : table)
    if (e.name == name) return &e;
  return static_cast<decltype(&table.front())>(nullptr);
}

}  // namespace

MatrixFacts facts_of(const HostCsr& matrix, bool single) {
  MatrixFacts facts;
  facts.symmetric = is_symmetric(matrix);
  facts.single = single;
  facts.square = matrix.square;
  facts.lower = is_triangular(matrix, true);
  facts.upper = is_triangular(matrix, false);
  return facts;
}

const Method* find_method(std::string_view name) { return entry_named(solver_methods(), name); }
const PreconditionerEntry* find_preconditioner(std::string_view name) {
  return entry_named(solver_preconditioners(), name);
}
const Format* find_format(std::string_view name) { return entry_named(solver_formats(), name); }

}  // namespace wavesim
