#include "output/pictures/ticks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace wavesim::testing {
namespace {

TEST(Ticks, AreOneTwoOrFiveTimesAPowerOfTenWithinTheEnds) {
  for (const auto& [low, high] :
       {std::pair{0.0, 0.4}, {-0.3, 0.3}, {0.0, 7300.0}, {-1.0, 1.5}, {17.3, 18.9}, {3e-7, 9e-6}})
    for (int most : {2, 5, 10}) {
      const double step = tick_step(high - low, most),
                   lead = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
      EXPECT_TRUE(std::abs(lead - 1) < 1e-9 || std::abs(lead - 2) < 1e-9 || std::abs(lead - 5) < 1e-9)
          << step;
      const std::vector<double> ticks = round_ticks(low, high, most);
      ASSERT_FALSE(ticks.empty()) << low << " " << high << " " << most;
      EXPECT_LE(ticks.size(), std::size_t(most) + 1);
      EXPECT_GE(ticks.front(), low - 1e-9 * high);
      EXPECT_LE(ticks.back(), high * (1 + 1e-9));
      // None is left out at the ends.
      EXPECT_LT(ticks.front() - low, step);
      EXPECT_LT(high - ticks.back(), step);
      std::set<std::string> labels;
      for (double v : ticks) {
        EXPECT_NEAR(v / step, std::round(v / step), 1e-6);
        labels.insert(tick_label(v, step));
      }
      EXPECT_EQ(labels.size(), ticks.size());
    }
  EXPECT_EQ(round_ticks(0, 160, 8), (std::vector<double>{0, 20, 40, 60, 80, 100, 120, 140, 160}));
}

TEST(Ticks, AreNoneWhereTheEndsCannotBeToldApart) {
  for (const auto& [low, high] : {std::pair{1.0, 1.0},
                                  {NAN, 1.0},
                                  {0.0, HUGE_VAL},
                                  {-1.7e308, 1.7e308},
                                  {0.0, 1e-320},
                                  {1e20, 1e20 + 32768}})
    EXPECT_TRUE(round_ticks(low, high, 8).empty()) << low << " " << high;
}

TEST(Ticks, HaveAsManyDecimalsAsTheStep) {
  EXPECT_EQ(tick_label(0.4, 0.2), "0.4");
  EXPECT_EQ(tick_label(1, 0.5), "1.0");
  EXPECT_EQ(tick_label(0.15, 0.05), "0.15");
  EXPECT_EQ(tick_label(-1500, 500), "\u22121500");
  EXPECT_EQ(tick_label(1e-18, 0.1), "0");
  EXPECT_EQ(tick_label(-1e-18, 0.1), "0");
  EXPECT_EQ(tick_label(3e9, 1e9), "3e+09");
}

TEST(Scales, TakeThePrefixThatMakesNumbersShort) {
  struct Row {
    const char* unit;
    double largest;
    const char* label;
    double factor;
  };
  for (const Row& r : std::initializer_list<Row>{{"m", 9200, "x (km)", 1e-3},
                                                 {"m", 1600, "x (m)", 1},
                                                 {"m", 0.16, "x (mm)", 1e3},
                                                 {"m", 3e-4, "x (\u00b5m)", 1e6},
                                                 {"m", 5.12e6, "x (km)", 1e-3},
                                                 {"Pa", 7300, "x (kPa)", 1e-3},
                                                 {"Pa", 2e6, "x (MPa)", 1e-6},
                                                 {"m/s", 5500, "x (km/s)", 1e-3},
                                                 {"J/m\u00b2", 0.02, "x (mJ/m\u00b2)", 1e3},
                                                 {"s", 0.02, "x (ms)", 1e3},
                                                 {"s", 600, "x (min)", 1.0 / 60},
                                                 {"s", 14400, "x (h)", 1.0 / 3600},
                                                 {"", 0.002, "x (10\u207b\u00b3)", 1e3},
                                                 {"", 3, "x", 1},
                                                 {"m", 0, "x (m)", 1},
                                                 {"m", NAN, "x (m)", 1}}) {
    const Scale scale = scale_of(r.unit, r.largest);
    EXPECT_EQ(scale.label("x"), r.label) << r.unit << " " << r.largest;
    EXPECT_NEAR(scale.factor / r.factor, 1, 1e-12) << r.unit << " " << r.largest;
  }
}

TEST(Times, AreWhatPeopleSay) {
  EXPECT_EQ(time_text(7200), "2 h");
  EXPECT_EQ(time_text(8e-5), "80 \u00b5s");
  EXPECT_EQ(time_text(5100), "1 h 25 min");
  EXPECT_EQ(time_text(200), "3 min 20 s");
  EXPECT_EQ(time_text(90061), "1 d 1 h 1 min 1 s");
  EXPECT_EQ(time_text(0), "0 s");
  EXPECT_EQ(time_text(0.002), "2 ms");
  EXPECT_EQ(time_text(1.23456), "1.235 s");
  EXPECT_EQ(time_text(-0.002), "\u22122 ms");
}

TEST(Times, OfOneSeriesHaveOneUnit) {
  EXPECT_EQ(time_text(0, 1e-4), "0 \u00b5s");
  EXPECT_EQ(time_text(0.0125, 2), "0.0125 s");
  EXPECT_EQ(time_text(0.5e-3, 0.02), "0.5 ms");
  EXPECT_EQ(time_text(30, 14400), "30 s");
  EXPECT_EQ(time_text(7200, 14400), "2 h");
}

}  // namespace
}  // namespace wavesim::testing
