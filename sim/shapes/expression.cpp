#include <atomic>
#include <cmath>

#include "sim/input/expression.hpp"
#include "sim/shapes/geometry.hpp"

namespace wavesim {

namespace {

/// What the outlines of all threads share.
struct Formula {
  Expression expression;
  Where where;
  std::atomic<bool> nan = false;
  Formula(Expression e, Where w) : expression(std::move(e)), where(std::move(w)) {}
};

struct FormulaOutline : ValueOutline {
  std::shared_ptr<Formula> formula;
  Expression::Evaluator evaluate;

  explicit FormulaOutline(std::shared_ptr<Formula> f)
      : formula(std::move(f)), evaluate(formula->expression) {}
  std::unique_ptr<Outline> copy() const override { return std::make_unique<FormulaOutline>(formula); }
  double value(double x, double y) override {
    const double v = evaluate({x, y});
    if (std::isnan(v)) formula->nan = true;
    return v;
  }
  void check(const OwnRows& rows) const override {
    if (rows.any(formula->nan))
      formula->where.fail(
          "the expression \"" + formula->expression.formula() +
          "\" of the shape is not a number at some nodes; write it so that it has a value everywhere");
  }
};

/// {expression: "y - 0.2 * sin(x)"}: inside where it is greater than 0.
struct ExpressionShape : Shape {
  std::string expression;

  void fields(Section& s) override {
    s("expression", expression, {.text = "formula in x and y: inside where it is > 0", .required = true});
    rim_keys(s);
  }
  std::unique_ptr<Outline> outline(const Grid&) const override {
    return std::make_unique<FormulaOutline>(
        std::make_shared<Formula>(Expression(expression, {"x", "y"}, where), where));
  }
};

}  // namespace

Kind<Shape> expression_shape_kind() {
  return {"expression", "where a formula in x and y is greater than 0", Form::flat,
          make_kind<Shape, ExpressionShape>};
}

}  // namespace wavesim
