// `wavesim solve` as a user meets it: what it says and what it writes.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <fstream>

#include "kernels/backend/device.hpp"
#include "tests/apps/program.hpp"
#include "tests/apps/system_files.hpp"

namespace wavesim {
namespace {

TEST(SolveCommand, ReportsForPeople) {
  Workplace here;
  here.write("A.mtx", second_difference(100));
  const Outcome run = here.run({"solve", "A.mtx", "--device", "cpu", "--method", "cg"});
  EXPECT_EQ(run.status, 0) << run.err;
  for (const char* line :
       {"matrix      A.mtx: 100 rows, 298 entries, symmetric; ", "right side  A times ones, 2-norm 1.41421",
        "method      cg, no preconditioner, double precision, on ",
        "converged   after 50 iterations: the true residual met the tolerance", "residual ", "error ",
        "time        solve ", "traffic "})
    EXPECT_TRUE(has_line(run.out, line)) << line << " is not in:\n" << run.out;
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(here.left_behind(), std::vector<std::string>{});
}

TEST(SolveCommand, ReportsForProgramsWithTheHistory) {
  Workplace here;
  here.write("A.mtx", second_difference(100));
  const Outcome run =
      here.run({"solve", "A.mtx", "--json", "--history", "--method", "bicgstab", "--preconditioner", "jacobi",
                "--precision", "single", "--tolerance", "1e-5"});
  ASSERT_EQ(run.status, 0) << run.err;
  const Tree t = load_tree(run.out, "json");
  EXPECT_EQ(word_of(t, "status"), "converged");
  EXPECT_EQ(word_of(t, "method"), "bicgstab");
  EXPECT_EQ(word_of(t, "precision"), "single");
  EXPECT_EQ(number_of(t, "rows"), 100);
  EXPECT_LE(number_of(t, "residual-relative-2"), 2e-5);
  ASSERT_TRUE(t.find("history"));
  EXPECT_EQ(t.find("history")->items.size(), std::size_t(number_of(t, "iterations")) + 1);
  EXPECT_EQ(t.find("history")->items.front().scalar, "1");
}

TEST(SolveCommand, SaysWhatTheSetUpChose) {
  Workplace here;
  here.write("A.mtx", second_difference(100));
  const std::vector<std::string> words{"solve",
                                       "A.mtx",
                                       "--preconditioner",
                                       "block-jacobi",
                                       "--option",
                                       "preconditioner.storage=adaptive",
                                       "--option",
                                       "preconditioner.block=4"};
  const std::string sentence = "block-jacobi: blocks of 4 rows at most: 32 in half";
  const Outcome run = here.run(words);
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(has_line(run.out, "set-up      " + sentence + "\n")) << run.out;
  std::vector<std::string> json = words;
  json.push_back("--json");
  const Tree t = load_tree(here.run(json).out, "json");
  EXPECT_EQ(word_of(t, "set-up"), sentence);
  EXPECT_EQ(word_of(t, "format"), "dia");
  EXPECT_NE(word_of(t, "format-reason").find("3 diagonals"), std::string::npos)
      << word_of(t, "format-reason");
}

TEST(SolveCommand, RefinesSolvesInSinglePrecision) {
  Workplace here;
  here.write("A.mtx", second_difference(100));
  const Outcome run = here.run({"solve", "A.mtx", "--json", "--preconditioner", "jacobi", "--precision",
                                "mixed", "--tolerance", "1e-12"});
  ASSERT_EQ(run.status, 0) << run.err;
  const Tree t = load_tree(run.out, "json");
  EXPECT_EQ(word_of(t, "precision"), "mixed");
  EXPECT_LE(number_of(t, "residual-relative-2"), 2e-12);  // beyond single precision
  EXPECT_LE(number_of(t, "iterations"), 6);
}

/// A plain sum of 2^60 + 1 - 2^60 loses the 1: a sweep takes x = (1, 1, 1, 1) for the solution, and so does
/// the plain residual, though it is 1 in the last row.
TEST(SolveCommand, SeesWithCompensatedSumsWhatPlainOnesLose) {
  Workplace here;
  here.write("A.mtx", general +
                          "4 4 7\n1 1 1\n2 2 1\n3 3 1\n4 1 1152921504606846976\n4 2 1\n"
                          "4 3 -1152921504606846976\n4 4 1\n");
  here.write("b.mtx", array + "4 1\n1\n1\n1\n1\n");
  std::vector<std::string> words{
      "solve",    "A.mtx",         "--rhs",  "b.mtx", "--json",           "--method", "gauss-seidel",
      "--option", "order=natural", "--norm", "max",   "--max-iterations", "1"};
  const Outcome plain = here.run(words);
  EXPECT_EQ(plain.status, 0);
  EXPECT_EQ(number_of(load_tree(plain.out, "json"), "residual-max"), 0);
  words.push_back("--accurate");
  const Outcome accurate = here.run(words);
  EXPECT_EQ(accurate.status, 3);
  EXPECT_EQ(number_of(load_tree(accurate.out, "json"), "residual-max"), 1);
}

/// No diagonal, and rows of very different size: the permutation is the solution.
TEST(SolveCommand, MatchesRowsAndColumnsWhenAsked) {
  Workplace here;
  here.write("A.mtx", general + "3 3 5\n1 2 1e12\n2 3 1e-9\n3 1 5\n2 1 1e-10\n1 3 1e11\n");
  EXPECT_EQ(here.run({"solve", "A.mtx", "--preconditioner", "ilu0"}).status, 2);
  const Outcome run = here.run({"solve", "A.mtx", "--preconditioner", "ilu0", "--match", "--json",
                                "--history", "--tolerance", "1e-12"});
  ASSERT_EQ(run.status, 0) << run.err;
  const Tree t = load_tree(run.out, "json");
  EXPECT_LE(number_of(t, "residual-relative-2"), 1e-12);
  EXPECT_LE(number_of(t, "error"), 1e-10);
  EXPECT_EQ(word_of(t, "set-up").rfind("3 of 3 rows moved and all scaled for a large diagonal; ilu0: ", 0),
            0u)
      << word_of(t, "set-up");
  EXPECT_EQ(t.find("history")->items.size(), std::size_t(number_of(t, "iterations")) + 1);
}

/// The matched system stagnates in its second solve, for a residual of A x = b that then meets the tolerance.
TEST(SolveCommand, SucceedsWhereTheResidualMeetsTheToleranceThoughTheMatchedSystemStagnates) {
  Workplace here;
  here.write("A.mtx", general + R"(6 6 30
1 2 -2.56e-06
1 3 -56.2
1 4 41300
1 5 8.42e-07
1 6 -947
2 2 0.0159
2 3 0.0135
2 4 360
2 6 -0.00226
3 1 22.6
3 2 50600
3 3 -0.00555
3 4 1220
3 5 -0.201
3 6 5.7e-09
4 1 76.2
4 2 7.59
4 3 40100
4 4 0.00108
4 5 -0.253
4 6 -0.00239
5 1 -0.000463
5 2 -1.68e-08
5 3 -1.15e-08
5 5 5.03
5 6 1.7e-05
6 1 -0.000137
6 2 -1.21e-05
6 4 -4730
6 6 4.88
)");
  for (const auto& [method, preconditioner] :
       {std::pair("idr", "none"), {"gmres", "none"}, {"bicgstab", "ilu0"}}) {
    const Outcome run = here.run({"solve", "A.mtx", "--match", "--method", method, "--preconditioner",
                                  preconditioner, "--tolerance", "1e-14", "--json", "--device", "cpu"});
    EXPECT_EQ(run.status, 0) << run.err;
    const Tree t = load_tree(run.out, "json");
    EXPECT_EQ(word_of(t, "status"), "converged") << method;
    EXPECT_LE(number_of(t, "residual-relative-2"), 1e-14) << method;
  }
}

/// Regular, but the second pivot of incomplete factors is zero: other methods do without them.
TEST(SolveCommand, SolvesByAutoWherePreconditionersMeetAZeroPivot) {
  Workplace here;
  here.write("A.mtx", general + "3 3 7\n1 1 1\n1 2 1\n2 1 1\n2 2 1\n2 3 2\n3 2 1\n3 3 1\n");
  const Outcome run = here.run({"solve", "A.mtx", "--method", "auto", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const Tree t = load_tree(run.out, "json");
  EXPECT_LE(number_of(t, "error"), 1e-5);
  const Tree* attempts = t.find("attempts");
  ASSERT_TRUE(attempts && attempts->items.size() > 1) << run.out;
  EXPECT_EQ(word_of(attempts->items[0], "name"), "bicgstab with ilu0");
  EXPECT_NE(word_of(attempts->items[0], "ending").find("met a pivot that is zero"), std::string::npos);
  EXPECT_EQ(word_of(attempts->items.back(), "ending"), "converged");
}

TEST(SolveCommand, AnswersProgramsOnceAlsoWhereTheSolutionCannotBeWritten) {
  Workplace here;
  here.write("A.mtx", second_difference(2000));
  const Outcome run = here.run({"solve", "A.mtx", "--solution", "x.mtx", "--json"}, [] {
    signal(SIGXFSZ, SIG_IGN);  // write() then fails with EFBIG
    const rlimit limit{10000, 10000};
    setrlimit(RLIMIT_FSIZE, &limit);
  });
  EXPECT_EQ(run.status, 4) << run.err;
  const Tree t = load_tree(run.out, "json");
  EXPECT_EQ(word_of(t, "status"), "output-failed") << run.out;
  EXPECT_EQ(number_of(t, "exit-status"), 4);
  EXPECT_EQ("wavesim: " + word_of(t, "sentence") + "\n", run.err);
}

TEST(SolveCommand, PrintsTheHistoryWhenAsked) {
  Workplace here;
  here.write("A.mtx", second_difference(10));
  const Outcome run = here.run({"solve", "A.mtx", "--history"});
  EXPECT_TRUE(has_line(run.out, "        0   1.000000e+00")) << run.out;
  EXPECT_TRUE(has_line(run.out, "        5   ")) << run.out;
}

TEST(SolveCommand, TakesItsMethodFromTheSymmetryOfTheMatrix) {
  Workplace here;
  here.write("A.mtx", general + "2 2 3\n1 1 2\n1 2 1\n2 2 2\n");
  for (const auto& [preconditioner, method] : {std::pair{"jacobi", "bicgstab"}, {"none", "auto"}}) {
    const Outcome run = here.run({"solve", "A.mtx", "--json", "--preconditioner", preconditioner});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(word_of(load_tree(run.out, "json"), "method"), method);
  }
  here.write("A.mtx", second_difference(10));
  const Outcome run = here.run({"solve", "A.mtx", "--json", "--preconditioner", "jacobi"});
  EXPECT_EQ(word_of(load_tree(run.out, "json"), "method"), "cg");
}

// The matrix has no diagonal: matched it has.
TEST(SolveCommand, GoesOnToAnotherMethodWhereOneFails) {
  Workplace here;
  here.write("A.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n");
  const Outcome run = here.run({"solve", "A.mtx", "--no-direct"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(has_line(run.out, "converged")) << run.out;
  EXPECT_NE(run.out.find("bicgstab with ilu0: the incomplete"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("bicgstab with ilu0, matched: converged"), std::string::npos) << run.out;
}

TEST(SolveCommand, LeavesOutTheDirectMethodOnlyOfAuto) {
  Workplace here;
  here.write("A.mtx", second_difference(10));
  EXPECT_EQ(here.run({"solve", "A.mtx", "--no-direct"}).status, 0);
  const Outcome odd = here.run({"solve", "A.mtx", "--no-direct", "--method", "cg"});
  EXPECT_EQ(odd.status, 2);
  EXPECT_NE(odd.err.find("--no-direct says what --method auto leaves out"), std::string::npos) << odd.err;
}

TEST(SolveCommand, WritesTheSolutionOfTheRightHandSideGiven) {
  Workplace here;
  here.write("A.mtx", general + "2 2 3\n1 1 2\n1 2 1\n2 2 4\n");
  here.write("b.mtx", array + "2 1\n4\n8\n");  // x = (1, 2)
  const Outcome run =
      here.run({"solve", "A.mtx", "--rhs", "b.mtx", "--solution", "x.mtx", "--tolerance", "1e-14"});
  ASSERT_EQ(run.status, 0) << run.err;
  std::ifstream file(here.folder() / "x.mtx");
  std::string header, sizes;
  std::getline(file, header);
  std::getline(file, sizes);
  EXPECT_EQ(header + "\n", array);
  EXPECT_EQ(sizes, "2 1");
  double x = 0, y = 0;
  file >> x >> y;
  EXPECT_NEAR(x, 1, 1e-13);
  EXPECT_NEAR(y, 2, 1e-13);
  EXPECT_EQ(here.left_behind(), std::vector<std::string>{"x.mtx"});
}

TEST(SolveCommand, LeavesNoPartOfASolutionThatCannotBeWritten) {
  Workplace here;
  here.write("A.mtx", second_difference(2000));
  const Outcome run = here.run({"solve", "A.mtx", "--solution", "x.mtx"}, [] {
    signal(SIGXFSZ, SIG_IGN);  // write() then fails with EFBIG
    const rlimit limit{10000, 10000};
    setrlimit(RLIMIT_FSIZE, &limit);
  });
  EXPECT_EQ(run.status, 4) << run.err;
  EXPECT_NE(run.err.find("cannot write x.mtx"), std::string::npos) << run.err;
  EXPECT_EQ(here.left_behind(), std::vector<std::string>{});
}

TEST(SolveCommand, EndsWithStatus5WithoutTheDeviceItIsToldToUse) {
  if (!cuda_facts().empty()) GTEST_SKIP() << "a CUDA device answers here";
  Workplace here;
  here.write("A.mtx", second_difference(10));
  EXPECT_EQ(here.run({"solve", "A.mtx", "--device", "cuda"}).status, 5);
}

TEST(SolveCommand, SolvesASystemOfOneRow) {
  Workplace here;
  here.write("A.mtx", general + "1 1 1\n1 1 -4\n");
  for (const char* method : {"bicgstab", "jacobi"}) {
    const Outcome run = here.run({"solve", "A.mtx", "--method", method, "--json"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(number_of(load_tree(run.out, "json"), "error"), 0);
  }
}

TEST(SolveCommand, AnswersAZeroRightHandSideWithZeroAfterNoIterations) {
  Workplace here;
  here.write("A.mtx", second_difference(10));
  here.write("b.mtx", general + "10 1 0\n");
  const Outcome run = here.run({"solve", "A.mtx", "--rhs", "b.mtx", "--json"});
  EXPECT_EQ(run.status, 0) << run.err;
  const Tree t = load_tree(run.out, "json");
  EXPECT_EQ(word_of(t, "status"), "converged");
  EXPECT_EQ(number_of(t, "iterations"), 0);
  EXPECT_NE(word_of(t, "sentence").find("the right-hand side is zero"), std::string::npos);
}

}  // namespace
}  // namespace wavesim
