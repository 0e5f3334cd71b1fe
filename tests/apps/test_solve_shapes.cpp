// `wavesim solve` with matrices that are not square, with triangles, and with several right-hand sides.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/apps/program.hpp"
#include "tests/apps/system_files.hpp"

namespace wavesim {
namespace {

/// The numbers of an array file, and the line of its sizes.
struct Written {
  std::string sizes;
  std::vector<double> values;
};
Written written(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string header;
  Written w;
  std::getline(file, header);
  std::getline(file, w.sizes);
  for (double v = 0; file >> v;) w.values.push_back(v);
  return w;
}
void expect_near(const std::vector<double>& x, const std::vector<double>& expected, double error) {
  ASSERT_EQ(x.size(), expected.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], error) << i;
}

/// Rows (1, t) for t = 0, 1, 2, 3: a line through points.
const std::string line_through_points = array + "4 2\n1\n1\n1\n1\n0\n1\n2\n3\n";

TEST(SolveCommand, FitsALineThroughPointsByLeastSquares) {
  Workplace here;
  here.write("A.mtx", line_through_points);
  here.write("b.mtx", array + "4 1\n1\n3\n4\n4\n");  // 1.5 + t, by hand
  const Outcome run =
      here.run({"solve", "A.mtx", "--rhs", "b.mtx", "--solution", "x.mtx", "--tolerance", "1e-12"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(has_line(run.out, "matrix      A.mtx: 4 rows, 2 columns, 7 entries, ")) << run.out;
  EXPECT_TRUE(has_line(run.out, "method      lsmr, ")) << run.out;
  EXPECT_TRUE(
      has_line(run.out, "converged   after 2 iterations: the residual does not vanish and is the least"))
      << run.out;
  EXPECT_TRUE(has_line(run.out, "gradient    ")) << run.out;
  const Written x = written(here.folder() / "x.mtx");
  EXPECT_EQ(x.sizes, "2 1");
  expect_near(x.values, {1.5, 1}, 1e-10);
  const Outcome solved = here.run({"solve", "A.mtx"});  // A times ones: the residual says all
  ASSERT_EQ(solved.status, 0) << solved.err;
  EXPECT_TRUE(has_line(solved.out, "converged   after 2 iterations: the true residual met")) << solved.out;
  EXPECT_FALSE(has_line(solved.out, "gradient")) << solved.out;
}

TEST(SolveCommand, ChoosesAMethodOfLeastSquaresByItself) {
  Workplace here;
  here.write("A.mtx", line_through_points);
  here.write("b.mtx", array + "4 1\n1\n3\n4\n4\n");
  const Outcome run = here.run({"solve", "A.mtx", "--rhs", "b.mtx", "--method", "auto", "--solution", "x.mtx",
                                "--tolerance", "1e-12"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(has_line(run.out, "method      auto, no preconditioner")) << run.out;
  EXPECT_TRUE(has_line(run.out, "tried       lsmr: converged after 2 iterations, ")) << run.out;
  EXPECT_TRUE(
      has_line(run.out, "converged   after 2 iterations: the residual does not vanish and is the least"))
      << run.out;
  expect_near(written(here.folder() / "x.mtx").values, {1.5, 1}, 1e-10);

  here.write("A.mtx", general + "2 4 3\n1 1 3\n1 2 4\n2 4 2\n");  // fewer rows: the shortest
  here.write("b.mtx", array + "2 2\n25\n6\n-25\n6\n");
  const Outcome wide = here.run({"solve", "A.mtx", "--rhs", "b.mtx", "--method", "auto", "--solution",
                                 "x.mtx", "--tolerance", "1e-12"});
  ASSERT_EQ(wide.status, 0) << wide.err;
  expect_near(written(here.folder() / "x.mtx").values, {3, 4, 0, 3, -3, -4, 0, 3}, 1e-10);

  const Outcome matched = here.run({"solve", "A.mtx", "--method", "auto", "--match"});
  EXPECT_EQ(matched.status, 2);
  EXPECT_NE(matched.err.find("--match is for square matrices, and A.mtx is none; remove it"),
            std::string::npos)
      << matched.err;
}

TEST(SolveCommand, GivesTheShortestSolutionOfFewerRowsThanColumns) {
  Workplace here;
  here.write("A.mtx", general + "2 4 3\n1 1 3\n1 2 4\n2 4 2\n");
  here.write("b.mtx", array + "2 1\n25\n6\n");
  for (const char* method : {"lsqr", "lsmr"})
    for (const char* M : {"none", "column-scaling"}) {
      const Outcome run = here.run({"solve", "A.mtx", "--rhs", "b.mtx", "--solution", "x.mtx", "--method",
                                    method, "--preconditioner", M, "--json", "--tolerance", "1e-12"});
      ASSERT_EQ(run.status, 0) << run.err;
      const Tree t = load_tree(run.out, "json");
      EXPECT_EQ(number_of(t, "rows"), 2);
      EXPECT_EQ(number_of(t, "columns"), 4);
      EXPECT_EQ(word_of(t, "least-squares"), "false");
      const Written x = written(here.folder() / "x.mtx");
      EXPECT_EQ(x.sizes, "4 1");
      // scaled: the shortest of (3 x1, 4 x2), of which the row is (1, 1)
      expect_near(x.values,
                  M == std::string("none") ? std::vector<double>{3, 4, 0, 3}
                                           : std::vector<double>{12.5 / 3, 12.5 / 4, 0, 3},
                  1e-10);
    }
}

TEST(SolveCommand, TakesASingularMatrixForLeastSquares) {
  Workplace here;
  here.write("A.mtx", general + "3 3 2\n1 1 2\n3 2 4\n");
  here.write("b.mtx", array + "3 1\n2\n5\n8\n");
  const Outcome refused = here.run({"solve", "A.mtx", "--rhs", "b.mtx"});
  EXPECT_EQ(refused.status, 2);
  const Outcome run =
      here.run({"solve", "A.mtx", "--rhs", "b.mtx", "--method", "lsqr", "--solution", "x.mtx"});
  ASSERT_EQ(run.status, 0) << run.err;
  expect_near(written(here.folder() / "x.mtx").values, {1, 2, 0}, 1e-5);
}

const std::string square = general + "3 3 7\n1 1 2\n1 3 9\n2 1 1\n2 2 4\n2 3 9\n3 1 -1\n3 3 5\n";

TEST(SolveCommand, SolvesWithATriangleOfTheMatrix) {
  Workplace here;
  here.write("A.mtx", square);
  here.write("b.mtx", array + "3 1\n2\n9\n14\n");
  for (const char* method : {"triangular", "gmres"})
    for (const char* precision : {"double", "single"}) {
      const Outcome run = here.run({"solve", "A.mtx", "--rhs", "b.mtx", "--uplo", "lower", "--method", method,
                                    "--precision", precision, "--solution", "x.mtx", "--device", "cpu"});
      ASSERT_EQ(run.status, 0) << run.err;
      EXPECT_TRUE(has_line(run.out, "matrix      A.mtx (its lower triangle): 3 rows, 5 entries, "))
          << run.out;
      expect_near(written(here.folder() / "x.mtx").values, {1, 2, 3}, 1e-5);
    }
  here.write("b.mtx", array + "3 1\n29\n35\n15\n");
  const Outcome upper = here.run({"solve", "A.mtx", "--rhs", "b.mtx", "--uplo", "upper", "--method",
                                  "triangular", "--solution", "x.mtx"});
  ASSERT_EQ(upper.status, 0) << upper.err;
  EXPECT_TRUE(has_line(upper.out, "set-up      triangular: upper, 2 levels")) << upper.out;
  expect_near(written(here.folder() / "x.mtx").values, {1, 2, 3}, 1e-12);
}

/// Three columns of b = A x, with x_k = (k, 2, -1) and the like.
TEST(SolveCommand, SolvesSeveralRightHandSidesWithOneSetUp) {
  Workplace here;
  here.write("A.mtx", second_difference(3));
  here.write("B.mtx", array + "3 3\n0\n4\n-4\n2\n3\n-4\n0\n0\n0\n");
  const std::vector<double> expected{1, 2, -1, 2, 2, -1, 0, 0, 0};
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{},
                                             {"--method", "cg", "--preconditioner", "ic0"},
                                             {"--match", "--method", "bicgstab", "--preconditioner", "ilu0"},
                                             {"--method", "lsmr"},
                                             {"--method", "gmres", "--precision", "mixed"},
                                             {"--no-direct"}}) {
    std::vector<std::string> all{"solve",      "A.mtx", "--rhs",       "B.mtx",
                                 "--solution", "X.mtx", "--tolerance", "1e-12"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome run = here.run(all);
    SCOPED_TRACE(words.empty() ? "auto" : words.back());
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(has_line(run.out, "right sides B.mtx: 3 columns")) << run.out;
    EXPECT_TRUE(has_line(run.out, "column  iterations  residual")) << run.out;
    EXPECT_TRUE(has_line(run.out, "     3           0  ")) << run.out;  // zeros
    const Written x = written(here.folder() / "X.mtx");
    EXPECT_EQ(x.sizes, "3 3");
    expect_near(x.values, expected, 1e-10);
  }
}

TEST(SolveCommand, ReportsEachRightHandSideForPrograms) {
  Workplace here;
  here.write("A.mtx", second_difference(40));
  std::string b = array + "40 2\n";
  for (int i = 0; i < 80; ++i) b += i < 40 ? "1\n" : std::to_string(i % 7) + "\n";
  here.write("B.mtx", b);
  const Outcome run = here.run({"solve", "A.mtx", "--rhs", "B.mtx", "--method", "cg", "--preconditioner",
                                "block-jacobi", "--json", "--history"});
  ASSERT_EQ(run.status, 0) << run.err;
  const Tree t = load_tree(run.out, "json");
  EXPECT_EQ(word_of(t, "status"), "converged");
  const Tree* sides = t.find("right-sides");
  ASSERT_NE(sides, nullptr);
  ASSERT_EQ(sides->items.size(), 2u);
  EXPECT_GT(number_of(sides->items[0], "setup-seconds"), 0);
  EXPECT_LT(number_of(sides->items[1], "setup-seconds"), 1e-4);  // it is there already
  for (const Tree& one : sides->items) {
    EXPECT_EQ(word_of(one, "status"), "converged");
    EXPECT_LE(number_of(one, "residual-relative-2"), 1.01e-6);
    EXPECT_EQ(one.find("history")->items.size(), std::size_t(number_of(one, "iterations")) + 1);
  }
}

TEST(SolveCommand, WritesNoSolutionWhereOneOfSeveralIsMissing) {
  Workplace here;
  here.write("A.mtx", second_difference(40));
  std::string b = array + "40 2\n";
  for (int i = 0; i < 80; ++i) b += i < 40 ? "0\n" : std::to_string(i * i % 7) + "\n";
  here.write("B.mtx", b);
  const Outcome run = here.run(
      {"solve", "A.mtx", "--rhs", "B.mtx", "--method", "cg", "--max-iterations", "3", "--solution", "X.mtx"});
  EXPECT_EQ(run.status, 3);
  EXPECT_NE(run.err.find("1 of 2 right-hand sides were not solved; in column 2 cg ended with max-iterations"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(here.left_behind(), std::vector<std::string>{});
}

}  // namespace
}  // namespace wavesim
