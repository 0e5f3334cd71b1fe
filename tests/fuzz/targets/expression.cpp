// A formula: read, and evaluated as over a grid.

#include "sim/input/expression.hpp"

#include "tests/fuzz/target.hpp"

using namespace wavesim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::refused_or_read([&] {
    const Expression expression(fuzz::text_of(data, size), {"x", "y", "t"}, {});
    Expression::Evaluator value(expression);
    for (const double at : {0.0, 0.5, -1.0, 1e300}) value({at, -at, 2 * at});
  });
}
