// What formulas may call, and sentences about what they may not.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sim/config/tree.hpp"
#include "sim/input/expression.hpp"
#include "sim/input/expression_functions.hpp"
#include "tests/sim/given.hpp"

namespace wavesim {
namespace {

const Where here{"a.yaml", 3, 1, "medium.speed"};

std::string refusal(const std::string& formula) {
  try {
    Expression(formula, {"x", "y"}, here);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Expressions, KnowEveryFunctionOfTheList) {
  std::set<std::string_view> seen;
  for (const Entry& e : expression_functions()) {
    const std::string text(e.text), call = text.substr(0, text.find(')') + 1);
    EXPECT_EQ(call.substr(0, call.find('(')), e.name);
    EXPECT_TRUE(seen.insert(e.name).second) << e.name;
    Expression::Evaluator value(Expression(call, {"a", "b", "c"}, here));
    EXPECT_TRUE(std::isfinite(value({0.5, 0.25, 2})) || e.name == "acosh") << call;
  }
  const auto value = [](const std::string& call) {
    return Expression::Evaluator(Expression(call, {"x"}, here))({0});
  };
  EXPECT_EQ(value("mod(-1, 3)"), 2);
  EXPECT_EQ(value("log(exp(2))"), 2);
  EXPECT_EQ(value("rint(1.6) + avg(1, 2, 3) + sum(1, 2)"), 7);
  EXPECT_EQ(value("atan2(0, 1)"), 0);
}

TEST(Expressions, SayWhatIsWrittenForAPowerAndARemainder) {
  EXPECT_NE(refusal("x**2").find("has '**' at position 2; write a^b"), std::string::npos) << refusal("x**2");
  EXPECT_NE(refusal("1 + round(x)").find("has 'round' at position 5; write rint(a)"), std::string::npos)
      << refusal("1 + round(x)");
  EXPECT_NE(refusal("x % 2").find("has '%' at position 3; write mod(a, b)"), std::string::npos)
      << refusal("x % 2");
}

TEST(Expressions, SayWhichFunctionWasMeant) {
  EXPECT_NE(refusal("1 + hypott(x, y)").find("did you mean 'hypot'?"), std::string::npos)
      << refusal("1 + hypott(x, y)");
  EXPECT_NE(refusal("qqqq(x)").find("wavesim list functions"), std::string::npos) << refusal("qqqq(x)");
}

TEST(Configs, SayThatALineIsIndentedByATab) {
  const auto said = [](const std::string& text) {
    try {
      load_tree(text, "a.yaml");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(said("grid:\n\tsize: 3\n").find("a.yaml:2"), std::string::npos) << said("grid:\n\tsize: 3\n");
  EXPECT_NE(said("grid:\n\tsize: 3\n").find("indented by a tab"), std::string::npos);
  EXPECT_EQ(said("grid: [1, 2\n").find("tab"), std::string::npos);
}

}  // namespace
}  // namespace wavesim
