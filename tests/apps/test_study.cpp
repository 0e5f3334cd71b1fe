// wavesim study as a user meets it: files, ranking, interruption, refusals.

#include <gtest/gtest.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "sim/config/config.hpp"
#include "sim/config/tree.hpp"
#include "tests/apps/program.hpp"
#include "tests/apps/system_files.hpp"

namespace wavesim {
namespace {

const char* const drum = R"yaml(# my drum
name: drum
grid: {size: [1, 1], cells: [20, 20]}
shape: {circle: {center: [0.5, 0.5], radius: 0.45}}
medium: {speed: 1}
initial: {velocity: {gaussian: {center: [0.4, 0.5], width: 0.1}}}
time: {courant: 2, steps: 6}   # short
solver: {method: jacobi}       # to be replaced
# what is compared
study:
  at: [1, 5]
  repetitions: 2
  candidates:
    - {methods: [cg, bicgstab], preconditioners: [none, jacobi]}
    - {method: sine-transform}
    - {method: jacobi, max-iterations: 2}
)yaml";

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Cells of a line, quotes resolved.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"')
      cells.back() += line[++k];
    else if (line[k] == '"')
      quoted = !quoted;
    else if (line[k] == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += line[k];
  }
  return cells;
}

/// The columns of a CSV file by their names.
std::map<std::string, std::vector<std::string>> csv(const std::filesystem::path& file) {
  std::istringstream in(text_of(file));
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = cells_of(line);
  std::map<std::string, std::vector<std::string>> columns;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    EXPECT_EQ(cells.size(), names.size()) << line;
    for (std::size_t k = 0; k < names.size() && k < cells.size(); ++k) columns[names[k]].push_back(cells[k]);
  }
  return columns;
}

/// What the program says of a study: iterations, status and residuals of its rows, which timing leaves alone.
std::vector<std::string> lasting(const std::filesystem::path& file) {
  auto columns = csv(file);
  std::vector<std::string> rows(columns["candidate"].size());
  for (const char* name : {"point", "courant", "step", "candidate", "status", "iterations", "bytes",
                           "residual_2", "residual_max", "error_2", "error_max", "message"})
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k] += columns[name][k] + "|";
  return rows;
}

/// The answer of --json: one object, with the sentence of stderr.
void expect_failure(const Outcome& run, const std::string& status) {
  const Tree t = load_tree(run.out, "json");
  EXPECT_EQ(word_of(t, "status"), status) << run.out;
  EXPECT_EQ(number_of(t, "exit-status"), run.status) << run.out;
  EXPECT_NE(run.err.find(word_of(t, "sentence")), std::string::npos) << run.out;
}

