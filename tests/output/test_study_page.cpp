// The page of a study, as text: what is on it, what is not, how long it gets. What a browser makes of it:
// tests/python/study_in_chromium.py.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <study_page_texts.hpp>

#include "output/study/study_page.hpp"
#include "output/study/study_table.hpp"
#include "sim/config/tree.hpp"
#include "tests/output/fresh_folder.hpp"

namespace wavesim::testing {
namespace {

StudyRow row(long point, long cells, double courant, long step, const std::string& candidate,
             double seconds = 1e-3) {
  StudyRow r;
  r.point = point;
  r.cells_x = r.cells_y = cells;
  r.courant = courant;
  r.step = step;
  r.time = 0.25 * courant * double(step);
  r.candidate = r.method = candidate;
  r.status = "converged";
  r.preconditioner = r.format = r.precision = r.guess = r.norm = "word";
  r.iterations = 2;
  r.solve_seconds = r.least_seconds = seconds;
  r.setup_seconds = r.iteration_seconds = r.bandwidth_share = r.memory_bytes = seconds / 3;
  r.tolerance = r.residual_2 = r.residual_max = r.error_2 = r.error_max = 1e-7;
  r.history = {1, 0.1, 1e-7};
  return r;
}

StudyRow failed(StudyRow r, const std::string& status, const std::string& message) {
  r.status = status;
  r.message = message;
  if (status == "does-not-fit") r.solve_seconds = std::numeric_limits<double>::quiet_NaN();
  return r;
}

const StudyFacts facts{"name: drum\nshape: a < b\n",
                       "solver:\n  method: cg\n",
                       {{"name", "drum & co"},
                        {"command", "wavesim study 'my drum.yaml' --device cuda"},
                        {"wavesim-version", "1.2.3"},
                        {"wavesim-commit", "abcdef"},
                        {"compiler", "GNU 12"},
                        {"device", "NVIDIA H200"},
                        {"copy-bandwidth", "3.5e12"}}};

bool has(const std::string& page, const std::string& piece) { return page.find(piece) != std::string::npos; }

/// The data of the page's script.
std::string data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return page.substr(from, page.find("</script>", from) - from);
}

TEST(StudyPage, HasTheAnswerTheSolverCommandVersionsAndConfig) {
  const std::string page = study_page(facts, {row(0, 10, 1, 1, "cg"), row(0, 10, 1, 1, "idr", 2e-3)});
  for (const char* piece :
       {"<title>drum &amp; co: which solver?</title>", "cg is fastest at Courant 1 (1 ms a solve).",
        "method: cg\n</pre>", "wavesim study 'my drum.yaml' --device cuda", "1.2.3", "abcdef", "GNU 12",
        "NVIDIA H200", "3.5 TB a second", "shape: a &lt; b",
        "<td data-v=\"0.002\" data-name=\"solve\">2 ms</td><td data-v=\"2\" data-name=\"× fastest\">2</td>"})
    EXPECT_TRUE(has(page, piece)) << piece;
}

TEST(StudyPage, HasNoSectionWithoutData) {
  const auto sections = [](const std::vector<StudyRow>& rows) {
    const std::string page = study_page(facts, rows);
    std::string found;
    for (const char* id :
         {"winners", "multiples", "by-courant", "by-size", "by-step", "residuals", "failures"})
      if (has(page, std::string("<section id=\"") + id + "\"")) {
        EXPECT_TRUE(has(page, std::string("href=\"#") + id + "\"")) << id;
        found += std::string(id) + " ";
      } else {
        EXPECT_FALSE(has(page, std::string("href=\"#") + id + "\"")) << id;
      }
    return found;
  };
  const bool plots = *page::chart_library;
  StudyRow bare = row(0, 10, 1, 1, "cg");
  bare.history.clear();
  EXPECT_EQ(sections({bare}), "");
  EXPECT_EQ(sections({row(0, 10, 1, 1, "cg")}), plots ? "residuals " : "");
  EXPECT_EQ(sections({bare, failed(bare, "does-not-fit", "why")}), "failures ");
  EXPECT_EQ(sections({row(0, 10, 1, 1, "cg"), row(0, 10, 1, 4, "cg")}), plots ? "by-step residuals " : "");
  EXPECT_EQ(sections({row(0, 10, 1, 1, "cg"), row(1, 10, 5, 1, "cg")}),
            plots ? "winners multiples by-courant residuals " : "winners multiples ");
  EXPECT_EQ(sections({row(0, 10, 1, 1, "cg"), row(1, 20, 1.001, 1, "cg")}),
            plots ? "winners multiples by-size residuals " : "winners multiples ");
}

TEST(StudyPage, MapsTheWinnersByCourantNumberAndGrid) {
  const std::string page = study_page(
      facts, {row(0, 10, 1, 1, "cg", 1e-3), row(0, 10, 1, 1, "idr", 2e-3), row(1, 10, 5, 1, "cg", 4e-3),
              row(1, 10, 5, 1, "idr", 3e-3), row(2, 20, 1.002, 1, "cg", 1e-2),
              row(2, 20, 1.002, 1, "idr", 5e-2), failed(row(3, 20, 5, 1, "cg"), "stagnated", "why"),
              failed(row(3, 20, 5, 1, "idr"), "stagnated", "why")});
  const std::size_t from = page.find("<table class=\"winners\">");
  const std::string map = page.substr(from, page.find("</table>", from) - from);
  const std::size_t one = map.find("<th scope=\"row\">1</th>"), five = map.find("<th scope=\"row\">5</th>");
  ASSERT_LT(one, five);
  EXPECT_TRUE(has(map, "10 × 10 cells</th><th scope=\"col\">20 × 20 cells")) << map;
  const std::string first = map.substr(one, five - one), second = map.substr(five);
  EXPECT_TRUE(has(first, "<strong>cg</strong> 1 ms <small>then idr, 2×</small>")) << first;
  EXPECT_TRUE(has(first, "<strong>cg</strong> 10 ms <small>then idr, 5×</small>")) << first;
  EXPECT_TRUE(has(second, "<strong>idr</strong> 3 ms <small>then cg, 1.33×</small>")) << second;
  EXPECT_TRUE(has(second, "<td>none converges</td>")) << second;
}

TEST(StudyPage, CarriesTheRowsToTheLastDigitAndNoMarkOfAScript) {
  StudyRow strange = row(0, 10, 1, 1, "</script><!-- \"a\\b\"\n\t", 1.0 / 3);
  strange.bytes = std::numeric_limits<double>::infinity();
  const std::string page = study_page(facts, {row(0, 10, 1, 1, "cg"), strange});
  EXPECT_FALSE(has(data_of(page), "<"));
  EXPECT_TRUE(has(page, "&lt;/script&gt;"));
  const Tree data = load_tree(data_of(page), "data");
  const Tree& names = *data.find("columns")->find("candidate")->find("texts");
  EXPECT_EQ(names.items.at(1).scalar, strange.candidate);
  EXPECT_EQ(std::stod(data.find("columns")->find("solve_seconds")->items.at(1).scalar), 1.0 / 3);
  EXPECT_EQ(data.find("columns")->find("bytes")->items.at(1).is, Tree::Is::nothing);
  EXPECT_EQ(data.find("columns")->keys.size(), study_columns().size());
  EXPECT_EQ(data.find("points")->items.at(0).find("dt")->scalar, "0.25");
}

// A history of n + 1 values is drawn by its values at 0, stride, 2 stride, ... and n.
TEST(StudyPage, StaysBelow3MegabytesAndSaysWhatItLeftOut) {
  std::vector<StudyRow> rows;
  for (long point = 0; point < 12; ++point)
    for (long step = 1; step <= 2; ++step)
      for (int c = 0; c < 40; ++c) {
        StudyRow r = row(point, 10 + point / 6, 1 + double(point % 6), step, "candidate-" + std::to_string(c),
                         1e-3 / 7 * (c + 1));
        r.history.resize(2001);
        for (std::size_t k = 0; k < r.history.size(); ++k) r.history[k] = std::exp(-double(k) / 100) / 3;
        r.iterations = 2000;
        rows.push_back(r);
      }
  const std::string page = study_page(facts, rows);
  EXPECT_LT(page.size(), 3'000'000u);
  EXPECT_GT(page.size(), 1'000'000u) << "less than it could be";
  const Tree data = load_tree(data_of(page), "data");
  const Tree& histories = *data.find("histories");
  const long stride = std::stol(histories.find("stride")->items.at(7).scalar);
  const Tree& values = histories.find("values")->items.at(7);
  ASSERT_GT(stride, 1);
  EXPECT_EQ(long(values.items.size()), (2000 + stride - 1) / stride + 1);
  EXPECT_NEAR(std::stod(values.items[1].scalar), std::exp(-double(stride) / 100) / 3, 1e-3);
  EXPECT_NEAR(std::stod(values.items.back().scalar), std::exp(-20.0) / 3, 1e-11);
  EXPECT_EQ(has(page, "values a curve"), *page::chart_library != 0);

  // eight times as many rows
  std::vector<StudyRow> many;
  for (int k = 0; k < 8; ++k)
    for (StudyRow r : rows) {
      r.step += 2 * k;
      r.history.resize(300);
      many.push_back(r);
    }
  EXPECT_LT(study_page(facts, many).size(), 3'000'000u);
}

TEST(StudyPage, IsWholeWithoutANetworkAndKeepsTheLicenceOfWhatItCarries) {
  const std::string page = study_page(facts, {row(0, 10, 1, 1, "cg")});
  EXPECT_TRUE(has(page, "content=\"default-src 'none';"));
  for (const char* loads : {"src=", "@import", "<link", "url("})
    EXPECT_EQ(page.substr(0, page.find("<script>")).find(loads), std::string::npos) << loads;
  if (*page::chart_library) {
    EXPECT_TRUE(has(page, "Released under the MIT License"));
    EXPECT_TRUE(has(page, "Permission is hereby granted, free of charge"));
    EXPECT_FALSE(has(page, "libjs-chart.js"));
  } else {
    EXPECT_TRUE(
        has(page, "install libjs-chart.js, build again, and wavesim report FOLDER makes this page anew"));
    EXPECT_FALSE(has(page, "<script>"));
  }
}

TEST(StudyFiles, ReadBackWhatTheyWereGiven) {
  const FreshFolder folder;
  const std::vector<StudyRow> rows{row(0, 10, 1, 1, "cg"),
                                   failed(row(0, 10, 1, 1, "sine, \"x\""), "does-not-fit", "a\nb"),
                                   row(1, 20, 5, 3, "idr", 1.0 / 3)};
  EXPECT_FALSE(is_study(folder.path));
  write_study(folder.path, facts, rows);
  EXPECT_TRUE(is_study(folder.path));
  EXPECT_TRUE(is_study(folder.path / "study.h5"));
  const Study back = read_study(folder.path);
  EXPECT_EQ(back.facts.config, facts.config);
  EXPECT_EQ(back.facts.best, facts.best);
  EXPECT_EQ(back.facts.facts, facts.facts);
  ASSERT_EQ(back.rows.size(), rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const StudyColumn& c : study_columns()) EXPECT_EQ(cell(back.rows[k], c), cell(rows[k], c)) << c.name;
    EXPECT_EQ(back.rows[k].history, rows[k].history);
  }
  EXPECT_EQ(study_page(back.facts, back.rows), content(folder.path / "study.html"));
}

TEST(StudyFiles, RefuseInOneSentenceWhatIsNoStudy) {
  const FreshFolder folder;
  const auto said = [](const std::filesystem::path& p) {
    try {
      read_study(p);
    } catch (const std::exception& e) {
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  EXPECT_TRUE(has(said(folder.path), "there is no such study; check the name"));
  std::ofstream(folder.path / "study.h5") << "no HDF5";
  EXPECT_TRUE(has(said(folder.path), "this cannot be read as a study (")) << said(folder.path);
  EXPECT_TRUE(has(said(folder.path), "name the folder that wavesim study made"));
}

}  // namespace
}  // namespace wavesim::testing
