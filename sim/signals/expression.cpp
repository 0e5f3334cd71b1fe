#include <cmath>

#include "sim/input/expression.hpp"
#include "sim/input/text.hpp"
#include "sim/signals/signal.hpp"

namespace wavesim {

namespace {

/// "sin(2 * pi * 5 * t) * exp(-t)"
struct ExpressionSignal : Signal {
  std::string value;

  void fields(Section& s) override {
    s("value", value, {.text = "formula in t, in seconds", .required = true});
  }
  void prepare() override {
    const Expression formula(value, {"t"}, where);
    evaluator_ = std::make_unique<Expression::Evaluator>(formula);
  }
  double at(double t) const override {
    const double v = (*evaluator_)({t});
    if (!std::isfinite(v))
      where.fail("the expression \"" + value + "\" is " + text(v) + " at t = " + text(t));
    return v;
  }

 private:
  std::unique_ptr<Expression::Evaluator> evaluator_;
};

}  // namespace

Kind<Signal> expression_signal_kind() {
  return {"expression", "formula in t", Form::text, make_kind<Signal, ExpressionSignal>};
}

}  // namespace wavesim
