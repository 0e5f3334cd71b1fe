#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "library/solve.hpp"

namespace {

using wavesim::CsrSystem;
using wavesim::Solution;

/// -u'' = 1 on so many nodes with u = 0 beyond both ends: u_i = (i + 1) (n - i) / 2.
struct Line {
  std::vector<int> start{0}, column;
  std::vector<double> value, b;
  explicit Line(int n, double lower = -1, double upper = -1) : b(std::size_t(n), 1) {
    for (int i = 0; i < n; ++i) {
      const auto add = [&](int j, double v) {
        if (j < 0 || j >= n) return;
        column.push_back(j);
        value.push_back(v);
      };
      add(i + 1, upper);  // in any order
      add(i - 1, lower);
      add(i, 2);
      start.push_back(int(column.size()));
    }
  }
  CsrSystem system() const { return {start, column, value, b}; }
};

double true_residual(const Line& line, const std::vector<double>& x) {
  double r = 0, b = 0;
  for (std::size_t i = 0; i < line.b.size(); ++i) {
    double row = line.b[i];
    for (int k = line.start[i]; k < line.start[i + 1]; ++k) row -= line.value[k] * x[line.column[k]];
    r += row * row;
    b += line.b[i] * line.b[i];
  }
  return std::sqrt(r / b);
}

std::string refusal(const CsrSystem& system, const wavesim::SolveOptions& options = {}) {
  try {
    wavesim::solve(system, options);
  } catch (const wavesim::InputError& e) {
    return e.what();
  }
  return "none";
}

}  // namespace

TEST(SolveInMemory, GivesTheSolutionAndItsResidual) {
  const int n = 50;
  const Line line(n);
  for (const auto& [method, preconditioner] :
       {std::pair{"cg", "none"}, {"cg", "ic0"}, {"bicgstab", "jacobi"}, {"auto", "none"}}) {
    wavesim::SolveOptions options;
    options.method = method;
    options.preconditioner = preconditioner;
    options.tolerance = 1e-10;
    const Solution s = wavesim::solve(line.system(), options);
    ASSERT_TRUE(s.converged) << method << ": " << s.sentence;
    EXPECT_EQ(s.status, "converged");
    EXPECT_NE(s.method, "auto");
    EXPECT_GE(s.iterations, 1);
    EXPECT_LE(s.residual, 2e-10);
    EXPECT_NEAR(s.residual, true_residual(line, s.x), 1e-13);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(s.x[i], 0.5 * (i + 1) * (n - i), 1e-6) << method << ", row " << i;
  }
}

TEST(SolveInMemory, TakesBicgstabForAMatrixThatIsNotSymmetric) {
  const Line line(40, -1.5, -0.5);
  wavesim::SolveOptions options;
  options.preconditioner = "jacobi";
  const Solution s = wavesim::solve(line.system(), options);
  EXPECT_TRUE(s.converged) << s.sentence;
  EXPECT_EQ(s.method, "bicgstab");
  EXPECT_EQ(s.preconditioner, "jacobi");
  EXPECT_LE(true_residual(line, s.x), 2e-6);
  options.method = "cg";
  EXPECT_NE(refusal(line.system(), options).find("symmetric"), std::string::npos);
}

TEST(SolveInMemory, ReturnsWhatDidNotConvergeAndSaysSo) {
  const Line line(400);
  wavesim::SolveOptions options;
  options.method = "cg";
  options.max_iterations = 3;
  const Solution s = wavesim::solve(line.system(), options);
  EXPECT_FALSE(s.converged);
  EXPECT_EQ(s.status, "max-iterations");
  EXPECT_EQ(s.iterations, 3);
  EXPECT_NE(s.sentence.find("limit"), std::string::npos);
  EXPECT_NEAR(s.residual, true_residual(line, s.x), 1e-12 * s.residual);
  EXPECT_GT(s.residual, 1e-6);
}

TEST(SolveInMemory, RefusesWhatIsNoSystem) {
  const auto changed = [](auto change) {
    Line line(5);
    change(line);
    return refusal(line.system());
  };
  const std::pair<std::string, std::string> cases[] = {
      {changed([](Line& l) { l.start.clear(); }), "row_start has 0 values"},
      {changed([](Line& l) { l.start.front() = 1; }), "row_start[0] is 1; indices count from zero"},
      {changed([](Line& l) { l.start.back() -= 1; }), "row_start ends with 12, and there are 13 entries"},
      {changed([](Line& l) { l.start[2] = 1; }), "row_start[2] is 1; the starts of rows ascend"},
      {changed([](Line& l) { l.start[2] = 1000; }), "row_start[2] is 1000"},
      {changed([](Line& l) { l.start[2] = l.start[1]; }), "row 1 has no entries"},
      {changed([](Line& l) { l.value.pop_back(); }), "column has 13 values, and value has 12"},
      {changed([](Line& l) { l.b.pop_back(); }), "right_hand_side has 4 values, and the matrix has 5 rows"},
      {changed([](Line& l) { l.column[3] = 5; }), "column[3], of row 1, is 5; columns count from 0 to 4"},
      {changed([](Line& l) { l.column[3] = -1; }), "column[3], of row 1, is -1"},
      {changed([](Line& l) { l.column[3] = l.column[2]; }), "row 1 has column 2 twice"},
      {changed([](Line& l) { l.value[3] = std::numeric_limits<double>::quiet_NaN(); }),
       "value[3], of row 1, is not finite"},
      {changed([](Line& l) { l.b[2] = std::numeric_limits<double>::infinity(); }),
       "right-hand side is not finite in row 3"},
  };
  for (const auto& [said, expected] : cases) EXPECT_NE(said.find(expected), std::string::npos) << said;
}

TEST(SolveInMemory, RefusesUnknownWords) {
  const Line line(5);
  const auto with = [&](auto change) {
    wavesim::SolveOptions options;
    change(options);
    return refusal(line.system(), options);
  };
  const std::pair<std::string, std::string> cases[] = {
      {with([](auto& o) { o.method = "cgg"; }), "--method: unknown name 'cgg'; did you mean 'cg'?"},
      {with([](auto& o) { o.preconditioner = "ilu"; }), "--preconditioner: unknown name 'ilu'"},
      {with([](auto& o) { o.precision = "half"; }), "--precision: 'half' is not one of double, single"},
      {with([](auto& o) { o.norm = "increment"; }), "--norm: 'increment' is not one of relative-2"},
      {with([](auto& o) { o.device = "gpu"; }), "--device: 'gpu' is not one of auto, cuda"},
      {with([](auto& o) { o.tolerance = 0; }), "--tolerance has to be greater than 0"},
  };
  for (const auto& [said, expected] : cases) EXPECT_NE(said.find(expected), std::string::npos) << said;
}
