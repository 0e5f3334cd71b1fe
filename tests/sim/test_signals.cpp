#include <cmath>
#include <numbers>

#include "given.hpp"

using namespace wavesim;
using namespace wavesim::test;

TEST(Ricker, PeaksAtItsDelay) {
  const auto s = signal("ricker: {frequency: 10, amplitude: 3, delay: 0.2}");
  EXPECT_DOUBLE_EQ(s->at(0.2), 3);
  EXPECT_LT(s->at(0.199), 3);
  EXPECT_LT(s->at(0.201), 3);
}

TEST(Ricker, CrossesZeroWhereItsParabolaDoes) {
  const auto s = signal("ricker: {frequency: 10, delay: 0.2}");
  const double zero = 1 / (std::sqrt(2.0) * std::numbers::pi * 10);
  EXPECT_NEAR(s->at(0.2 + zero), 0, 1e-14);
  EXPECT_NEAR(s->at(0.2 - zero), 0, 1e-14);
}

TEST(Ricker, HasNoMean) {
  const auto s = signal("ricker: {frequency: 10}");
  double sum = 0;
  for (int i = -1000; i < 1000; ++i) sum += s->at(i * 1e-3) * 1e-3;
  EXPECT_NEAR(sum, 0, 1e-12);
}

TEST(Ricker, StartsQuietlyWithoutADelay) {
  const auto s = signal("ricker: {frequency: 10}");
  EXPECT_LT(std::abs(s->at(0)), 2e-8);
  EXPECT_DOUBLE_EQ(s->at(0.15), 1);
  EXPECT_DOUBLE_EQ(s->highest_frequency(), 25);
}

TEST(Sinusoid, IsASineFromTimeZero) {
  const auto s = signal("sinusoid: {frequency: 2, amplitude: 3}");
  EXPECT_DOUBLE_EQ(s->at(0.125), 3);
  EXPECT_DOUBLE_EQ(s->at(0.375), -3);
  EXPECT_EQ(s->at(-0.1), 0);
  EXPECT_EQ(s->highest_frequency(), 2);
}

TEST(Sinusoid, GrowsOverItsRamp) {
  const auto s = signal("sinusoid: {frequency: 1, amplitude: 1, phase: 1.5707963267948966, ramp: 2}");
  EXPECT_NEAR(s->at(0), 0, 1e-15);
  EXPECT_NEAR(s->at(1), 0.5, 1e-12);
  EXPECT_NEAR(s->at(2), 1, 1e-12);
  EXPECT_NEAR(s->at(5), 1, 1e-12);
}

TEST(GaussianPulse, HasItsStandardDeviation) {
  const auto s = signal("gaussian-pulse: {width: 0.1, amplitude: 2, delay: 1}");
  EXPECT_DOUBLE_EQ(s->at(1), 2);
  EXPECT_NEAR(s->at(1.1), 2 * std::exp(-0.5), 1e-12);
  EXPECT_NEAR(s->at(0.8), 2 * std::exp(-2.0), 1e-12);
}

TEST(SignalExpression, KnowsTheTime) {
  const auto s = signal("expression: \"t < 1 ? sin(pi * t / 2) : 1\"");
  EXPECT_NEAR(s->at(0.5), std::sqrt(0.5), 1e-15);
  EXPECT_EQ(s->at(7), 1);
}

TEST(SignalExpression, DoesNotKnowThePlace) {
  EXPECT_SENTENCE(signal("expression: \"sin(x)\""), "test.yaml:1", "sin(x)", "\"x\"", "it may use t, pi");
}

TEST(SignalExpression, NamesTheTimeWhereItIsNotFinite) {
  const auto s = signal("expression: \"1 / (t - 2)\"");
  EXPECT_SENTENCE(s->at(2), "1 / (t - 2)", "inf at t = 2");
}

TEST(Table, IsLinearBetweenItsRows) {
  const Folder folder;
  folder.write("s.csv", "t, s\n# a comment\n0, 1\n\n2, 5\n3; -1\n");
  const auto s = signal("table: {file: s.csv, scale: 2}", folder.path);
  EXPECT_DOUBLE_EQ(s->at(0), 2);
  EXPECT_DOUBLE_EQ(s->at(0.5), 4);
  EXPECT_DOUBLE_EQ(s->at(2.5), 4);
  EXPECT_DOUBLE_EQ(s->at(3), -2);
}

TEST(Table, IsZeroOutsideUnlessItsEdgeValuesAreAskedFor) {
  const Folder folder;
  folder.write("s.csv", "1 4\n2 5\n");
  const auto zero = signal("table: {file: s.csv}", folder.path);
  EXPECT_EQ(zero->at(0.99), 0);
  EXPECT_EQ(zero->at(2.01), 0);
  const auto edge = signal("table: {file: s.csv, outside: edge}", folder.path);
  EXPECT_EQ(edge->at(0.99), 4);
  EXPECT_EQ(edge->at(2.01), 5);
}

TEST(Table, ComesFromHdf5Too) {
  const Folder folder;
  folder.write_hdf5("s.h5", "/s", 2, 2, {0, 1, 1, 3});
  EXPECT_DOUBLE_EQ(signal("table: {file: s.h5}", folder.path)->at(0.5), 2);
  folder.write_hdf5("wide.h5", "/s", 1, 3, {0, 1, 2});
  EXPECT_SENTENCE(signal("table: {file: wide.h5}", folder.path), "wide.h5", "3 columns", "needs two");
}

TEST(Table, RefusesWhatIsNoTable) {
  const Folder folder;
  folder.write("text.csv", "0, 1\nhello, 2\n");
  EXPECT_SENTENCE(signal("table: {file: text.csv}", folder.path), "text.csv:2", "hello, 2",
                  "two finite numbers");
  folder.write("nan.csv", "nan, 1\n1, 2\n");
  EXPECT_SENTENCE(signal("table: {file: nan.csv}", folder.path), "nan.csv:1");
  folder.write("back.csv", "0, 1\n2, 2\n1, 2\n");
  EXPECT_SENTENCE(signal("table: {file: back.csv}", folder.path), "row 3", "sort it");
  folder.write("empty.csv", "# nothing\n");
  EXPECT_SENTENCE(signal("table: {file: empty.csv}", folder.path), "empty");
  EXPECT_SENTENCE(signal("table: {file: none.csv}", folder.path), "there is no file", "none.csv");
}

TEST(Table, RefusesWhatIsNoText) {
  const Folder folder;
  folder.write("zero.csv", std::string("0, 1\n1, 2\0, 3\n", 14));
  EXPECT_SENTENCE(signal("table: {file: zero.csv}", folder.path), "zero.csv:2", "not two finite numbers");
  folder.write("long.csv", "0, 1\n1, 2" + std::string(100000, ' ') + "\n");
  EXPECT_SENTENCE(signal("table: {file: long.csv}", folder.path), "line of more than 4096 characters");
  EXPECT_SENTENCE(signal("table: {file: /dev/zero}", folder.path), "line of more than 4096 characters");
  EXPECT_SENTENCE(signal("table: {file: .}", folder.path), "cannot be read", "permissions");
  folder.write("words.csv", "0, 1\n" + std::string(1000, 'w') + "\n");
  EXPECT_LT(sentence([&] { signal("table: {file: words.csv}", folder.path); }).size(), 300u);
}

TEST(Table, TakesALastLineThatHasNoEnd) {
  const Folder folder;
  folder.write("s.csv", "0, 1\n2, 5");
  EXPECT_DOUBLE_EQ(signal("table: {file: s.csv}", folder.path)->at(1), 3);
}
