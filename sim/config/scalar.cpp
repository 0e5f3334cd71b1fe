#include "sim/config/scalar.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <regex>

#include "sim/config/suggest.hpp"

namespace wavesim {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

std::string lower(std::string s) {
  std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return s;
}

std::string name(const Where& where) { return where.key.empty() ? "the value" : "'" + where.key + "'"; }

/// "2, 4 or 8"
std::string alternatives(const std::vector<long>& numbers) {
  std::string text = std::to_string(numbers.front());
  for (std::size_t k = 1; k < numbers.size(); ++k)
    text += (k + 1 < numbers.size() ? ", " : " or ") + std::to_string(numbers[k]);
  return text;
}

constexpr const char* formulas_elsewhere =
    "formulas and parameters may stand where a field, a shape or a signal is an expression";
bool is_number(const std::string& s) {
  double v = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
  return error == std::errc() && end == s.data() + s.size();
}
/// Something to compute.
bool is_formula(const std::string& s) { return s.find_first_of("*/^(") != std::string::npos; }

[[noreturn]] void wrong(const Tree& t, std::string_view type, const Rule& rule, const std::string& why = "") {
  if (t.is == Tree::Is::nothing) t.where.fail(name(t.where) + " has no value; it " + wanted(type, rule));
  t.where.fail(name(t.where) + " " + wanted(type, rule) + ", but " + quote(t) + " is " +
               (!why.empty()  ? why
                : t.is_map()  ? "a section of keys"
                : t.is_list() ? "a list of " + std::to_string(t.items.size())
                : t.text
                    ? "text; " + std::string(is_number(t.scalar) ? "remove the quotes" : formulas_elsewhere)
                    : "no such value"));
}

void check_bounds(const Tree& t, double v, std::string_view type, const Rule& rule) {
  const bool low = (rule.above && !(v > *rule.above)) || (rule.least && v < *rule.least);
  const bool high = rule.most && v > *rule.most;
  if (low || high) wrong(t, type, rule, low ? "too small" : "too large");
}

/// A decimal number as YAML 1.2 writes it. Leading zeros are refused: YAML 1.1 reads 010 as 8.
double number(const Tree& t, std::string_view type, const Rule& rule) {
  if (!t.is_scalar() || t.text) wrong(t, type, rule);
  const std::string& s = t.scalar;
  const std::string word =
      lower(s.substr(s.find_first_not_of("+-.") == std::string::npos ? 0 : s.find_first_not_of("+-.")));
  if (word == "inf" || word == "nan" || word == "infinity") wrong(t, type, rule, "not finite");
  const std::size_t begin = !s.empty() && (s[0] == '+' || s[0] == '-');
  if (s.size() > begin + 1 && s[begin] == '0' && digit(s[begin + 1]))
    wrong(t, type, rule,
          "octal to some readers of YAML and decimal to others; write it without leading zeros");
  if (s.size() > begin + 1 && s[begin] == '0' && std::isalpha(static_cast<unsigned char>(s[begin + 1])) &&
      lower(s)[begin + 1] != 'e')
    wrong(t, type, rule, "not decimal; write it in decimal digits");
  double v = 0;
  // from_chars knows no leading '+' and, unlike strtod, no locale.
  const char* first = s.data() + (begin && s[0] == '+');
  const auto [end, error] = std::from_chars(first, s.data() + s.size(), v);
  if (error == std::errc::result_out_of_range) wrong(t, type, rule, "beyond what a double can hold");
  if (error == std::errc() && end != s.data() + s.size() && *end == ',' &&
      std::all_of(end + 1, s.data() + s.size(), digit))
    wrong(t, type, rule,
          "written with a comma; write the decimal point, " + std::string(s.data(), end) + "." +
              std::string(end + 1, s.data() + s.size()));
  if (error != std::errc() || end != s.data() + s.size())
    wrong(t, type, rule,
          end != first && error == std::errc() && !rule.unit.empty()
              ? "a number with something behind it; write the number alone, in " + std::string(rule.unit)
              : "not a number" + (is_formula(s) ? "; " + std::string(formulas_elsewhere) : ""));
  return v;
}

/// Where a list has twice as many whole numbers as it should: [0,5, 0,5].
std::string commas(const Tree& list) {
  const bool whole = std::all_of(list.items.begin(), list.items.end(), [](const Tree& item) {
    return item.is_scalar() && !item.scalar.empty() &&
           std::all_of(item.scalar.begin(), item.scalar.end(), digit);
  });
  return whole && list.items.size() % 2 == 0 && list.items.front().scalar == "0"
             ? "; numbers have a decimal point, not a comma"
             : "";
}

template <class T>
void numbers(const Tree& t, T* values, std::size_t count, const Rule& rule) {
  if (!t.is_list() || t.items.size() != count) {
    std::string form = "must be a list of " + std::to_string(count) + " numbers";
    if (!rule.unit.empty()) form += " in " + std::string(rule.unit);
    t.where.fail(name(t.where) + " " + form + ", " +
                 (count == 2   ? "[a, b]"
                  : count == 3 ? "[a, b, c]"
                               : "[a, b, c, d]") +
                 (t.is == Tree::Is::nothing ? std::string(", but has no value")
                  : t.is_list()             ? ", not of " + std::to_string(t.items.size()) + commas(t)
                  : t.is_map()              ? std::string(", not a section of keys")
                                            : ", not " + quote(t)));
  }
  for (std::size_t i = 0; i < count; ++i) read_value(t.items[i], values[i], rule);
}

}  // namespace

