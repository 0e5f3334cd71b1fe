#include <atomic>
#include <cmath>

#include "sim/fields/field.hpp"
#include "sim/input/expression.hpp"
#include "sim/input/text.hpp"

namespace wavesim {

namespace {

struct FormulaValues final : PointValues {
  std::shared_ptr<const Expression> formula;
  Expression::Evaluator evaluate;

  explicit FormulaValues(std::shared_ptr<const Expression> f) : formula(std::move(f)), evaluate(*formula) {}
  std::unique_ptr<PointValues> copy() const override { return std::make_unique<FormulaValues>(formula); }
  double at(double x, double y) override { return evaluate({x, y}); }
};

/// "1500 + 0.6 * y"
struct ExpressionField : Field2 {
  std::string value;

  void fields(Section& s) override {
    s("value", value, {.text = "formula in x and y, in metres", .required = true});
  }
  bool uniform() const override {
    const auto f = formula();
    return !f->uses("x") && !f->uses("y");
  }
  std::unique_ptr<PointValues> values(const Grid&) const override {
    return std::make_unique<FormulaValues>(formula());
  }
  NodeField at_nodes(const Grid& grid, const PointValues& values) const override {
    NodeField field = Field2::at_nodes(grid, values);
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
  std::shared_ptr<const Expression> formula() const {
    return std::make_shared<Expression>(value, std::vector<std::string>{"x", "y"}, where);
  }
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
