// `wavesim modes` as a user meets it.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/apps/program.hpp"
#include "tests/apps/system_files.hpp"

namespace wavesim {
namespace {

namespace fs = std::filesystem;

const std::string square =
    "name: square\ngrid: {size: [1, 1], cells: [20, 20]}\nmedium: {speed: 100}\ntime: {end: 0.1}\n"
    "output: {fields: {precision: double}, pictures: {width: 200}}\n";

std::string text_of(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// 4/h^2 (sin^2 + sin^2) at c = 100 m/s, in Hz
double frequency_of_square(int i, int j) {
  const auto axis = [](int k) { return 4 * 400 * std::pow(std::sin(M_PI * k / 40), 2); };
  return 100 * std::sqrt(axis(i) + axis(j)) / (2 * M_PI);
}

TEST(ModesProgram, WritesTableFileAndPicturesOfAConfig) {
  const Workplace place;
  place.write("square.yaml", square);
  const Outcome o = place.run({"modes", "square.yaml", "--count", "3", "--device", "cpu"});
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_NE(o.out.find("converged"), std::string::npos) << o.out;
  const fs::path result = place.folder() / "results/square_modes";
  for (const char* file : {"square_modes.vtkhdf", "square_modes.csv", "pictures/square_modes_000001.png",
                           "pictures/square_modes_000003.png"})
    EXPECT_TRUE(fs::is_regular_file(result / file)) << file;
  std::istringstream rows(text_of(result / "square_modes.csv"));
  std::string row;
  std::getline(rows, row);
  EXPECT_EQ(row, "mode,eigenvalue,frequency,residual");
  const double expected[] = {frequency_of_square(1, 1), frequency_of_square(1, 2), frequency_of_square(1, 2)};
  for (int k = 0; k < 3; ++k) {
    double mode = 0, value = 0, frequency = 0, residual = 0;
    std::getline(rows, row);
    ASSERT_EQ(std::sscanf(row.c_str(), "%lf,%lf,%lf,%lf", &mode, &value, &frequency, &residual), 4) << row;
    EXPECT_EQ(mode, k + 1);
    EXPECT_NEAR(frequency / expected[k], 1, 1e-10);
    EXPECT_NEAR(value, std::pow(2 * M_PI * frequency, 2), 1e-9 * value);
    EXPECT_LE(residual, 1e-8);
  }
  // Like a run's: not replaced unasked, and drawn again by render.
  const Outcome again = place.run({"modes", "square.yaml"});
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.err.find("--overwrite"), std::string::npos) << again.err;
  EXPECT_EQ(place.run({"modes", "square.yaml", "--count", "2", "--overwrite", "--set", "grid.cells=[16, 16]"})
                .status,
            0);
  EXPECT_FALSE(fs::exists(result / "pictures/square_modes_000003.png"));
  EXPECT_EQ(place.run({"render", "results/square_modes", "--contact-sheet", "2"}).status, 0);
  const Outcome report = place.run({"report", "results/square_modes"});
  EXPECT_EQ(report.status, 2);
  EXPECT_NE(report.err.find("holds modes"), std::string::npos) << report.err;
}

TEST(ModesProgram, WritesWhatReceiversReadOfEachMode) {
  const Workplace place;
  place.write("square.yaml",
              square +
                  "receivers:\n  - {name: centre, at: [0.5, 0.5]}\n  - {name: 'rim, left', at: "
                  "[0, 0.5]}\n  - {name: line, from: [0.25, 0.51], to: [0.75, 0.51], count: 2}\n");
  const Outcome o = place.run({"modes", "square.yaml", "--count", "1", "--device", "cpu"});
  ASSERT_EQ(o.status, 0) << o.err;
  std::istringstream rows(text_of(place.folder() / "results/square_modes/square_modes.csv"));
  std::string row;
  std::getline(rows, row);
  EXPECT_EQ(row, "mode,eigenvalue,frequency,residual,centre,\"rim, left\",line[0],line[1]");
  std::getline(rows, row);
  double v[4] = {};
  ASSERT_EQ(std::sscanf(row.c_str(), "1,%*f,%*f,%*f,%lf,%lf,%lf,%lf", &v[0], &v[1], &v[2], &v[3]), 4) << row;
  EXPECT_NEAR(v[0], 1, 1e-7);  // sin(pi x) sin(pi y)
  EXPECT_EQ(v[1], 0);
  const double beside = std::sin(M_PI / 4) * (0.8 + 0.2 * std::sin(M_PI * 0.55));  // 0.51 between nodes
  EXPECT_NEAR(v[2], beside, 1e-7);
  EXPECT_NEAR(v[3], beside, 1e-7);
}

TEST(ModesProgram, AnswersInJsonAndWritesVectorsOfMatrices) {
  const Workplace place;
  place.write("A.mtx", second_difference(30));
  place.write(
      "B.mtx", general + "30 30 30\n" + [] {
        std::string rows;
        for (int i = 1; i <= 30; ++i) rows += std::to_string(i) + " " + std::to_string(i) + " 2\n";
        return rows;
      }());
  for (const bool with_mass : {false, true}) {
    std::vector<std::string> words{"modes", "A.mtx"};
    if (with_mass) words.emplace_back("B.mtx");
    for (const char* w :
         {"--count", "2", "--json", "--vectors", "x.mtx", "--table", "t.csv", "--device", "cpu"})
      words.emplace_back(w);
    const Outcome o = place.run(words);
    ASSERT_EQ(o.status, 0) << o.err;
    const Tree answer = load_tree(o.out, "answer");
    EXPECT_EQ(word_of(answer, "status"), "converged");
    const Tree* modes = answer.find("modes");
    ASSERT_TRUE(modes && modes->items.size() == 2);
    for (int k = 1; k <= 2; ++k)
      EXPECT_NEAR(number_of(modes->items[std::size_t(k - 1)], "eigenvalue"),
                  4 * std::pow(std::sin(M_PI * k / 62), 2) / (with_mass ? 2 : 1), 1e-12);
    EXPECT_EQ(text_of(place.folder() / "x.mtx").find("%%MatrixMarket matrix array real general\n30 2\n"), 0u);
    fs::remove(place.folder() / "x.mtx");
    std::istringstream table(text_of(place.folder() / "t.csv"));
    std::string row;
    std::getline(table, row);
    EXPECT_EQ(row, "mode,eigenvalue,frequency,residual");
    for (int k = 1; k <= 2; ++k) {
      double mode = 0, value = 0, frequency = 0, residual = 1;
      std::getline(table, row);
      ASSERT_EQ(std::sscanf(row.c_str(), "%lf,%lf,%lf,%lf", &mode, &value, &frequency, &residual), 4) << row;
      EXPECT_EQ(mode, k);
      EXPECT_EQ(value, number_of(modes->items[std::size_t(k - 1)], "eigenvalue"));
      EXPECT_NEAR(frequency, std::sqrt(value) / (2 * M_PI), 1e-14);
      EXPECT_LE(residual, 1e-8);
    }
    EXPECT_FALSE(std::getline(table, row));
    fs::remove(place.folder() / "t.csv");
  }
}

TEST(ModesProgram, EndsWithThreeWithoutConvergenceAndWritesNothing) {
  const Workplace place;
  place.write("square.yaml", square);
  place.write("A.mtx", second_difference(200));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"modes", "square.yaml", "--most", "1"},
        {"modes", "A.mtx", "--most", "2", "--preconditioner", "none", "--vectors", "x.mtx", "--table",
         "t.csv"}}) {
    const Outcome o = place.run(words);
    EXPECT_EQ(o.status, 3) << o.err;
    for (const char* piece : {"met the tolerance 1e-08", "--most", "nothing is written"})
      EXPECT_NE(o.err.find(piece), std::string::npos) << o.err;
    EXPECT_TRUE(place.left_behind().empty());
  }
}