TEST(StudyProgram, WritesTheSameNumbersAsCsvAndHdf5) {
  Workplace here;
  here.write("drum.yaml", drum);
  const Outcome run = here.run({"study", "drum.yaml", "--device", "cpu"});
  ASSERT_EQ(run.status, 0) << run.err;
  std::vector<std::string> left = here.left_behind();
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, (std::vector<std::string>{"results", "results/drum-study", "results/drum-study/.files",
                                            "results/drum-study/study.csv", "results/drum-study/study.h5",
                                            "results/drum-study/study.html"}));
  const auto columns = csv(here.folder() / "results/drum-study/study.csv");
  const std::size_t rows = columns.at("step").size();
  EXPECT_EQ(rows, 12u);

  const hid_t file =
      H5Fopen((here.folder() / "results/drum-study/study.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  for (const auto& [name, cells] : columns) {
    const hid_t data = H5Dopen2(file, ("/rows/" + name).c_str(), H5P_DEFAULT);
    ASSERT_GE(data, 0) << name;
    const hid_t type = H5Dget_type(data);
    if (H5Tget_class(type) == H5T_STRING) {
      const std::size_t size = H5Tget_size(type);
      std::string all(size * rows, '\0');
      H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
      for (std::size_t k = 0; k < rows; ++k)
        EXPECT_STREQ(all.substr(k * size, size).c_str(), cells[k].c_str()) << name;
    } else {
      std::vector<double> values(rows);
      H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
      for (std::size_t k = 0; k < rows; ++k) {
        if (cells[k].empty())
          EXPECT_TRUE(std::isnan(values[k])) << name;
        else
          EXPECT_EQ(values[k], std::stod(cells[k])) << name;
      }
    }
    H5Tclose(type);
    H5Dclose(data);
  }
  const hid_t counts = H5Dopen2(file, "/history/count", H5P_DEFAULT);
  std::vector<long> count(rows);
  H5Dread(counts, H5T_NATIVE_LONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, count.data());
  for (std::size_t k = 0; k < rows; ++k)
    EXPECT_EQ(count[k],
              columns.at("status")[k] == "does-not-fit" ? 0 : std::stol(columns.at("iterations")[k]) + 1);
  H5Dclose(counts);
  EXPECT_GT(H5Lexists(file, "config", H5P_DEFAULT), 0);
  for (const char* fact :
       {"name", "device", "wavesim-version", "wavesim-commit", "copy-bandwidth", "command", "date"})
    EXPECT_GT(H5Aexists(file, fact), 0) << fact;
  H5Fclose(file);
}