bool looks_like_number(const Tree& t) {
  static const std::regex number(
      R"([-+]?(\.?[0-9][0-9._]*(e[-+]?[0-9]+)?|0[xo][0-9a-f]+|\.?(inf|infinity|nan)))",
      std::regex::ECMAScript | std::regex::icase);
  return t.is_scalar() && !t.text && std::regex_match(t.scalar, number);
}

std::string wanted(std::string_view type, const Rule& rule) {
  std::string text = "must be " + std::string(type);
  if (!rule.unit.empty()) text += " in " + std::string(rule.unit);
  const char* joint = " ";
  const auto bound = [&](const char* what, const std::optional<double>& v) {
    if (!v) return;
    text += joint + std::string(what) + " " + shortest(*v);
    joint = " and ";
  };
  bound("greater than", rule.above);
  bound("not less than", rule.least);
  bound("not greater than", rule.most);
  return text;
}

std::string quote(const Tree& t) {
  if (!t.is_scalar()) return "this";
  const std::string& s = t.scalar;
  return "'" + (s.size() > 60 ? s.substr(0, 57) + "..." : s) + "'";
}

void read_value(const Tree& t, double& v, const Rule& rule) {
  if (!rule.word.empty() && t.is_scalar() && t.scalar == rule.word) {
    v = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  const std::string type = rule.word.empty() ? "a number" : "'" + std::string(rule.word) + "' or a number";
  v = number(t, type, rule);
  check_bounds(t, v, type, rule);
}

void read_value(const Tree& t, long& v, const Rule& rule) {
  const double d = number(t, "a whole number", rule);
  if (d != std::floor(d)) wrong(t, "a whole number", rule, "not whole");
  if (std::abs(d) > 9e15) wrong(t, "a whole number", rule, "too large");
  check_bounds(t, d, "a whole number", rule);
  v = long(d);
  if (!rule.numbers.empty() && std::find(rule.numbers.begin(), rule.numbers.end(), v) == rule.numbers.end())
    t.where.fail(name(t.where) + " is " + t.scalar + "; write " + alternatives(rule.numbers));
}

void read_value(const Tree& t, bool& v, const Rule& rule) {
  if (!t.is_scalar() || t.text || (t.scalar != "true" && t.scalar != "false"))
    wrong(t, "true or false", rule, t.is_scalar() ? "neither" : "");
  v = t.scalar == "true";
}

void read_value(const Tree& t, std::string& v, const Rule& rule) {
  const std::vector<std::string> choices(rule.choices.begin(), rule.choices.end());
  if (!t.is_scalar()) wrong(t, choices.empty() ? "text" : "one of " + enumerate(choices), Rule{});
  if (t.scalar.empty()) t.where.fail(name(t.where) + " is empty; remove it or give it a value");
  // No name of a file or a thing has one, and a terminal would obey it. Formulas may span lines.
  if (std::any_of(t.scalar.begin(), t.scalar.end(),
                  [](unsigned char c) { return std::iscntrl(c) && c != '\n' && c != '\t'; }))
    t.where.fail(name(t.where) + " has a control character in it; remove it");
  if (!choices.empty() && std::find(choices.begin(), choices.end(), t.scalar) == choices.end())
    t.where.fail("unknown value " + quote(t) + " for " + name(t.where) +
                 did_you_mean(t.scalar, choices, "it is one of"));
  v = t.scalar;
}

template <class T>
static void read_list(const Tree& t, std::vector<T>& v, const char* type, const Rule& rule) {
  v.clear();
  if (!t.is_list()) {
    read_value(t, v.emplace_back(), rule);
    return;
  }
  if (t.items.empty()) wrong(t, type, rule, "empty");
  for (const Tree& item : t.items) read_value(item, v.emplace_back(), rule);
}

void read_value(const Tree& t, std::vector<double>& v, const Rule& rule) {
  read_list(t, v, "a list of numbers", rule);
}
void read_value(const Tree& t, std::vector<long>& v, const Rule& rule) {
  read_list(t, v, "a list of whole numbers", rule);
}

void read_value(const Tree& t, std::vector<std::string>& v, const Rule& rule) {
  v.clear();
  if (!t.is_list()) {
    read_value(t, v.emplace_back(), rule);
    return;
  }
  if (t.items.empty()) wrong(t, "a list of words", Rule{}, "empty");
  for (const Tree& item : t.items) {
    std::string one;
    read_value(item, one, rule);
    if (std::find(v.begin(), v.end(), one) != v.end())
      item.where.fail(name(t.where) + " lists " + quote(item) + " twice; remove one of them");
    v.push_back(one);
  }
}

void read_numbers(const Tree& t, double* values, std::size_t count, const Rule& rule) {
  numbers(t, values, count, rule);
}
void read_numbers(const Tree& t, long* values, std::size_t count, const Rule& rule) {
  numbers(t, values, count, rule);
}

}  // namespace wavesim