TEST(ModesProgram, SaysWhatIsWrong) {
  const Workplace place;
  place.write("square.yaml", square);
  place.write("pml.yaml", square + "edges: absorbing\n");
  place.write("A.mtx", second_difference(10));
  place.write("small.mtx", second_difference(5));
  place.write("skew.mtx", general + "2 2 4\n1 1 1\n1 2 1\n2 1 5\n2 2 1\n");
  place.write("wide.mtx", general + "2 3 2\n1 1 1\n2 2 1\n");
  place.write(
      "negative.mtx",
      general + "10 10 10\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n5 5 -1\n6 6 1\n7 7 1\n8 8 1\n9 9 1\n10 10 1\n");
  struct Wrong {
    std::vector<std::string> words;
    int status;
    std::vector<const char*> says;
  };
  const std::vector<Wrong> all{
      {{"missing.yaml"}, 2, {"missing.yaml"}},
      {{"square.yaml", "--count", "500"}, 2, {"square.yaml: --count 500", "361", "unknowns"}},
      {{"square.yaml", "--count", "9", "--block", "4"}, 2, {"--block 4", "9 modes need as large a block"}},
      {{"square.yaml", "--tolerance", "2"}, 2, {"--tolerance has to be"}},
      {{"square.yaml", "--preconditioner", "multigird"}, 2, {"unknown name 'multigird'", "multigrid"}},
      {{"square.yaml", "--preconditioner", "ilu0"},
       2,
       {"lobpcg needs a symmetric positive definite preconditioner"}},
      {{"square.yaml", "--set", "precision=single"}, 2, {"double precision", "--set precision=double"}},
      {{"square.yaml", "A.mtx"}, 2, {"A.mtx: a second file goes with a matrix"}},
      {{"square.yaml", "--vectors", "x.mtx"}, 2, {"--vectors goes with a matrix"}},
      {{"square.yaml", "--table", "t.csv"}, 2, {"--table goes with a matrix", "NAME_modes.csv"}},
      {{"square.yaml", "--option", "block=4", "--preconditioner", "jacobi"},
       2,
       {"'block' is no option of preconditioner: jacobi"}},
      {{"pml.yaml"}, 2, {"perfectly matched layers"}},
      {{"A.mtx", "--set", "name=x"}, 2, {"--set is for the modes of a config"}},
      {{"A.mtx", "small.mtx"}, 2, {"small.mtx: it has 5 rows", "has 10"}},
      {{"A.mtx", "--option", "shift=1"}, 2, {"name it with --preconditioner"}},
      {{"A.mtx", "--preconditioner", "multigrid"}, 2, {"A.mtx: preconditioner: multigrid is for"}},
      {{"skew.mtx"}, 2, {"skew.mtx: modes are of symmetric matrices"}},
      {{"wide.mtx"}, 2, {"wide.mtx: modes are of square matrices", "2 rows and 3 columns"}},
      {{"A.mtx", "negative.mtx"}, 3, {"0 of 6 modes", "(indefinite)", "M is not positive definite"}},
      {{"A.mtx", "--vectors", "nowhere/x.mtx"}, 4, {"there is no folder nowhere"}},
      {{"A.mtx", "--table", "nowhere/t.csv"}, 4, {"there is no folder nowhere"}},
  };
  for (const Wrong& w : all) {
    std::vector<std::string> words{"modes"};
    words.insert(words.end(), w.words.begin(), w.words.end());
    const Outcome o = place.run(words);
    EXPECT_EQ(o.status, w.status) << w.words[0] << " " << w.words.back() << ": " << o.err;
    for (const char* piece : w.says)
      EXPECT_NE(o.err.find(piece), std::string::npos) << "no \"" << piece << "\" in: " << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    EXPECT_TRUE(place.left_behind().empty()) << w.words.back();
  }
}

}  // namespace
}  // namespace wavesim
