#include <atomic>
#include <cctype>
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

/// The same with t.
struct ChangingValues final : PointValues {
  std::shared_ptr<const Expression> formula;
  Expression::Evaluator evaluate;
  double t = 0;

  ChangingValues(std::shared_ptr<const Expression> f, double time)
      : formula(std::move(f)), evaluate(*formula), t(time) {}
  std::unique_ptr<PointValues> copy() const override { return std::make_unique<ChangingValues>(formula, t); }
  void set_time(double time) override { t = time; }
  double at(double x, double y) override { return evaluate({x, y, t}); }
};

/// "1500 + 0.6 * y"
struct ExpressionField : Field2 {
  std::string value;

  void fields(Section& s) override {
    s("value", value, {.text = "formula in x and y, in metres", .required = true});
  }
  bool uniform() const override {
    if (has_time()) return false;
    const auto f = formula();
    return !f->uses("x") && !f->uses("y");
  }
  bool uses_time() const override { return has_time() && formula_in_time()->uses("t"); }
  std::unique_ptr<PointValues> values_in_time(const Grid&) const override {
    return std::make_unique<ChangingValues>(formula_in_time(), 0);
  }
  std::unique_ptr<PointValues> values(const Grid&) const override {
    return std::make_unique<FormulaValues>(formula());
  }
  NodeField at_nodes(const Grid& grid, const PointValues& values) const override {
    NodeField field = Field2::at_nodes(grid, values);
    if (field.uniform() && !std::isfinite(field.constant)) fail(field.constant, "");
    if (field.uniform()) return field;
    const std::size_t begin = grid.first_node(), end = grid.end_node();
    std::size_t first = end;  // that is not finite
#pragma omp parallel for schedule(static) reduction(min : first)
    for (std::size_t i = begin; i < end; ++i)
      if (i < first && !std::isfinite(field.values[i])) first = i;
    if (const auto bad = grid.own.first_found(
            first < end ? std::optional(NodeValue{first, field.values[first]}) : std::nullopt)) {
      const auto [ix, iy] = grid.place(bad->node);
      fail(bad->value, " at x = " + text(grid.x(ix)) + ", y = " + text(grid.y(iy)));
    }
    return field;
  }

 private:
  /// Whether the word t is in it, which only area sources know.
  bool has_time() const {
    const auto in_a_name = [&](std::size_t k) {
      return k < value.size() && (std::isalnum(static_cast<unsigned char>(value[k])) || value[k] == '_');
    };
    for (std::size_t k = 0; k < value.size(); ++k)
      if (value[k] == 't' && !in_a_name(k - 1) && !in_a_name(k + 1)) return true;
    return false;
  }
  std::shared_ptr<const Expression> formula_in_time() const {
    return std::make_shared<Expression>(value, std::vector<std::string>{"x", "y", "t"}, where);
  }
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
