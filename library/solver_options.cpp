#include "library/solver_options.hpp"

#include <charconv>
#include <cmath>

#include "library/check_word.hpp"
#include "sim/config/names.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/tree.hpp"

namespace wavesim {

namespace {

std::vector<std::string> strings(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

template <class Table>
void check_known(const char* word, const std::string& name, const Table& table) {
  for (const auto& e : table)
    if (e.name == name) return;
  throw InputError(std::string(word) + ": unknown name '" + name + "'" +
                   did_you_mean(name, strings(names(table)), "one of"));
}

}  // namespace

void choose_option(Choices& choices, const std::vector<const Option*>& known, const std::string& what,
                   const std::string& name, const std::string& value) {
  const auto fail = [&](const std::string& why) -> void {
    throw InputError("--option " + name + "=" + value + ": " + why);
  };
  const Option* option = nullptr;
  std::vector<std::string> all;
  for (const Option* o : known) {
    if (o->name == name) option = o;
    all.emplace_back(o->name);
  }
  if (!option)
    return fail("'" + name + "' is no option of " + what +
                (all.empty() ? ", which has none; remove it" : did_you_mean(name, all, "it has")));
  if (!option->words.empty()) {
    for (std::string_view w : option->words)
      if (w == value) return void(choices.words[name] = value);
    return fail("it is one of " + enumerate(strings(option->words)));
  }
  double v = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), v);
  if (error != std::errc() || end != value.data() + value.size())
    return fail("'" + value + "' is not a number");
  if (!(v >= option->least && v <= option->most))
    return fail("it has to lie between " + shortest(option->least) + " and " + shortest(option->most));
  if (option->whole && v != std::floor(v)) return fail("it has to be a whole number");
  choices.numbers[name] = v;
}

namespace {

/// A method of one's own where a preconditioner is named, for `auto` chooses that, too; where refinement has an inner method;
/// and where no rows can be read.
std::string usual_method(const SolveOptions& words, const MatrixFacts& matrix) {
  if (!matrix.square) return "lsmr";
  if (words.preconditioner == "none" && words.precision != "mixed" && matrix.readable) return "auto";
  return matrix.symmetric ? "cg" : "bicgstab";
}

}  // namespace

SolverOptions solver_options(const SolveOptions& words, const MatrixFacts& matrix, const std::string& name) {
  SolverOptions o;
  o.method = words.method.value_or(usual_method(words, matrix));
  o.preconditioner.type = words.preconditioner;
  o.norm = words.norm;
  o.tolerance = words.tolerance;
  o.max_iterations = words.max_iterations;
  o.accurate = words.accurate;
  o.mixed = words.precision == "mixed";
  check_word("--precision", words.precision, precision_words);
  check_word("--norm", words.norm, norm_words);
  check_known("--method", o.method, solver_methods());
  if (words.no_direct && !find_method(o.method)->automatic)
    throw InputError("--no-direct says what --method auto leaves out; remove it, or write --method auto");
  if (words.match && find_method(o.method)->least_squares)
    throw InputError("--match is for methods that solve square systems, not for " + o.method + "; remove it");
  if (words.match && !matrix.square)
    throw InputError("--match is for square matrices, and " + name + " is none; remove it");
  check_known("--preconditioner", o.preconditioner.type, solver_preconditioners());
  check_known("--format", words.format, solver_formats());
  if (!(o.tolerance > 0 && o.tolerance < 1))
    throw InputError("--tolerance has to be greater than 0 and less than 1");
  if (!(o.max_iterations >= 1 && o.max_iterations <= 100000000))
    throw InputError("--max-iterations has to lie between 1 and 100000000");

  const std::string prefix = "preconditioner.";
  for (const std::string& assignment : words.options) {
    const std::size_t equals = assignment.find('=');
    if (equals == assignment.npos)
      throw InputError("--option " + assignment +
                       ": write --option name=value, or preconditioner.name=value");
    const std::string option = assignment.substr(0, equals), value = assignment.substr(equals + 1);
    if (option.rfind(prefix, 0) == 0)
      choose_option(o.preconditioner.choices, find_preconditioner(o.preconditioner.type)->options,
                    "preconditioner: " + o.preconditioner.type, option.substr(prefix.size()), value);
    else
      choose_option(o.choices, find_method(o.method)->options, "method: " + o.method, option, value);
  }
  if (const std::string why = incompatibility(o, matrix); !why.empty()) throw InputError(name + ": " + why);
  return o;
}

}  // namespace wavesim
