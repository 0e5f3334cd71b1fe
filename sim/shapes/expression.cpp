#include <atomic>
#include <cmath>

#include "sim/input/expression.hpp"
#include "sim/shapes/geometry.hpp"

namespace wavesim {

namespace {

/// {expression: "y - 0.2 * sin(x)"}: inside where it is greater than 0.
struct ExpressionShape : MaskedShape {
  std::string expression;

  void fields(Section& s) override {
    s("expression", expression, {.text = "formula in x and y: inside where it is > 0", .required = true});
    rim(s);
  }

 protected:
  std::vector<std::uint8_t> mask(const Grid& grid, NodesOf ask) const override {
    const Expression formula(expression, {"x", "y"}, where);
    std::atomic<bool> nan = false;
    auto mask = mask_nodes(grid, ask, [&] {
      return [&, evaluator = Expression::Evaluator(formula)](double x, double y) mutable {
        const double v = evaluator({x, y});
        if (std::isnan(v)) nan = true;
        return v > 0 ? 1 : -1;
      };
    });
    if (nan)
      where.fail("the expression \"" + expression +
                 "\" of the shape is not a number at some nodes; write it so that it has a value everywhere");
    return mask;
  }
};

}  // namespace

Kind<Shape> expression_shape_kind() {
  return {"expression", "where a formula in x and y is greater than 0", Form::flat,
          make_kind<Shape, ExpressionShape>};
}

}  // namespace wavesim
