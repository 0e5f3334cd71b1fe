// How `wavesim solve` ends on files and choices that are wrong, and on systems that have no solution, or none
// that can be found.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/apps/program.hpp"
#include "tests/apps/system_files.hpp"

namespace wavesim {
namespace {

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
      {"NotSquare",
       general + "2 3 1\n1 1 1\n",
       2,
       {"A.mtx: method: cg is for square matrices", "least squares: lsqr, lsmr"},
       {"--method", "cg"}},
      {"NotSquareWithFactors",
       general + "2 3 1\n1 1 1\n",
       2,
       {"A.mtx: preconditioner: ilu0 is for square matrices", "none, or column-scaling"},
       {"--preconditioner", "ilu0"}},
      {"RowsOfALibrarysMatrix",
       diagonal,
       2,
       {"A.mtx: preconditioner: jacobi reads rows of the matrix", "write format: csr"},
       {"--format", "cusparse", "--preconditioner", "jacobi"}},
      {"ALibraryOfGpusOnTheCpu",
       diagonal,
       2,
       {"A.mtx: format: cusparse takes products by cuSPARSE, which works on a GPU only"},
       {"--format", "cusparse", "--device", "cpu"}},
      {"NotSquareMatched",
       general + "2 3 1\n1 1 1\n",
       2,
       {"--match is for methods that solve square systems, not for lsmr"},
       {"--match"}},
      {"NotSquareTriangle",
       general + "2 3 1\n1 1 1\n",
       2,
       {"A.mtx: --uplo takes a triangle of a square matrix", "2 rows and 3 columns"},
       {"--uplo", "lower"}},
      {"HardlyAnEntryOfARectangle",
       general + "2000000000 3 1\n1 1 1\n",
       2,
       {"A.mtx:2: the matrix has 2000000000 rows, 3 columns and only 1 entries"}},
      {"NoTriangle",
       singular,
       2,
       {"A.mtx: method: triangular is for triangular matrices", "--uplo"},
       {"--method", "triangular"}},
      {"UnknownTriangle", diagonal, 2, {"--uplo", "lower"}, {"--uplo", "left"}},
      {"TriangleWithoutDiagonal",
       no_diagonal,
       2,
       {"A.mtx: a triangular matrix has a zero on its diagonal, in row 1 (counted from 0)",
        "no unique solution"},
       {"--method", "triangular", "--uplo", "lower"}},
      {"EmptyRowOfTheTriangle",
       general + "2 2 2\n1 2 1\n2 1 1\n",
       2,
       {"A.mtx: row 1 of the lower triangle has no entries", "singular"},
       {"--uplo", "lower"}},
      {"ManySparseColumns",
       diagonal,
       2,
       {"b.mtx:2: 2 x 2000000000 right-hand sides are too many for a coordinate file"},
       b,
       general + "2 2000000000 1\n1 1 1\n"},
      {"NoColumns", diagonal, 2, {"b.mtx:2: there are no columns"}, b, array + "2 0\n"},
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
      {"MissingDiagonalForIncompleteFactors",
       no_diagonal,
       2,
       {"A.mtx: the incomplete factorisation ILU(0) needs every element of the diagonal", "--match"},
       {"--method", "bicgstab", "--preconditioner", "ilu0"}},
      {"ZeroPivot",
       singular,
       3,
       {"ILU(0) met a pivot that is zero", "row 1 (counted from 0)"},
       {"--method", "gmres", "--preconditioner", "ilu0"}},
      {"ZeroPivotBySweeps",
       singular,
       3,
       {"ILU(0) by 3 sweeps met a pivot that is zero", "row 1 (counted from 0)"},
       {"--method", "gmres", "--preconditioner", "ilu0", "--option", "preconditioner.factor-sweeps=3"}},
      {"IndefiniteForIncompleteCholesky",
       symmetric + "2 2 3\n1 1 1\n2 1 2\n2 2 1\n",
       3,
       {"IC(0) met the pivot -1.5", "row 1 (counted from 0)"},
       {"--preconditioner", "ic0"}},
      {"StructurallySingularToMatch",
       general + "3 3 4\n1 2 1\n2 2 2\n3 1 3\n3 3 4\n",
       2,
       {"A.mtx: the matrix is structurally singular: row 2"},
       {"--match"}},
      {"CgForAMatchedSystem",
       second_difference(5),
       2,
       {"A.mtx: method: cg needs a symmetric matrix"},
       {"--match", "--method", "cg"}},
      {"SingularMatched", singular, 3, {"ended with", "true residual"}, with({"--match"})},
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
      {"ZeroMatrixForCg",
       general + "2 2 2\n1 1 0\n2 2 0\n",
       3,
       {"cg ended with indefinite"},
       with({"--method", "cg"})},
      {"ZeroMatrixForBiCgStab",
       general + "2 2 2\n1 1 0\n2 2 0\n",
       3,
       {"bicgstab ended with breakdown"},
       with({"--method", "bicgstab"})},
      {"SkewSymmetricForBiCgStab",
       "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n",
       3,
       {"bicgstab ended with"},
       with({"--method", "bicgstab"})},
      {"TooFewIterations",
       second_difference(100),
       3,
       {"max-iterations after 3 iterations", "raise --max-iterations"},
       {"--method", "cg", "--max-iterations", "3"}},
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
       with({"--method", "cg"}),
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
    for (const std::string* said : {&outcome.out, &outcome.err})
      EXPECT_EQ(said->find("nan"), std::string::npos) << *said;
  }
  EXPECT_EQ(here.left_behind(), std::vector<std::string>{});

  // for programs: one object with the same statuses, and the sentence on stderr as before
  arguments.push_back("--json");
  const Outcome json = here.run(arguments);
  EXPECT_EQ(json.status, wrong.status);
  EXPECT_EQ(json.err, outcome.err);
  const Tree t = load_tree(json.out, "json");
  EXPECT_EQ(number_of(t, "exit-status"), wrong.status) << json.out;
  EXPECT_NE(json.err.find(word_of(t, "sentence")), std::string::npos) << json.out;
  EXPECT_GT(word_of(t, "sentence").size(), 20u);
  const std::string status = word_of(t, "status");
  const bool solved = t.find("iterations");  // to no good end
  EXPECT_EQ(solved, has_line(outcome.out, "matrix ")) << json.out;
  if (solved)
    EXPECT_NE(outcome.err.find(" ended with " + status), std::string::npos) << status;
  else
    EXPECT_EQ(status, wrong.status == 2 ? "bad-input" : wrong.status == 3 ? "solve-failed" : "output-failed");
  EXPECT_EQ(here.left_behind(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(All, WrongSystem, testing::ValuesIn(wrong_systems()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace wavesim