TEST(StudyProgram, RanksInWordsAndForPrograms) {
  Workplace here;
  here.write("drum.yaml", drum);
  const Outcome run = here.run({"study", "drum.yaml"});
  EXPECT_NE(run.out.find("20 x 20 cells, Courant 2\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find(" is fastest at Courant 2 ("), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("sine-transform does not fit: method: sine-transform is for a rectangle"),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("jacobi max-iterations=2 never converges (max-iterations)"), std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("\nsolver:\n  method: "), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("row 12/12"), std::string::npos) << run.err;

  const Outcome json = here.run({"study", "drum.yaml", "--json", "-q", "--overwrite"});
  EXPECT_EQ(json.err, "");
  const Tree said = load_tree(json.out, "study");
  const Tree& ranking = *said.find("points")->items.at(0).find("ranking");
  ASSERT_EQ(ranking.items.size(), 6u);
  EXPECT_EQ(said.find("best")->scalar, ranking.items[0].find("candidate")->scalar);
  double before = 0;
  for (const Tree& standing : ranking.items)
    if (standing.find("status")->scalar == "converged") {
      EXPECT_GE(std::stod(standing.find("solve-seconds")->scalar), before);
      before = std::stod(standing.find("solve-seconds")->scalar);
    }
  EXPECT_GT(before, 0);
  EXPECT_EQ(ranking.items.back().find("status")->scalar, "does-not-fit");
}

TEST(StudyProgram, LeavesAPageWithItsCommandAndReportMakesItAnew) {
  Workplace here;
  here.write("my drum.yaml", drum);
  const Outcome run =
      here.run({"study", "my drum.yaml", "--device", "cpu", "--set", "study.at=[1, 2]", "--overwrite"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("The page to read and send: results/drum-study/study.html"), std::string::npos)
      << run.out;
  const std::filesystem::path file = here.folder() / "results/drum-study/study.html";
  const std::string page = text_of(file);
  EXPECT_NE(page.find("<pre>wavesim study 'my drum.yaml' --set 'study.at=[1, 2]' --device cpu</pre>"),
            std::string::npos);
  const std::size_t paste = run.out.find("\nsolver:\n");
  ASSERT_NE(paste, std::string::npos);
  const std::string yaml = run.out.substr(paste + 1, run.out.find("\n\n", paste) - paste);
  EXPECT_NE(page.find("<pre>" + yaml + "</pre>"), std::string::npos) << yaml;
  std::filesystem::remove(file);
  const Outcome again = here.run({"report", "results/drum-study"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.out, "results/drum-study/study.html\n");
  EXPECT_EQ(text_of(file), page);
  EXPECT_EQ(here.run({"report", "results/drum-study/study.h5", "--output", "other.html", "-q"}).status, 0);
  EXPECT_EQ(text_of(here.folder() / "other.html"), page);
}

TEST(StudyProgram, PutsTheBestSolverIntoAConfigAndLeavesTheRestAsItIs) {
  Workplace here;
  here.write("drum.yaml", drum);
  ASSERT_EQ(here.run({"study", "drum.yaml", "-q", "--write", "new.yaml"}).status, 0);
  const std::string before = drum, after = text_of(here.folder() / "new.yaml");
  const std::string line = "solver: {method: jacobi}       # to be replaced\n";
  const std::size_t at = before.find(line);
  EXPECT_EQ(after.substr(0, at), before.substr(0, at));
  const std::string tail = before.substr(at + line.size());
  ASSERT_GT(after.size(), tail.size());
  EXPECT_EQ(after.substr(after.size() - tail.size()), tail);
  const std::string method = read_config(here.folder() / "new.yaml").solver.method;
  EXPECT_TRUE(method == "cg" || method == "bicgstab") << method;

  // into a config that is there and has no solver yet; its last line ends without a line end
  std::string bare = before;
  bare.replace(at, line.size(), "");
  bare.pop_back();
  here.write("bare.yaml", bare);
  ASSERT_EQ(here.run({"study", "drum.yaml", "-q", "--overwrite", "--write", "bare.yaml"}).status, 0);
  EXPECT_EQ(text_of(here.folder() / "bare.yaml").rfind(bare + "\nsolver:\n  method: ", 0), 0u);
}

TEST(StudyProgram, DoesNotWriteAConfigThatWouldLookForItsFilesElsewhere) {
  Workplace here;
  std::string text = drum;
  text.replace(text.find("{speed: 1}"), 10, "{speed: {file: speed.h5, dataset: /speed}}");
  here.write("drum.yaml", text);
  std::filesystem::create_directory(here.folder() / "other");
  const hid_t file = H5Fcreate((here.folder() / "speed.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t shape[2] = {21, 21};
  const hid_t space = H5Screate_simple(2, shape, nullptr);
  const hid_t data =
      H5Dcreate2(file, "speed", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const std::vector<double> speed(21 * 21, 1.5);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, speed.data());
  H5Dclose(data);
  H5Sclose(space);
  H5Fclose(file);
  const Outcome run = here.run({"study", "drum.yaml", "-q", "--write", "other/new.yaml"});
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("other/new.yaml: the config would mean something else there"), std::string::npos)
      << run.err;
  EXPECT_EQ(here.run({"study", "drum.yaml", "-q", "--write", "new.yaml"}).status, 0);
}

/// Starts a study that takes its time and stops it after some rows.
Outcome stopped(const Workplace& here) {
  return here.run({"study", "drum.yaml", "--json", "--device", "cpu", "--set", "study.repetitions=300",
                   "--set", "study.at=[1, 2, 3, 4, 5, 6]"},
                  {}, [&](pid_t child) {
                    const std::filesystem::path journal = here.folder() / "results/drum-study/study.partial";
                    const auto lines = [&] {
                      const std::string text = text_of(journal);
                      return std::count(text.begin(), text.end(), '\n');
                    };
                    for (int k = 0; k < 4000 && lines() < 4; ++k)
                      std::this_thread::sleep_for(std::chrono::milliseconds(2));
                    kill(child, SIGINT);
                  });
}

TEST(StudyProgram, KeepsItsRowsWhenInterruptedAndGoesOnWithThem) {
  Workplace here;
  here.write("drum.yaml", drum);
  const Outcome cut = stopped(here);
  ASSERT_EQ(cut.status, 130) << cut.err;
  expect_failure(cut, "stopped");
  EXPECT_NE(cut.err.find("go on with --resume"), std::string::npos) << cut.err;
  EXPECT_FALSE(std::filesystem::exists(here.folder() / "results/drum-study/study.csv"));
  const std::string kept = text_of(here.folder() / "results/drum-study/study.partial");
  const long rows = std::count(kept.begin(), kept.end(), '\n') - 1;
  EXPECT_GE(rows, 3);
  EXPECT_LT(rows, 36);

  const std::vector<std::string> same{"study",    "drum.yaml",
                                      "--device", "cpu",
                                      "--set",    "study.repetitions=300",
                                      "--set",    "study.at=[1, 2, 3, 4, 5, 6]"};
  const Outcome blunt = here.run(same);
  EXPECT_EQ(blunt.status, 2);
  EXPECT_NE(blunt.err.find("go on with --resume, or start anew with --overwrite"), std::string::npos)
      << blunt.err;
  const Outcome other = here.run({"study", "drum.yaml", "--device", "cpu", "--resume"});
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(other.err.find("belongs to a study with another config"), std::string::npos) << other.err;
  EXPECT_EQ(text_of(here.folder() / "results/drum-study/study.partial"), kept);

  // a line that a killed process left half-written is no row
  std::ofstream(here.folder() / "results/drum-study/study.partial", std::ios::app) << "0\t20\t20\t2\t";
  std::vector<std::string> resume = same;
  resume.push_back("--resume");
  const Outcome rest = here.run(resume);
  ASSERT_EQ(rest.status, 0) << rest.err;
  EXPECT_NE(rest.err.find(std::to_string(rows) + " of them are there already"), std::string::npos)
      << rest.err;
  EXPECT_FALSE(std::filesystem::exists(here.folder() / "results/drum-study/study.partial"));

  std::vector<std::string> whole = same;
  whole.insert(whole.end(), {"--output", "whole"});
  ASSERT_EQ(here.run(whole).status, 0);
  EXPECT_EQ(lasting(here.folder() / "results/drum-study/study.csv"),
            lasting(here.folder() / "whole/drum-study/study.csv"));
  // rows of before the interruption are kept to the last digit of their times
  const std::string first = kept.substr(kept.find('\n') + 1);
  const auto columns = csv(here.folder() / "results/drum-study/study.csv");
  EXPECT_NE(first.find("\t" + columns.at("solve_seconds")[0] + "\t"), std::string::npos);
}

TEST(StudyProgram, RefusesInOneSentence) {
  Workplace here;
  here.write("drum.yaml", drum);
  here.write("none.yaml", std::string(drum).substr(0, std::string(drum).find("study:")));
  here.write("flow.yaml", "{grid: {size: [1, 1], cells: [4, 4]}, medium: {speed: 1}, time: {steps: 1}}\n");
  const auto says = [&](const std::vector<std::string>& words, const std::vector<std::string>& pieces) {
    const Outcome run = here.run(words);
    EXPECT_EQ(run.status, 2) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    for (const std::string& piece : pieces)
      EXPECT_NE(run.err.find(piece), std::string::npos) << piece << " is not in " << run.err;
    std::vector<std::string> for_programs = words;
    for_programs.push_back("--json");
    const Outcome json = here.run(for_programs);
    EXPECT_EQ(json.status, 2);
    EXPECT_EQ(json.err, run.err);
    expect_failure(json, "bad-input");
  };
  says({"study", "none.yaml"}, {"none.yaml: there is no section 'study'", "candidates: all"});
  says({"study", "drum.yaml", "--set", "study.at=[7]"},
       {"drum.yaml:10:1:", "names step 7, and the run has 6"});
  says({"study", "drum.yaml", "--set", "study.candidates.0.methods=[gc]"}, {"'gc'", "did you mean 'cg'?"});
  says({"study", "drum.yaml", "--set", "time.scheme=explicit", "--set", "time.courant=0.5"},
       {"scheme explicit has no systems to study"});
  says({"study", "drum.yaml", "--resume"}, {"holds no study that was stopped"});
  says({"study", "drum.yaml", "--resume", "--overwrite"}, {"--resume"});
  says({"study", "drum.yaml", "--write", "nowhere/new.yaml"}, {"there is no folder nowhere"});
  says({"study", "drum.yaml", "--write", "flow.yaml"}, {"flow.yaml:1:2:", "do not each begin a line"});
  EXPECT_EQ(here.left_behind(), std::vector<std::string>{});
  ASSERT_EQ(here.run({"study", "drum.yaml", "-q"}).status, 0);
  says({"study", "drum.yaml"}, {"there is a result already", "--overwrite"});
}

TEST(StudyProgram, EndsWithStatus4WhenItsRowsCannotBeWritten) {
  Workplace here;
  here.write("drum.yaml", drum);
  const Outcome run = here.run({"study", "drum.yaml", "-q", "--device", "cpu"}, [] {
    signal(SIGXFSZ, SIG_IGN);  // write() then fails with EFBIG
    const rlimit limit{4000, 4000};
    setrlimit(RLIMIT_FSIZE, &limit);
  });
  EXPECT_EQ(run.status, 4) << run.err;
  EXPECT_NE(run.err.find("results/drum-study/study.partial"), std::string::npos) << run.err;
  EXPECT_FALSE(std::filesystem::exists(here.folder() / "results/drum-study/study.csv"));
  // the rows before that are good
  EXPECT_EQ(here.run({"study", "drum.yaml", "-q", "--device", "cpu", "--resume"}).status, 0);
}

TEST(StudyProgram, EndsWithStatus3WhenItsOwnRunFails) {
  Workplace here;
  here.write("drum.yaml", drum);
  const Outcome run = here.run({"study", "drum.yaml", "-q", "--json", "--set", "solver.tolerance=0.1",
                                "--set", "study.reference-tolerance=1e-30"});
  EXPECT_EQ(run.status, 3);
  expect_failure(run, "solve-failed");
  EXPECT_NE(run.err.find("loosen study.reference-tolerance"), std::string::npos) << run.err;
}

TEST(StudyProgram, RunsTheExampleOfTheDocuments) {
  Workplace here;
  const std::string config = WAVESIM_SOURCE_DIR "/configs/drum_study.yaml";
  const Outcome run =
      here.run({"study", config, "--set", "grid.cells=[24, 24]", "--set", "study.repetitions=1", "--set",
                "study.at=[1, 3]", "--set", "study.sweep.courant=[1, 10]"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find(" is fastest "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("24 x 24 cells, Courant 10\n"), std::string::npos) << run.out;
}

TEST(StudyProgram, StudiesTheMarmousiShot) {
  const std::string folder = WAVESIM_SOURCE_DIR "/configs/";
  const std::string data = WAVESIM_SOURCE_DIR "/../shared/data";
  if (!std::filesystem::exists(data + "/marmousi_vp.h5"))
    GTEST_SKIP() << "the file of speeds that configs/marmousi_study.yaml names is not there";
  Workplace here;
  const Outcome run =
      here.run({"study", folder + "marmousi_study.yaml", "--data", data, "--device", "cpu", "--set",
                "grid.cells=[46, 15]", "--set", "study.repetitions=1", "--set", "study.warm-up=0", "--set",
                "time.steps=4", "--set", "study.at=[2, 4]", "--set", "study.sweep.courant=[1, 50]"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("46 x 15 cells, Courant 50\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("cg+jacobi guess=projection-4 "), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("does not fit"), std::string::npos) << "a candidate that nobody can take\n"
                                                             << run.out;
}

TEST(StudyProgram, DoesNotDisturbARunOfTheSameConfig) {
  Workplace here;
  here.write("drum.yaml", drum);
  EXPECT_EQ(here.run({"drum.yaml", "-q"}).status, 0);
}

}  // namespace
}  // namespace wavesim
