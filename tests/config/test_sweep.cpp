// The axes of a sweep: how they are written, and which runs they make.

#include "sim/study/study.hpp"
#include "sim/sweep/axes.hpp"
#include "sim/sweep/product.hpp"
#include "tests/config/configs.hpp"

namespace wavesim {
namespace {

std::vector<SweepPoint> points(const std::vector<std::string>& over) { return points_of(parse_axes(over)); }

std::vector<std::string> names_of(const std::vector<std::string>& over) {
  std::vector<std::string> names;
  for (const SweepPoint& p : points(over)) names.push_back(p.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(Sweep, VariesTheLastKeyFastest) {
  EXPECT_EQ(names_of({"medium.damping=[0, 1e1]", "grid.cells=[[100, 50], [200, 100], [4, 2]]"}),
            (Names{"damping=0,cells=100x50", "damping=0,cells=200x100", "damping=0,cells=4x2",
                   "damping=1e1,cells=100x50", "damping=1e1,cells=200x100", "damping=1e1,cells=4x2"}));
  EXPECT_EQ(product_of({2, 0, 3}).size(), 0u);
  EXPECT_EQ(product_of({}).size(), 1u);
}

// The points of a study are those that the same axes of a sweep would give.
TEST(Sweep, HasTheRunsOfTheSweepOfAStudyInTheirOrder) {
  const char* const text = R"yaml(
grid: {size: [1, 1], cells: [8, 8]}
medium: {speed: 1}
time: {courant: 1, steps: 2}
study: {at: [1], candidates: {method: cg}, sweep: {cells: [8, 12, 10], courant: [2, 1]}}
)yaml";
  const StudyPlan plan = plan_study(parse_config(text, "a.yaml"));
  const std::vector<SweepPoint> sweep =
      points({"grid.cells=[[8, 8], [12, 12], [10, 10]]", "time.courant=[2, 1]"});
  ASSERT_EQ(plan.points.size(), sweep.size());
  for (std::size_t k = 0; k < sweep.size(); ++k) {
    const Config own = parse_config(text, "a.yaml", ".", {}, {}, sweep[k].set);
    EXPECT_EQ(own.grid.cells, plan.points[k].config.grid.cells) << k;
    EXPECT_EQ(own.time.courant, plan.points[k].config.time.courant) << k;
  }
}

TEST(Sweep, NamesRunsByTheirValuesAlone) {
  const Names few = names_of({"medium.damping=[0, 10]"}), more = names_of({"medium.damping=[40, 10, 0]"});
  EXPECT_EQ(few, (Names{"damping=0", "damping=10"}));
  EXPECT_EQ(more, (Names{"damping=40", "damping=10", "damping=0"}));
  EXPECT_EQ(names_of({"sources.0.at=[[0, 1]]", "receivers.0.at=[[2, 3]]"}),
            (Names{"sources.0.at=0x1,receivers.0.at=2x3"}));
  // what a file system or a shell would mind is replaced, and what then looks alike is numbered
  EXPECT_EQ(names_of({"medium.speed=['1 + x/2', '1 * x/2', '../a']"}),
            (Names{"speed=1_+_x_2", "speed=1___x_2", "speed=.._a"}));
  EXPECT_EQ(names_of({"medium.speed=['x*2', 'x/2']"}), (Names{"speed=x_2", "speed=x_2-2"}));
  EXPECT_LE(names_of({"a=['" + std::string(500, 'x') + "']"})[0].size(), 160u);
}

// What a run is given as text means what the sweep read.
TEST(Sweep, WritesValuesAsTextThatReadsBack) {
  const char* const values =
      "['1 + x', \"a: b, [c]\", {gaussian: {center: [0.5, 1], width: 1e-3}}, word, true, '7']";
  for (const SweepPoint& point : points({std::string("a.b=") + values})) {
    const Assignment& a = point.set.front();
    const Assignment back = parse_assignment("a.b=" + to_flow(a.value));
    EXPECT_EQ(to_json(back.value), to_json(a.value));
    EXPECT_EQ(to_flow(back.value).find('\n'), std::string::npos);
  }
}

TEST(Sweep, RefusesAxesThatAreNone) {
  const auto refused = [](const std::vector<std::string>& over) -> std::string {
    try {
      parse_axes(over);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refused({"medium.damping"}),
            "--over medium.damping: this is no assignment; write --over key.path=value");
  EXPECT_EQ(refused({"medium.damping=3"}),
            "--over medium.damping: '3' is no list of values; write --over 'medium.damping=[3, ...]'");
  EXPECT_EQ(refused({"medium.damping=[]"}),
            "--over medium.damping: the list of values is empty; write at least one");
  EXPECT_EQ(refused({"medium.damping=[1, 2, 1]"}),
            "--over medium.damping: the value 1 stands twice; remove one of them");
  EXPECT_EQ(refused({"medium.damping=[1, , 2]"}).rfind("--over medium.damping: ", 0), 0u);
  EXPECT_EQ(refused({"a=[1]", "a=[2]"}),
            "--over a: the key is named twice; put all of its values into one list");
  EXPECT_NE(refused({"name=[a, b]"}).find("a name and a folder of its own"), std::string::npos);
  EXPECT_NE(refused({"output.directory=[a, b]"}).find("a name and a folder of its own"), std::string::npos);
  EXPECT_NE(refused({"shots=[[{at: [0, 0]}]]"}).find("'shots' are runs of their own"), std::string::npos);
}

}  // namespace
}  // namespace wavesim
