#include "sim/config/parameters.hpp"

#include <algorithm>
#include <cctype>

#include "sim/config/refusals.hpp"
#include "sim/config/scalar.hpp"
#include "sim/config/suggest.hpp"
#include "sim/input/expression_functions.hpp"

namespace wavesim {

namespace {

bool in_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

void check_parameter_name(const Where& where, const std::string& name) {
  const bool plain = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) && name[0] != '_' &&
                     std::all_of(name.begin(), name.end(), in_a_name);
  if (!plain)
    where.fail("'" + name +
               "' cannot be the name of a parameter; write letters, digits and _, a letter first");
  const std::vector<std::string> known = names_in_formulas();
  const bool taken = std::find(known.begin(), known.end(), name) != known.end();
  if (taken) where.fail("'" + name + "' means something else in formulas; give the parameter another name");
}

/// Whether the text holds the name as a word.
bool names(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !in_a_name(text[at - 1])) && (end == text.size() || !in_a_name(text[end]))) return true;
  }
  return false;
}

}  // namespace

bool names(const Tree& t, const std::string& name) {
  if (t.is_scalar()) return names(t.scalar, name);
  return std::any_of(t.items.begin(), t.items.end(), [&](const Tree& i) { return names(i, name); }) ||
         std::any_of(t.keys.begin(), t.keys.end(),
                     [&](const Tree::Entry& e) { return names(e.value, name); });
}

std::vector<std::string> names_in_formulas() {
  std::vector<std::string> names{"x", "y", "t", "pi"};
  for (const Entry& e : expression_functions()) names.emplace_back(e.name);
  return names;
}

Parameters read_parameters(const Tree& section) {
  if (!section.is_map())
    section.where.fail("'" + section.where.key + "' must be names with a number each, {a: 0.1}, not " +
                       described(section));
  Parameters all;
  for (const auto& [name, value] : section.keys) {
    check_parameter_name(value.where, name);
    double number = 0;
    read_value(value, number, {});
    all.values.emplace_back(name, number);
  }
  return all;
}

void check_parameters_are_used(const Tree& root) {
  const Tree* const section = root.find("parameters");
  if (!section) return;
  for (const Tree::Entry& parameter : section->keys) {
    const bool used = std::any_of(root.keys.begin(), root.keys.end(), [&](const Tree::Entry& e) {
      return e.key != "parameters" && names(e.value, parameter.key);
    });
    if (used) continue;
    std::vector<std::string> others;
    for (const Tree::Entry& other : section->keys)
      if (&other != &parameter) others.push_back(other.key);
    const std::string meant = nearest(parameter.key, others);
    parameter.value.where.fail(
        "no formula has the parameter '" + parameter.key + "' in it; " +
        (meant.empty() ? "remove it, or correct its name" : "did you mean '" + meant + "'?"));
  }
}

}  // namespace wavesim
