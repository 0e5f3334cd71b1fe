// `wavesim solve` as a user meets it: what it says, what it writes, and how it ends on systems that have no
// solution, or none that can be found.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "kernels/device.hpp"
#include "sim/config/tree.hpp"
#include "tests/apps/program.hpp"

namespace wavesim {
namespace {

namespace fs = std::filesystem;

const std::string general = "%%MatrixMarket matrix coordinate real general\n",
                  symmetric = "%%MatrixMarket matrix coordinate real symmetric\n",
                  array = "%%MatrixMarket matrix array real general\n";

/// The second difference of n points, its lower triangle.
std::string second_difference(int n) {
  std::ostringstream text;
  text << symmetric << n << " " << n << " " << 2 * n - 1 << "\n";
  for (int i = 1; i <= n; ++i) text << i << " " << i << " 2\n";
  for (int i = 2; i <= n; ++i) text << i << " " << i - 1 << " -1\n";
  return text.str();
}

std::string word_of(const Tree& t, const char* key) {
  const Tree* v = t.find(key);
  return v ? v->scalar : "absent";
}
double number_of(const Tree& t, const char* key) { return std::strtod(word_of(t, key).c_str(), nullptr); }

bool has_line(const std::string& text, const std::string& begin) {
  return text.rfind(begin, 0) == 0 || text.find("\n" + begin) != std::string::npos;
}

TEST(SolveCommand, ReportsForPeople) {
  Workplace here;
  here.write("A.mtx", second_difference(100));
  const Outcome run = here.run({"solve", "A.mtx", "--device", "cpu"});
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
  const Outcome run = here.run({"solve", "A.mtx", "--json"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(word_of(load_tree(run.out, "json"), "method"), "bicgstab");
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

struct Wrong {
  const char* name;
  std::string matrix;
  int status;
  std::vector<const char*> says;
  std::vector<std::string> arguments = {};
  std::string b = array + "2 1\n1\n2\n";
};

const std::vector<Wrong>& wrong_systems() {
  const std::string diagonal = general + "2 2 2\n1 1 1\n2 2 2\n",
                    no_diagonal = symmetric + "2 2 2\n1 1 1\n2 1 1\n",
                    singular = general + "2 2 4\n1 1 1\n1 2 1\n2 1 1\n2 2 1\n",
                    indefinite = general + "2 2 2\n1 1 1\n2 2 -1\n",
                    unsymmetric = general + "2 2 3\n1 1 1\n1 2 1\n2 2 1\n";
  const std::vector<std::string> b{"--rhs", "b.mtx"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), b.begin(), b.end());
    return more;
  };
  static const std::vector<Wrong> all{
      // files
      {"NotSquare", general + "2 3 1\n1 1 1\n", 2, {"A.mtx:2:", "2 rows and 3 columns", "square"}},
      {"Complex",
       "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n",
       2,
       {"A.mtx:1:", "'complex'", "'real' and 'integer' are"}},
      {"Pattern",
       "%%MatrixMarket matrix coordinate pattern symmetric\n1 1 1\n1 1\n",
       2,
       {"A.mtx:1:", "'pattern'"}},
      {"Hermitian",
       "%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n1 1 1 0\n",
       2,
       {"A.mtx:1:", "not supported"}},
      {"IndexOutOfRange",
       general + "2 2 2\n1 1 1\n2 3 1\n",
       2,
       {"A.mtx:4:", "the column, 3, is larger than 2"}},
      {"Nan", general + "2 2 2\n1 1 1\n2 2 nan\n", 2, {"A.mtx:4:", "not finite"}},
      {"Infinity", general + "2 2 2\n1 1 inf\n2 2 1\n", 2, {"A.mtx:3:", "not finite"}},
      {"TruncatedGzip",
       std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03\x53\x55\xf5\x4d", 14),
       2,
       {"A.mtx:1:", "cut off or damaged", "copy it again"}},
      {"EmptyFile", "", 2, {"A.mtx: the file is empty"}},
      {"EmptyMatrix", general + "0 0 0\n", 2, {"A.mtx:2:", "no rows"}},
      {"EmptyRow",
       general + "3 3 3\n1 1 1\n3 3 1\n1 3 1\n",
       2,
       {"A.mtx:2:", "row 2 has no entries", "singular"}},
      {"NoEntries", general + "3 3 0\n", 2, {"A.mtx:2:", "3 rows and only 0 entries"}},
      {"NoFile", diagonal, 2, {"nowhere.mtx: cannot be opened"}, {"--rhs", "nowhere.mtx"}},
      {"WrongRightHandSide",
       diagonal,
       2,
       {"b.mtx:2:", "3 rows, and the matrix has 2"},
       b,
       array + "3 1\n1\n2\n3\n"},
      {"RightHandSideNotFinite", diagonal, 2, {"b.mtx:4:", "not finite"}, b, array + "2 1\n1\nnan\n"},
      {"OverflowingSum",
       general + "2 2 3\n1 1 1e308\n1 2 1.5e308\n2 2 1\n",
       2,
       {"A.mtx: A times ones", "--rhs"}},
      // choices
      {"UnsymmetricForCg",
       unsymmetric,
       2,
       {"A.mtx: method: cg needs a symmetric matrix", "methods that fit: ", "bicgstab"},
       {"--method", "cg"}},
      {"UnknownMethod",
       diagonal,
       2,
       {"--method: unknown name 'gc'", "did you mean 'cg'?"},
       {"--method", "gc"}},
      {"UnknownPreconditioner",
       diagonal,
       2,
       {"--preconditioner: unknown name 'jacoby'", "'jacobi'"},
       {"--preconditioner", "jacoby"}},
      {"UnknownFormat", diagonal, 2, {"--format: unknown name 'coo'"}, {"--format", "coo"}},
      {"FormatOfTheWaveSystem",
       diagonal,
       2,
       {"A.mtx: format 'stencil' holds the wave system only", "csr"},
       {"--format", "stencil"}},
      {"UnknownPrecision", diagonal, 2, {"--precision", "half"}, {"--precision", "half"}},
      {"UnknownNorm", diagonal, 2, {"--norm", "increment"}, {"--norm", "increment"}},
      {"UnknownDevice", diagonal, 2, {"--device", "gpu"}, {"--device", "gpu"}},
      {"ToleranceZero", diagonal, 2, {"--tolerance", "greater than 0"}, {"--tolerance", "0"}},
      {"ToleranceNan", diagonal, 2, {"--tolerance"}, {"--tolerance", "nan"}},
      {"NoIterations", diagonal, 2, {"--max-iterations", "between 1 and"}, {"--max-iterations", "0"}},
      {"PreconditionerThatIsNotTaken",
       diagonal,
       2,
       {"A.mtx: method: jacobi takes no preconditioner"},
       {"--method", "jacobi", "--preconditioner", "jacobi"}},
      {"OptionOfAnother",
       diagonal,
       2,
       {"'relaxation' is no option of method: cg"},
       {"--method", "cg", "--option", "relaxation=1"}},
      {"OptionMisspelled",
       diagonal,
       2,
       {"did you mean 'relaxation'?"},
       {"--method", "jacobi", "--option", "relaxaton=1"}},
      {"OptionOutOfRange",
       diagonal,
       2,
       {"--option relaxation=3", "between 0.001 and 2"},
       {"--method", "jacobi", "--option", "relaxation=3"}},
      {"OptionNoNumber",
       diagonal,
       2,
       {"--option relaxation=much", "not a number"},
       {"--method", "jacobi", "--option", "relaxation=much"}},
      {"OptionOfThePreconditioner",
       diagonal,
       2,
       {"'relaxation' is no option of preconditioner: jacobi"},
       {"--preconditioner", "jacobi", "--option", "preconditioner.relaxation=1"}},
      {"OptionWithoutAValue", diagonal, 2, {"--option relaxation", "name=value"}, {"--option", "relaxation"}},
      {"NoMatrix", diagonal, 2, {"nothing.mtx: cannot be opened"}, {"nothing.mtx"}},
      {"SolutionNowhere",
       diagonal,
       4,
       {"cannot write nowhere/x.mtx", "no folder"},
       {"--solution", "nowhere/x.mtx"}},
      // systems
      {"StructurallyMissingDiagonalWithJacobi",
       no_diagonal,
       2,
       {"A.mtx: preconditioner: jacobi", "row 2"},
       {"--method", "bicgstab", "--preconditioner", "jacobi"}},
      {"ZeroDiagonalWithJacobi",
       general + "2 2 4\n1 1 0\n1 2 1\n2 1 1\n2 2 1\n",
       2,
       {"A.mtx: preconditioner: jacobi", "row 1"},
       {"--method", "bicgstab", "--preconditioner", "jacobi"}},
      {"ZeroDiagonalWithJacobiInSingle",
       general + "2 2 4\n1 1 0\n1 2 1\n2 1 1\n2 2 1\n",
       2,
       {"row 1"},
       {"--preconditioner", "jacobi", "--precision", "single"}},
      {"MissingDiagonalForTheMethodJacobi",
       no_diagonal,
       3,
       {"not-finite", "row 2 has no diagonal", "another --method"},
       {"--method", "jacobi"}},
      {"JacobiThatDiverges",
       general + "2 2 4\n1 1 1\n1 2 3\n2 1 3\n2 2 1\n",
       3,
       {"jacobi ended with not-finite"},
       {"--method", "jacobi"}},
      {"SingularForCg", singular, 3, {"cg ended with", "true residual"}, with({"--method", "cg"})},
      {"SingularForBiCgStab",
       singular,
       3,
       {"bicgstab ended with", "true residual"},
       with({"--method", "bicgstab"})},
      {"SingularForJacobi", singular, 3, {"jacobi ended with"}, with({"--method", "jacobi"})},
      {"IndefiniteForCg",
       indefinite,
       3,
       {"cg ended with indefinite", "not positive definite", "bicgstab"},
       with({"--method", "cg"})},
      {"ZeroMatrixForCg", general + "2 2 2\n1 1 0\n2 2 0\n", 3, {"cg ended with indefinite"}, b},
      {"ZeroMatrixForBiCgStab",
       general + "2 2 2\n1 1 0\n2 2 0\n",
       3,
       {"bicgstab ended with breakdown"},
       with({"--method", "bicgstab"})},
      {"SkewSymmetricForBiCgStab",
       "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n",
       3,
       {"bicgstab ended with"},
       b},
      {"TooFewIterations",
       second_difference(100),
       3,
       {"max-iterations after 3 iterations", "raise --max-iterations"},
       {"--max-iterations", "3"}},
      {"BelowRounding",
       second_difference(400),
       3,
       {"stagnated", "loosen --tolerance"},
       {"--tolerance", "1e-18", "--rhs", "b.mtx"},
       [] {
         std::ostringstream text;
         text << array << "400 1\n";
         for (int i = 0; i < 400; ++i) text << std::sin(i * i) << "\n";
         return text.str();
       }()},
      {"SolutionTooLarge",
       general + "2 2 2\n1 1 1e-200\n2 2 1\n",
       3,
       {"cg ended with not-finite"},
       b,
       array + "2 1\n1e200\n1\n"},
  };
  return all;
}

void PrintTo(const Wrong& wrong, std::ostream* to) { *to << wrong.name; }

class WrongSystem : public testing::TestWithParam<Wrong> {};

TEST_P(WrongSystem, EndsWithItsStatusAndOneSentenceAndLeavesNothingBehind) {
  const Wrong& wrong = GetParam();
  Workplace here;
  here.write("A.mtx", wrong.matrix);
  here.write("b.mtx", wrong.b);
  std::vector<std::string> arguments{"solve"};
  if (std::string(wrong.name) != "NoMatrix") arguments.push_back("A.mtx");
  arguments.insert(arguments.end(), wrong.arguments.begin(), wrong.arguments.end());
  if (wrong.status != 4) arguments.insert(arguments.end(), {"--solution", "x.mtx"});

  const Outcome outcome = here.run(arguments);
  EXPECT_EQ(outcome.status, wrong.status) << outcome.err << outcome.out;
  EXPECT_EQ(outcome.err.rfind("wavesim: ", 0), 0u) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  for (const char* words : wrong.says)
    EXPECT_NE(outcome.err.find(words), std::string::npos) << words << " is not in: " << outcome.err;
  if (wrong.status != 3) {
    EXPECT_EQ(outcome.out, "");
  } else {
    EXPECT_FALSE(has_line(outcome.out, "converged")) << outcome.out;
  }
  EXPECT_EQ(here.left_behind(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(All, WrongSystem, testing::ValuesIn(wrong_systems()),
                         [](const auto& info) { return std::string(info.param.name); });

// Real matrices, read here a second time by other means.

struct Entry {
  int i, j;
  double v;
};
struct RealMatrix {
  int rows = 0;
  bool symmetric = false;  // stored as a triangle
  std::vector<Entry> entries;
};

RealMatrix read_again(const fs::path& file) {
  RealMatrix A;
  char line[1024];
  const gzFile gz = gzopen(file.c_str(), "rb");
  gzgets(gz, line, sizeof line);
  A.symmetric = std::string(line).find("symmetric") != std::string::npos;
  while (gzgets(gz, line, sizeof line) && line[0] == '%') {
  }
  A.rows = std::atoi(line);
  Entry e{};
  while (gzgets(gz, line, sizeof line))
    if (std::sscanf(line, "%d %d %lf", &e.i, &e.j, &e.v) == 3) A.entries.push_back(e);
  gzclose(gz);
  return A;
}

double relative_residual(const RealMatrix& A, const std::vector<double>& x) {
  std::vector<long double> b(A.rows, 0), y(A.rows, 0);
  for (const Entry& e : A.entries) {
    b[e.i - 1] += e.v;
    y[e.i - 1] += (long double)e.v * x[e.j - 1];
    if (A.symmetric && e.i != e.j) {
      b[e.j - 1] += e.v;
      y[e.j - 1] += (long double)e.v * x[e.i - 1];
    }
  }
  long double rr = 0, bb = 0;
  for (int i = 0; i < A.rows; ++i) {
    rr += (b[i] - y[i]) * (b[i] - y[i]);
    bb += b[i] * b[i];
  }
  return bb > 0 ? double(std::sqrt(rr / bb)) : double(std::sqrt(rr));
}

std::vector<double> read_solution(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  std::getline(in, line);
  std::vector<double> x;
  while (std::getline(in, line)) x.push_back(std::strtod(line.c_str(), nullptr));
  return x;
}

fs::path real_matrices() {
  const char* given = std::getenv("WAVESIM_MATRICES");
  return given ? fs::path(given) : fs::path(WAVESIM_SOURCE_DIR) / "../shared/matrices";
}

TEST(SolveCommand, OfRealMatricesEndsWithAStatusAndConvergedIsTrue) {
  if (!fs::exists(real_matrices()))
    GTEST_SKIP() << "needs the matrices of ../shared/matrices, or of the folder that WAVESIM_MATRICES names";
  // Symmetric, and by the collection's account not positive definite.
  const std::vector<std::string> not_definite{"bcsstm10", "bcsstm13", "e05r0000", "nopoly",
                                              "pyamg_unit_square"};
  const std::vector<std::string> unsymmetric_that_converge{"arc130", "orsirr_1", "pyamg_recirc_flow"};
  const auto in = [](const std::string& name, const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  int solved = 0, tried = 0;
  for (const auto& entry : fs::directory_iterator(real_matrices())) {
    const std::string file = entry.path().filename(), name = file.substr(0, file.find('.'));
    if (file.find(".mtx") == std::string::npos) continue;
    const RealMatrix A = read_again(entry.path());
    for (const char* method : {"cg", "bicgstab"}) {
      Workplace here;
      const Outcome run =
          here.run({"solve", entry.path(), "--method", method, "--json", "--solution", "x.mtx"});
      if (run.status == 2) {
        EXPECT_STREQ(method, "cg") << run.err;
        EXPECT_FALSE(A.symmetric) << run.err;
        continue;
      }
      ++tried;
      const Tree t = load_tree(run.out, "json");
      const std::string status = word_of(t, "status"), what = name + " " + method + ": " + status;
      EXPECT_EQ(number_of(t, "rows"), A.rows) << what;
      EXPECT_EQ(run.status, status == "converged" ? 0 : 3) << what << run.err;
      if (std::string(method) == "cg" ? !in(name, not_definite) : in(name, unsymmetric_that_converge)) {
        EXPECT_EQ(status, "converged") << what;
      }
      if (status != "converged") continue;
      ++solved;
      const std::vector<double> x = read_solution(here.folder() / "x.mtx");
      ASSERT_EQ(x.size(), std::size_t(A.rows)) << what;
      EXPECT_LE(relative_residual(A, x), 1.001e-6) << what;
      EXPECT_NEAR(relative_residual(A, x), number_of(t, "residual-relative-2"), 1e-9) << what;
    }
  }
  EXPECT_GT(solved, tried / 2);
}

}  // namespace
}  // namespace wavesim
