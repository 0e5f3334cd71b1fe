#pragma once
// Pieces of a JSON Schema: what a value of each type looks like.

#include <cmath>

#include "sim/config/parameters.hpp"
#include "sim/config/tree.hpp"

namespace wavesim::json_schema {

inline Tree of_type(std::string_view type) {
  Tree t = Tree::map();
  t.add("type", Tree::string(type));
  return t;
}

inline Tree text_list(std::initializer_list<std::string_view> words) {
  Tree t = Tree::list();
  for (std::string_view w : words) t.items.push_back(Tree::string(w));
  return t;
}

inline Tree reference(std::string_view family) {
  Tree t = Tree::map();
  t.add("$ref", Tree::string("#/$defs/" + std::string(family)));
  return t;
}

inline Tree one_of(std::vector<Tree> schemas) {
  if (schemas.size() == 1) return std::move(schemas.front());
  Tree t = Tree::map(), list = Tree::list();
  list.items = std::move(schemas);
  t.add("oneOf", std::move(list));
  return t;
}

inline Tree constant(std::string_view word) {
  Tree t = Tree::map();
  t.add("const", Tree::string(word));
  return t;
}

inline Tree one_or_many(const Tree& item, Tree alone) {
  Tree list = of_type("array");
  list.add("items", item);
  list.add("minItems", Tree::bare("1"));
  return one_of({std::move(alone), list});
}
inline Tree one_or_many(const Tree& item) { return one_or_many(item, item); }

/// An object that has these keys, one of which may be asked for a word.
inline Tree having(std::initializer_list<std::string_view> keys, std::string_view word = {}) {
  Tree t = Tree::map();
  if (!word.empty()) t.add("properties", Tree::map()).add(*keys.begin(), constant(word));
  t.add("required", text_list(keys));
  return t;
}

inline void bounds(Tree& t, const Rule& rule) {
  if (rule.above) t.add("exclusiveMinimum", Tree::bare(shortest(*rule.above)));
  if (rule.least) t.add("minimum", Tree::bare(shortest(*rule.least)));
  if (rule.most) t.add("maximum", Tree::bare(shortest(*rule.most)));
}

inline Tree array_of(Tree item, std::size_t count) {
  Tree t = of_type("array");
  t.add("items", std::move(item));
  t.add("minItems", Tree::bare(std::to_string(count)));
  t.add("maxItems", Tree::bare(std::to_string(count)));
  return t;
}

// What a value of each type looks like, its bounds included.
inline Tree schema_of(const double*, const Rule& rule) {
  Tree t = of_type("number");
  bounds(t, rule);
  if (rule.word.empty()) return t;
  return one_of({t, constant(rule.word)});
}
inline Tree schema_of(const long*, const Rule& rule) {
  Tree t = of_type("integer");
  bounds(t, rule);
  if (rule.numbers.empty()) return t;
  Tree& numbers = t.add("enum", Tree::list());
  for (const long n : rule.numbers) numbers.items.push_back(Tree::bare(std::to_string(n)));
  return t;
}
inline Tree schema_of(const bool*, const Rule&) { return of_type("boolean"); }
inline Tree schema_of(const std::string*, const Rule& rule) {
  if (rule.choices.empty()) {  // a bare number is a text, too: thickness: 0.1
    Tree t = Tree::map();
    t.add("type", text_list({"string", "number"}));
    t.add("minLength", Tree::bare("1"));
    bounds(t, rule);  // of a number
    return t;
  }
  Tree t = Tree::map(), words = Tree::list();
  for (std::string_view c : rule.choices) words.items.push_back(Tree::string(c));
  t.add("enum", std::move(words));
  return t;
}
inline Tree schema_of(const FilePath*, const Rule&) { return of_type("string"); }
inline Tree schema_of(const Parameters*, const Rule&) {
  Tree t = of_type("object");
  t.add("additionalProperties", of_type("number"));
  Tree& names = t.add("propertyNames", Tree::map());
  names.add("pattern", Tree::string("^[A-Za-z][A-Za-z0-9_]*$"));
  Tree& taken = names.add("not", Tree::map()).add("enum", Tree::list());
  for (const std::string& name : names_in_formulas()) taken.items.push_back(Tree::string(name));
  return t;
}
inline Tree schema_of(const Place*, const Rule& rule) {
  Tree map = of_type("object"), axes = Tree::map();
  for (const char* axis : {"x", "y"}) {
    Tree formula = Tree::map();
    formula.add("type", text_list({"string", "number"}));
    formula.add("description", Tree::string("formula in t"));
    axes.add(axis, std::move(formula));
  }
  map.add("properties", std::move(axes));
  map.add("required", text_list({"x", "y"}));
  map.add("additionalProperties", Tree::bare("false"));
  return one_of({array_of(schema_of(static_cast<const double*>(nullptr), rule), 2), std::move(map)});
}
template <class T, std::size_t n>
inline Tree schema_of(const std::array<T, n>*, const Rule& rule) {
  return array_of(schema_of(static_cast<const T*>(nullptr), rule), n);
}
template <class T>
inline Tree schema_of(const std::optional<T>*, const Rule& rule) {
  return schema_of(static_cast<const T*>(nullptr), rule);
}
inline Tree schema_of(const std::vector<double>*, const Rule& rule) {
  return one_or_many(schema_of(static_cast<const double*>(nullptr), rule));
}
inline Tree schema_of(const std::vector<long>*, const Rule& rule) {
  return one_or_many(schema_of(static_cast<const long*>(nullptr), rule));
}
inline Tree schema_of(const std::vector<std::string>*, const Rule& rule) {
  return one_or_many(schema_of(static_cast<const std::string*>(nullptr), rule));
}
template <std::size_t n>
inline Tree schema_of(const std::vector<std::array<double, n>>*, const Rule& rule) {
  Tree t = of_type("array");
  t.add("items", schema_of(static_cast<const std::array<double, n>*>(nullptr), rule));
  return t;
}

// Defaults, where there is one.
inline void add_default(Tree& t, double v) {
  if (std::isfinite(v)) t.add("default", Tree::bare(shortest(v)));
}
inline void add_default(Tree& t, long v) { t.add("default", Tree::bare(std::to_string(v))); }
inline void add_default(Tree& t, bool v) { t.add("default", Tree::bare(v ? "true" : "false")); }
inline void add_default(Tree& t, const std::string& v) {
  if (!v.empty()) t.add("default", Tree::string(v));
}
template <std::size_t n, class T>
inline void add_default(Tree& t, const std::array<T, n>& v) {
  Tree list = Tree::list();
  for (T one : v) list.items.push_back(Tree::bare(shortest(double(one))));
  t.add("default", std::move(list));
}
inline void add_default(Tree& t, const std::vector<std::string>& v) {
  if (v.empty()) return;
  Tree list = Tree::list();
  for (const std::string& one : v) list.items.push_back(Tree::string(one));
  t.add("default", std::move(list));
}
template <class T>
inline void add_default(Tree&, const T&) {}

inline void describe(Tree& t, const Rule& rule) {
  std::string text(rule.text);
  if (!rule.unit.empty()) text += (text.empty() ? "[" : " [") + std::string(rule.unit) + "]";
  if (!text.empty()) t.add("description", Tree::string(text));
}

}  // namespace wavesim::json_schema
