// The rows of the catalogue against what makes their objects.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"

namespace wavesim::test {
namespace {

template <class T>
class Catalogue : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(Catalogue, Precisions);

TYPED_TEST(Catalogue, IsTheSameListForEachBackendAndPrecision) {
  const auto& methods = methods_on<Backend, TypeParam>();
  ASSERT_EQ(methods.size(), solver_methods().size());
  for (std::size_t k = 0; k < methods.size(); ++k) EXPECT_EQ(methods[k].row.name, solver_methods()[k].name);
  const auto& preconditioners = preconditioners_on<Backend, TypeParam>();
  ASSERT_EQ(preconditioners.size(), solver_preconditioners().size());
  for (std::size_t k = 0; k < preconditioners.size(); ++k)
    EXPECT_EQ(preconditioners[k].row.name, solver_preconditioners()[k].name);
}

TYPED_TEST(Catalogue, HasAMakerForEachRow) {
  for (const auto& m : methods_on<Backend, TypeParam>()) EXPECT_NE(m.make, nullptr) << m.row.name;
  for (const auto& p : preconditioners_on<Backend, TypeParam>())
    EXPECT_EQ(p.make == nullptr, p.row.name == "none") << p.row.name;
}

TYPED_TEST(Catalogue, MakesLinearStepsAsWhatTheyAre) {
  for (const auto& m : methods_on<Backend, TypeParam>())
    EXPECT_EQ(m.make_steps != nullptr, m.row.steps.linear) << m.row.name;
}

TEST(CatalogueRows, HaveANameOfTheirOwnAndAText) {
  const auto check = [](const auto& rows) {
    for (const auto& row : rows) {
      EXPECT_FALSE(row.text.empty()) << row.name;
      int times = 0;
      for (const auto& other : rows) times += other.name == row.name;
      EXPECT_EQ(times, 1) << row.name;
    }
  };
  check(solver_methods());
  check(solver_preconditioners());
  check(solver_formats());
}

TEST(IterationBound, FollowsTheKindOfTheMethod) {
  // 2 ((sqrt 9 - 1) / (sqrt 9 + 1))^n <= 1e-6; ((9 - 1) / (9 + 1))^n <= 1e-6
  EXPECT_NEAR(iterations_by(IterationBound::krylov, 9, 1e-6), 20.93, 0.01);
  EXPECT_NEAR(iterations_by(IterationBound::two_products, 9, 1e-6), 10.47, 0.01);
  EXPECT_NEAR(iterations_by(IterationBound::jacobi, 9, 1e-6), 61.91, 0.01);
  EXPECT_EQ(iterations_by(IterationBound::direct, 9, 1e-6), 2);
}

}  // namespace
}  // namespace wavesim::test
