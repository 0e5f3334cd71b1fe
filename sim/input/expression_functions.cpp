#include "sim/input/expression_functions.hpp"

namespace wavesim {

const std::vector<Entry>& expression_functions() {
  static const std::vector<Entry> table{
      {"sin", "sin(a): of an angle in radians, as all that follow"},
      {"cos", "cos(a)"},
      {"tan", "tan(a)"},
      {"asin", "asin(a)"},
      {"acos", "acos(a)"},
      {"atan", "atan(a)"},
      {"atan2", "atan2(a, b): the angle of the point (b, a)"},
      {"sinh", "sinh(a)"},
      {"cosh", "cosh(a)"},
      {"tanh", "tanh(a): a smooth step from -1 to 1"},
      {"asinh", "asinh(a)"},
      {"acosh", "acosh(a)"},
      {"atanh", "atanh(a)"},
      {"exp", "exp(a)"},
      {"ln", "ln(a): the natural logarithm, as log(a)"},
      {"log", "log(a): the natural logarithm"},
      {"log2", "log2(a)"},
      {"log10", "log10(a)"},
      {"sqrt", "sqrt(a)"},
      {"pow", "pow(a, b): as a^b"},
      {"hypot", "hypot(a, b): the root of a^2 + b^2"},
      {"erf", "erf(a): the error function"},
      {"abs", "abs(a)"},
      {"sign", "sign(a): -1, 0 or 1"},
      {"floor", "floor(a): the next whole number below"},
      {"ceil", "ceil(a): the next whole number above"},
      {"rint", "rint(a): the nearest whole number"},
      {"mod", "mod(a, b): the remainder, with the sign of b"},
      {"min", "min(a, b, c): of any number"},
      {"max", "max(a, b, c): of any number"},
      {"sum", "sum(a, b, c): of any number"},
      {"avg", "avg(a, b, c): the mean of any number"},
      {"if", "if(a, b, c): b where a is not 0, else c; as a ? b : c"},
  };
  return table;
}

}  // namespace wavesim
