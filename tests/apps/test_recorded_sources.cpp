// What the receivers of one run recorded, played by another.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/apps/program.hpp"

namespace wavesim {
namespace {

const std::string room =
    "grid: {size: [1, 1], cells: [100, 100]}\nmedium: {speed: 1}\nedges: absorbing\n"
    "time: {scheme: explicit, courant: 0.7, end: 1.2}\noutput: {fields: {every: 20}}\n";

const std::string click = "name: click\n" + room +
                          "sources: [{at: [0.4, 0.45], ricker: {frequency: 8, delay: 0.15}}]\n"
                          "receivers:\n  - {name: s, from: [0.1, 0.1], to: [0.9, 0.1], count: 41}\n"
                          "  - {name: n, from: [0.1, 0.9], to: [0.9, 0.9], count: 41}\n"
                          "  - {name: w, from: [0.1, 0.12], to: [0.1, 0.88], count: 39}\n"
                          "  - {name: e, from: [0.9, 0.12], to: [0.9, 0.88], count: 39}\n";

/// Rows of time and the columns of the receivers.
std::vector<std::vector<double>> recorded(const std::filesystem::path& csv) {
  std::ifstream in(csv);
  std::string line;
  std::getline(in, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::strtod(cell.c_str(), nullptr));
    row.erase(row.begin());  // the step
    rows.push_back(row);
  }
  return rows;
}

TEST(RecordedSources, PlayedBackwardsMeetWhereTheWaveCameFrom) {
  Workplace here;
  here.write("click.yaml", click);
  here.write("back.yaml",
             "name: back\n" + room +
                 "sources: [{recorded: {file: click.vtkhdf, backwards: true}}]\n"
                 "receivers: [{at: [0.4, 0.45]}, {at: [0.55, 0.45]}, {at: [0.4, 0.6]}, {at: [0.7, 0.7]}]\n");
  ASSERT_EQ(here.run({"click.yaml", "--quiet", "--device", "cpu"}).status, 0);
  const Outcome back = here.run({"back.yaml", "--quiet", "--device", "cpu", "--data", "results/click"});
  ASSERT_EQ(back.status, 0) << back.err;
  std::vector<double> most(5), when(5);
  for (const auto& row : recorded(here.folder() / "results/back/back_receivers.csv"))
    for (std::size_t k = 1; k < 5; ++k)
      if (std::abs(row[k]) > most[k]) most[k] = std::abs(row[k]), when[k] = row[0];
  EXPECT_NEAR(when[1], 1.2 - 0.15, 0.02);
  for (std::size_t k = 2; k < 5; ++k) EXPECT_GT(most[1], 2.5 * most[k]) << k;
}

TEST(RecordedSources, AreRefusedWhereThereIsNothingToPlay) {
  Workplace here;
  here.write("silent.yaml", "name: silent\n" + room + "initial: {displacement: \"x\"}\n");
  ASSERT_EQ(here.run({"silent.yaml", "--quiet", "--device", "cpu", "--set", "time.end=0.05"}).status, 0);
  const auto refusal = [&](const std::string& source) {
    here.write("wrong.yaml", "name: wrong\n" + room + "sources: [" + source + "]\n");
    const Outcome o = here.run({"wrong.yaml", "--quiet", "--device", "cpu", "--data", "results/silent"});
    EXPECT_EQ(o.status, 2) << source;
    return o.err;
  };
  EXPECT_NE(
      refusal("{recorded: {file: silent.vtkhdf}}").find("there is no dataset /wavesim/receivers/positions"),
      std::string::npos);
  EXPECT_NE(refusal("{recorded: {file: none.vtkhdf}}").find("there is no file"), std::string::npos);
  EXPECT_NE(
      refusal("{at: [0, 0], recorded: {file: none.vtkhdf}}").find("'recorded' brings places and signals"),
      std::string::npos);
  EXPECT_NE(refusal("{at: [0.5, 0.5]}").find("has no signal; add one of ricker"), std::string::npos);
}

}  // namespace
}  // namespace wavesim
