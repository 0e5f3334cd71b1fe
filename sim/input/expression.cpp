#include "sim/input/expression.hpp"

#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include "sim/config/suggest.hpp"
#include "sim/input/expression_functions.hpp"

namespace wavesim {

namespace {

double floor_of(double v) { return std::floor(v); }
double ceil_of(double v) { return std::ceil(v); }
double erf_of(double v) { return std::erf(v); }
double hypot_of(double a, double b) { return std::hypot(a, b); }
double pow_of(double a, double b) { return std::pow(a, b); }
/// The remainder with the sign of the divisor, so that mod(x, L) repeats with period L for negative x too.
double mod_of(double a, double b) { return a - b * std::floor(a / b); }
double if_of(double condition, double yes, double no) { return condition != 0 ? yes : no; }

void define(mu::Parser& parser, const Parameters* parameters) {
  parser.DefineConst("pi", std::numbers::pi);
  parser.DefineFun("floor", floor_of);
  parser.DefineFun("ceil", ceil_of);
  parser.DefineFun("erf", erf_of);
  parser.DefineFun("hypot", hypot_of);
  parser.DefineFun("pow", pow_of);
  parser.DefineFun("mod", mod_of);
  parser.DefineFun("if", if_of);
  if (!parameters) return;
  for (const auto& [name, value] : parameters->values) parser.DefineConst(name, value);
}

constexpr std::size_t longest = 5000;  // muParser's own limit

/// muParser would end at a byte 0.
bool is_control(unsigned char c) { return std::iscntrl(c) && c != '\t' && c != '\n' && c != '\r'; }

/// The position of an assignment, which muParser would carry out on our variables, or npos.
std::size_t assignment(const std::string& formula) {
  for (std::size_t i = 0; i < formula.size(); ++i) {
    if (formula[i] != '=') continue;
    if (i + 1 < formula.size() && formula[i + 1] == '=') {
      ++i;
      continue;
    }
    if (i > 0 && std::string("<>!").find(formula[i - 1]) != std::string::npos) continue;
    return i;
  }
  return std::string::npos;
}

/// What other languages write for a power, a remainder and rounding.
std::string foreign_operator(const std::string& formula) {
  const auto at = [](std::size_t place) { return " at position " + std::to_string(place + 1); };
  if (const auto place = formula.find("**"); place != formula.npos)
    return "'**'" + at(place) + "; write a^b for a power";
  if (const auto place = formula.find('%'); place != formula.npos)
    return "'%'" + at(place) + "; write mod(a, b) for a remainder";
  if (const auto place = formula.find("round(");
      place == 0 || (place != formula.npos && !std::isalnum(static_cast<unsigned char>(formula[place - 1]))))
    return "'round'" + at(place) + "; write rint(a) for the nearest whole number";
  return "";
}

/// The name that the text begins with.
std::string name_at(const std::string& text) {
  std::size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
    ++end;
  return text.substr(0, end);
}

}  // namespace

struct Expression::Evaluator::Parser {
  mu::Parser parser;
  std::vector<double> values;
};

Expression::Evaluator::Evaluator(const Expression& expression) : parser_(std::make_unique<Parser>()) {
  parser_->values.resize(expression.variables_.size());
  define(parser_->parser, expression.parameters_.get());
  for (std::size_t i = 0; i < expression.variables_.size(); ++i)
    parser_->parser.DefineVar(expression.variables_[i], &parser_->values[i]);
  parser_->parser.SetExpr(expression.formula_);
}
Expression::Evaluator::Evaluator(Evaluator&&) noexcept = default;
Expression::Evaluator::~Evaluator() = default;

double Expression::Evaluator::operator()(std::initializer_list<double> values) {
  std::copy(values.begin(), values.end(), parser_->values.begin());
  return parser_->parser.Eval();
}

Expression::Expression(std::string formula, std::vector<std::string> variables, const Where& where)
    : formula_(std::move(formula)), parameters_(where.parameters), variables_(std::move(variables)) {
  std::string known;
  for (const std::string& v : variables_) known += v + ", ";
  if (parameters_)
    for (const auto& [name, value] : parameters_->values) known += name + ", ";
  const std::string knows = "; it may use " + known + "pi, numbers, + - * / ^, comparisons, c ? a : b and " +
                            "functions such as sin, exp, sqrt, abs, min, max (wavesim list functions)";
  if (formula_.size() > longest)
    where.fail("the expression has " + std::to_string(formula_.size()) + " characters, and at most " +
               std::to_string(longest) + " are read; write a file of values instead");
  if (std::any_of(formula_.begin(), formula_.end(), is_control))
    where.fail("the expression has a control character in it, which means nothing; remove it");
  const std::string named = "the expression \"" + formula_ + "\"";
  if (formula_.find_first_not_of(" \t\n") == std::string::npos) where.fail("the expression is empty" + knows);
  if (const auto at = assignment(formula_); at != std::string::npos)
    where.fail(named + " has a single '=' at position " + std::to_string(at + 1) + "; write == to compare");
  if (const std::string foreign = foreign_operator(formula_); !foreign.empty())
    where.fail(named + " has " + foreign);
  try {
    std::vector<double> values(variables_.size(), 0.5);
    mu::Parser parser;
    define(parser, parameters_.get());
    for (std::size_t i = 0; i < variables_.size(); ++i) parser.DefineVar(variables_[i], &values[i]);
    parser.SetExpr(formula_);
    int results = 0;
    parser.Eval(results);
    if (results != 1) where.fail(named + " has " + std::to_string(results) + " values; write one");
    for (const auto& [name, address] : parser.GetUsedVar()) used_.push_back(name);
  } catch (const mu::Parser::exception_type& error) {
    std::string why = error.GetMsg();
    while (!why.empty() && (why.back() == '.' || why.back() == ' ')) why.pop_back();
    std::string place;
    if (error.GetPos() >= 0 && error.GetPos() <= int(formula_.size()))
      place = " at position " + std::to_string(error.GetPos() + 1);
    const auto found = why.find(" found at position");  // muParser counts from 0, editors from 1
    if (found != std::string::npos) why.resize(found);
    std::vector<std::string> functions;
    for (const Entry& e : expression_functions()) functions.emplace_back(e.name);
    const std::string name = name_at(error.GetToken());  // one of a letter or two is a variable
    const bool known = std::find(functions.begin(), functions.end(), name) != functions.end();
    const std::string meant = known || name.size() < 3 ? "" : nearest(name, functions);
    where.fail(named + " cannot be read" + place + ": " + why +
               (meant.empty() ? knows : "; did you mean '" + meant + "'?"));
  }
}

bool Expression::uses(const std::string& variable) const {
  return std::find(used_.begin(), used_.end(), variable) != used_.end();
}

}  // namespace wavesim
