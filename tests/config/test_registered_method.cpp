// A method that a program has added can be chosen in a config, with its options.

#include "tests/config/configs.hpp"
#include "tests/solvers/catalogue/richardson.hpp"

namespace wavesim {
namespace {

const char* const chosen = "solver: {method: richardson, richardson-weight: 0.1}\n";

TEST(RegisteredMethod, IsChosenInAConfigWithItsOptions) {
  const test::WithRichardson registered;
  const SolverOptions o = with(chosen).solver_options();
  EXPECT_EQ(o.method, "richardson");
  EXPECT_EQ(o.choices.number(test::richardson_weight), 0.1);
  EXPECT_NE(refusal_of("solver: {method: richardson, richardson-weight: 7}\n"), "");
  EXPECT_EQ(refusal_of("solver: {method: richardson, preconditioner: jacobi}\n").rfind("small.yaml:", 0), 0u);
  const PreconditionerOptions steps =
      with("solver: {preconditioner: {type: steps, method: richardson}}\n").solver_options().preconditioner;
  EXPECT_EQ(short_name(steps), "3 steps of richardson");
}

TEST(RegisteredMethod, IsUnknownWhereNobodyAddedIt) {
  EXPECT_EQ(
      refusal_of("solver: {method: richardson}\n").rfind("small.yaml:5:10: unknown value 'richardson'", 0),
      0u);
}

}  // namespace
}  // namespace wavesim
