#pragma once
// Formulas that users write: "1 + 0.5 * sin(2 * pi * x)". The only place that knows muParser.

#include <memory>
#include <string>
#include <vector>

#include "sim/config/section.hpp"

namespace wavesim {

/// A formula in named variables. Knows pi, muParser's functions and operators (sin ... tanh, exp, ln, log10,
/// sqrt, abs, min, max, sum, c ? a : b, && ||) and floor, ceil, mod, pow, hypot, erf and if(c, a, b).
class Expression {
 public:
  /// Compiles it once to find mistakes. It may use `where.parameters`, too. Throws InputError that names the formula, the position and what it
  /// may use.
  Expression(std::string formula, std::vector<std::string> variables, const Where& where);

  bool uses(const std::string& variable) const;
  const std::string& formula() const { return formula_; }

  /// Evaluates the formula; not to be shared by threads, each makes its own.
  class Evaluator {
   public:
    explicit Evaluator(const Expression& expression);
    Evaluator(Evaluator&&) noexcept;
    ~Evaluator();
    /// One value for each variable, in the order of the constructor. May return NaN or infinity.
    double operator()(std::initializer_list<double> values);

   private:
    struct Parser;
    std::unique_ptr<Parser> parser_;
  };

 private:
  std::string formula_;
  std::shared_ptr<const Parameters> parameters_;
  std::vector<std::string> variables_, used_;
};

}  // namespace wavesim
