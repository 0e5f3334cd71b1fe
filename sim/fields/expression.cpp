#include <atomic>
#include <cmath>

#include "sim/fields/field.hpp"
#include "sim/fields/on_nodes.hpp"
#include "sim/input/expression.hpp"
#include "sim/input/text.hpp"

namespace wavesim {

namespace {

/// "1500 + 0.6 * y"
struct ExpressionField : Field2 {
  std::string value;

  void fields(Section& s) override {
    s("value", value, {.text = "formula in x and y, in metres", .required = true});
  }
  NodeField evaluate(const Grid& grid) const override {
    const Expression formula(value, {"x", "y"}, where);
    NodeField field;
    if (!formula.uses("x") && !formula.uses("y"))
      field.constant = Expression::Evaluator(formula)({0, 0});
    else
      field = on_nodes_each(grid, [&] {
        return [evaluator = Expression::Evaluator(formula)](double x, double y) mutable {
          return evaluator({x, y});
        };
      });
    if (field.uniform() && !std::isfinite(field.constant)) fail(field.constant, "");
    const std::size_t n = field.values.size();
    std::size_t bad = n;  // the first
#pragma omp parallel for schedule(static) reduction(min : bad)
    for (std::size_t i = 0; i < n; ++i)
      if (i < bad && !std::isfinite(field.values[i])) bad = i;
    if (bad < n) {
      const std::size_t nx = std::size_t(grid.nodes(0));
      fail(field.values[bad],
           " at x = " + text(grid.x(long(bad % nx))) + ", y = " + text(grid.y(long(bad / nx))));
    }
    return field;
  }

 private:
  [[noreturn]] void fail(double v, const std::string& place) const {
    where.fail("the expression \"" + value + "\" is " + text(v) + place +
               "; write it so that it is finite on the whole grid (c ? a : b chooses)");
  }
};

}  // namespace

Kind<Field2> expression_field_kind() {
  return {"expression", "formula in x and y", Form::text, make_kind<Field2, ExpressionField>};
}

}  // namespace wavesim
