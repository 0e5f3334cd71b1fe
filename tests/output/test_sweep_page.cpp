#include <gtest/gtest.h>

#include "output/sweep/sweep_page.hpp"

namespace wavesim::testing {
namespace {

SweepRow row(const std::string& name, std::vector<std::string> values, double received) {
  SweepRow r;
  r.name = name;
  r.values = std::move(values);
  r.status = "done";
  r.received = received;
  return r;
}

TEST(SweepPlots, DrawACurveForEachCombinationOfTheOtherKeys) {
  const SweepTable table{{"medium.damping", "grid.cells"},
                         {row("a", {"40", "[80, 80]"}, 3), row("b", {"0", "[80, 80]"}, 5),
                          row("c", {"0", "[160, 160]"}, 6), row("d", {"40", "[160, 160]"}, 4)}};
  const NamedPlots plots = sweep_plots(table, "acoustic");
  ASSERT_EQ(plots.size(), 2u);  // nothing is known but what receivers recorded
  EXPECT_EQ(plots[0].first, "medium.damping");
  const Plot& plot = plots[0].second;
  EXPECT_EQ(plot.y_name + " " + plot.y_unit, "largest |pressure| at receivers Pa");
  ASSERT_EQ(plot.curves.size(), 2u);
  EXPECT_EQ(plot.curves[0].name, "cells = [80, 80]");
  EXPECT_EQ(plot.curves[0].x, (std::vector<double>{0, 40}));
  EXPECT_EQ(plot.curves[0].y, (std::vector<double>{5, 3}));
  EXPECT_EQ(plots[1].second.curves[0].x, (std::vector<double>{80, 160}));
}

TEST(SweepPlots, LeaveOutKeysWhoseValuesAreNoNumbersAndRunsThatFailed) {
  SweepTable table{{"solver.method", "medium.damping"},
                   {row("a", {"cg", "1"}, 3), row("b", {"chebyshev", "2"}, 5), row("c", {"cg", "2"}, 4)}};
  table.rows[2].received = not_known;
  EXPECT_TRUE(sweep_plots(table, "membrane").empty()) << "no curve has two points";
  table.rows[2].received = 4;
  const NamedPlots plots = sweep_plots(table, "membrane");
  ASSERT_EQ(plots.size(), 1u);
  EXPECT_EQ(plots[0].first, "medium.damping");
  EXPECT_EQ(plots[0].second.curves.size(), 1u);
}

TEST(SweepPage, SaysWhatFailedAndWritesNoMarkupOfNames) {
  SweepTable table{{"medium.speed"}, {row("speed=1", {"1"}, 3), row("speed=<2>", {"<2>"}, not_known)}};
  table.rows[1].status = "failed";
  table.rows[1].message = "the state is < 0 & not finite";
  const std::string page = sweep_page({"a & b", "sweep", "name: x\n", {{"device", "CPU"}}}, table, {});
  const auto has = [&](const std::string& piece) { return page.find(piece) != std::string::npos; };
  EXPECT_TRUE(has("<h1>a &amp; b</h1>"));
  EXPECT_TRUE(has("2 runs over medium.speed, 1 of them done."));
  EXPECT_TRUE(has(">failed: the state is &lt; 0 &amp; not finite</td>"));
  EXPECT_FALSE(has("<2>"));
  EXPECT_FALSE(has("<script"));
  EXPECT_FALSE(has("id=\"pictures\""));
}

TEST(SweepPage, NamesTheUnitsOfItsColumns) {
  SweepTable table{{"x", "y"}, {row("shot-1", {"1", "2"}, 3)}};
  table.rows[0].energy_last = 5, table.rows[0].seconds = 7;
  const auto heads = [&](const char* model) {
    const std::string page =
        sweep_page({"a", "survey", std::string("medium:\n  model: ") + model + "\n", {}}, table, {});
    std::string all;
    for (std::size_t at = 0; (at = page.find("scope=\"col\">", at)) != page.npos;) {
      at += 12;
      all += page.substr(at, page.find('<', at) - at) + ";";
    }
    return all;
  };
  EXPECT_EQ(heads("membrane"), "run;x (m);y (m);run time (s);last energy (J);received |u| (m);");
  EXPECT_EQ(heads("acoustic"), "run;x (m);y (m);run time (s);last energy;received |u| (Pa);");
}

}  // namespace
}  // namespace wavesim::testing
