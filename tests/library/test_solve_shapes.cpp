// Systems in memory that are not square, singular, or a triangle of the matrix.

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "library/solve.hpp"

namespace {

using wavesim::CsrSystem;
using wavesim::Solution;
using wavesim::SolveOptions;

/// Zeros are no entries.
struct Rows {
  std::vector<int> start{0}, column;
  std::vector<double> value, b;
  int columns;
  Rows(std::initializer_list<std::vector<double>> rows, std::vector<double> right_side)
      : b(std::move(right_side)), columns(int(rows.begin()->size())) {
    for (const std::vector<double>& row : rows) {
      for (int j = 0; j < columns; ++j)
        if (row[std::size_t(j)] != 0) {
          column.push_back(j);
          value.push_back(row[std::size_t(j)]);
        }
      start.push_back(int(column.size()));
    }
  }
  CsrSystem system() const { return {start, column, value, b, columns}; }
};

SolveOptions by(const char* method) {
  SolveOptions options;
  if (method) options.method = method;
  options.tolerance = 1e-12;
  return options;
}
SolveOptions triangle(const char* uplo, const char* method) {
  SolveOptions options = by(method);
  options.uplo = uplo;
  return options;
}

void expect_near(const std::vector<double>& x, const std::vector<double>& expected) {
  ASSERT_EQ(x.size(), expected.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-9) << i;
}

std::string refusal(const CsrSystem& system, const SolveOptions& options) {
  try {
    wavesim::solve(system, options);
  } catch (const wavesim::InputError& e) {
    return e.what();
  }
  return "none";
}

/// A line through points (t, y) by least squares: 1.5 + t, by hand.
const Rows points({{1, 0}, {1, 1}, {1, 2}, {1, 3}}, {1, 3, 4, 4});
const Rows wide({{3, 4, 0, 0}, {0, 0, 0, 2}}, {25, 6});
const Rows singular({{0, 2, 0}, {0, 0, 0}, {0, 4, 0}}, {2, 5, 8});
const Rows square({{2, 0, 9}, {1, 4, 9}, {-1, 0, 5}}, {2, 9, 14});

}  // namespace

TEST(SolveInMemory, FindsTheLeastResidualOfMoreRowsThanColumns) {
  for (const char* method : {(const char*)nullptr, "lsqr", "lsmr"}) {
    const Solution s = wavesim::solve(points.system(), by(method));
    ASSERT_TRUE(s.converged) << s.sentence;
    expect_near(s.x, {1.5, 1});
    EXPECT_EQ(s.method, method ? method : "lsmr");
    EXPECT_TRUE(s.least_squares);
    EXPECT_LE(s.gradient, 2e-12);
    EXPECT_NEAR(s.residual, std::sqrt((0.25 + 0.25 + 0.25 + 0.25) / 42), 1e-12);
  }
}

TEST(SolveInMemory, FindsTheShortestSolutionOfFewerRowsThanColumns) {
  const Solution s = wavesim::solve(wide.system(), by(nullptr));
  ASSERT_TRUE(s.converged) << s.sentence;
  expect_near(s.x, {3, 4, 0, 3});
  EXPECT_FALSE(s.least_squares);
}

TEST(SolveInMemory, TakesRowsWithoutEntriesForLeastSquaresOnly) {
  expect_near(wavesim::solve(singular.system(), by("lsqr")).x, {0, 1.8, 0});
  EXPECT_NE(refusal(singular.system(), by(nullptr)).find("row 1 has no entries"), std::string::npos);
}

TEST(SolveInMemory, SolvesWithATriangleOfTheMatrix) {
  for (const char* method : {"triangular", "gmres", "auto", "lsmr"})
    expect_near(wavesim::solve(square.system(), triangle("lower", method)).x, {1, 2, 3});
  Rows other = square;
  other.b = {29, 35, 15};
  const Solution s = wavesim::solve(other.system(), triangle("upper", "triangular"));
  expect_near(s.x, {1, 2, 3});
  EXPECT_TRUE(std::isnan(s.gradient));
}

TEST(SolveInMemory, TakesATriangleWithoutEntriesInARowForLeastSquaresOnly) {
  const Rows strict({{0, 2}, {3, 0}}, {1, 6});
  EXPECT_NE(
      refusal(strict.system(), triangle("lower", "gmres")).find("the system: row 1 of the lower triangle"),
      std::string::npos);
  expect_near(wavesim::solve(strict.system(), triangle("lower", "lsmr")).x, {2, 0});
}

TEST(SolveInMemory, RefusesShapesThatDoNotFit) {
  CsrSystem none = points.system(), narrow = points.system();
  none.columns = 0;
  narrow.columns = 1;
  const std::pair<std::string, std::string> cases[] = {
      {refusal(none, by(nullptr)), "the system: columns is 0; there are from 1 to"},
      {refusal(narrow, by(nullptr)), "column[2], of row 1, is 1; columns count from 0 to 0"},
      {refusal(points.system(), by("cg")), "the system: method: cg is for square matrices"},
      {refusal(points.system(), triangle("lower", nullptr)), "--uplo takes a triangle of a square matrix"},
      {refusal(square.system(), triangle("left", nullptr)), "--uplo: 'left' is not one of lower and upper"},
      {refusal(square.system(), by("triangular")), "the system: method: triangular is for triangular"},
  };
  for (const auto& [said, expected] : cases) EXPECT_NE(said.find(expected), std::string::npos) << said;
}

TEST(SolveInMemory, NamesTriangularAsAMethodForTrianglesOnly) {
  const std::string whole = refusal(square.system(), by("cg")),
                    half = refusal(square.system(), triangle("lower", "cg"));
  for (const std::string& said : {whole, half})
    EXPECT_NE(said.find("needs a symmetric matrix"), std::string::npos) << said;
  EXPECT_EQ(whole.find("triangular"), std::string::npos) << whole;
  EXPECT_NE(half.find("triangular"), std::string::npos) << half;
}
