// Prices of method: auto as files, which of them a run takes, and that a run follows from its config and them.

#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <cstdlib>

#include "sim/prices/choose_prices.hpp"
#include "sim/prices/measure.hpp"
#include "sim/prices/price_file.hpp"
#include "sim/run/simulation.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

/// The user's cache folder is an empty one while it lives.
class OwnCache : public Folder {
 public:
  OwnCache() { setenv("XDG_CACHE_HOME", path.c_str(), 1); }
  ~OwnCache() {
    if (before_.empty())
      unsetenv("XDG_CACHE_HOME");
    else
      setenv("XDG_CACHE_HOME", before_.c_str(), 1);
  }
  void keep(const std::string& machine, int threads, const std::string& text) const {
    const std::filesystem::path file = price_file(machine, threads);
    std::filesystem::create_directories(file.parent_path());
    write(std::filesystem::relative(file, path).string(), text);
  }

 private:
  std::string before_ = std::getenv("XDG_CACHE_HOME") ? std::getenv("XDG_CACHE_HOME") : "";
};

Prices of_this_cpu() {
  Prices p = built_in_prices(cpu_facts().units);
  p.machine = cpu_facts().name;
  p.measured = "2026-11-23T10:00:00Z";
  p.transform.each.back() = 0.1 + 0.2;
  return p;
}

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

SolverConfig chosen(const std::string& solver, const DeviceFacts& device = cpu_facts()) {
  SolverConfig s = config("{solver: " + solver + "}").solver;
  choose_prices(s, device);
  return s;
}

TEST(PriceFiles, GiveBackTheNumbersThatWereWritten) {
  const Prices p = of_this_cpu();
  const std::string text = to_yaml(p);
  const Prices q = parse_prices(text, "p.yaml");
  EXPECT_EQ(q.machine, p.machine);
  EXPECT_EQ(q.measured, p.measured);
  EXPECT_EQ(q.threads, p.threads);
  EXPECT_EQ(q.cells, p.cells);
  for_each_curve(
      [](const char* key, const PriceCurve& a, const PriceCurve& b) {
        EXPECT_EQ(a.set_up, b.set_up) << key;
        EXPECT_EQ(a.solve, b.solve) << key;
        EXPECT_EQ(a.each, b.each) << key;
      },
      p, q);
  EXPECT_EQ(to_yaml(q), text);
  EXPECT_LT(text.size(), 16000u);  // it is an attribute of results
}

TEST(PriceFiles, AreRefusedWithThePlaceAndWhatToDo) {
  const std::string right = to_yaml(built_in_prices(2));
  const auto with_change = [&](const std::string& from, const std::string& to) {
    std::string text = right;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const auto says = [&](const std::string& text, const std::vector<std::string>& words) {
    const std::string sentence = refusal([&] { parse_prices(text, "p.yaml"); });
    EXPECT_EQ(sentence.find("p.yaml:"), 0u) << sentence;
    for (const std::string& w : words) EXPECT_NE(sentence.find(w), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("measure them again with 'wavesim measure'"), std::string::npos) << sentence;
  };
  says("", {"empty"});
  says("grid: {cells: [3, 3]}\n", {"p.yaml:1:1:", "unknown key 'grid'"});
  says(right.substr(0, right.size() / 2), {"p.yaml:"});
  says(with_change("threads: 2", "threads: 0"), {"threads", "'0'"});
  says(with_change("\ncells: [40,", "\ncells: [4000,"), {"rising order"});
  says(with_change("\ncells: [40, ", "\ncells: ["), {"'cg' must have 5 numbers"});
  says(with_change("each: [", "each: [-"), {"cg.each.0", "greater than 0"});
}

TEST(ChosenPrices, AreThoseOfTheFileThatTheConfigNamesOrOfThisMachineOrBuiltIn) {
  const OwnCache cache;
  const int threads = cpu_facts().units;
  EXPECT_EQ(text(*chosen("{method: auto}").known_prices), text(built_in_prices(threads)));
  cache.keep(cpu_facts().name, threads, to_yaml(of_this_cpu()));
  EXPECT_EQ(text(*chosen("{method: auto}").known_prices), text(of_this_cpu()));
  EXPECT_EQ(text(*chosen("{method: auto, prices: built-in}").known_prices), text(built_in_prices(threads)));
  Prices foreign = built_in_prices(7);
  foreign.machine = "another";
  cache.write("other.yaml", to_yaml(foreign));
  EXPECT_EQ(
      text(*chosen("{method: auto, prices: '" + (cache.path / "other.yaml").string() + "'}").known_prices),
      "another, 7 threads");
  EXPECT_FALSE(chosen("{method: cg}").known_prices);
}

TEST(ChosenPrices, AreRefusedWhereTheFileIsNotThereBrokenOrOfAnotherMachine) {
  const OwnCache cache;
  EXPECT_NE(refusal([] { chosen("{method: auto, prices: nowhere.yaml}"); }).find("cannot be read"),
            std::string::npos);
  EXPECT_NE(refusal([] { chosen("{method: auto, prices: /dev/zero}"); }).find("more than 8 MB"),
            std::string::npos);
  const std::string name = cpu_facts().name;
  cache.keep(name, cpu_facts().units, "machine: half");
  EXPECT_NE(refusal([] { chosen("{method: auto}"); }).find("wavesim measure"), std::string::npos);
  EXPECT_TRUE(chosen("{method: auto, prices: built-in}").known_prices);
  Prices foreign = of_this_cpu();
  foreign.machine = "another";
  cache.keep(name, cpu_facts().units, to_yaml(foreign));
  const std::string sentence = refusal([] { chosen("{method: auto}"); });
  EXPECT_NE(sentence.find("these prices are of another"), std::string::npos) << sentence;
  EXPECT_NE(refusal([] {
              config("{solver: {method: cg, prices: built-in}}");
            }).find("'prices' belongs to method: auto"),
            std::string::npos);
}

TEST(ChosenPrices, AreThoseOfTheCostModelOnAGpu) {
  DeviceFacts gpu;
  gpu.kind = "cuda", gpu.name = "a GPU";
  EXPECT_FALSE(chosen("{method: auto}", gpu).known_prices);
  using Facts = std::map<std::string, std::string>;
  EXPECT_EQ(price_facts(chosen("{method: auto, prices: built-in}", gpu), gpu),
            (Facts{{"prices", "built-in, a GPU"}}));
  EXPECT_EQ(price_facts(chosen("{method: cg}", gpu), gpu), Facts{});
  EXPECT_NE(refusal([&] { chosen("{method: auto, prices: p.yaml}", gpu); }).find("for CPUs"),
            std::string::npos);
}

struct Result {
  std::string prices, set_up;
  double energy = 0;
};
Result run(const std::string& prices, int threads) {
  omp_set_num_threads(threads);
  Simulation s(config("{grid: {size: [1, 1], cells: [90, 70]}, initial: {displacement: {gaussian: {center: "
                      "[0.4, 0.5], width: 0.1, amplitude: 1}}}, time: {courant: 5, steps: 40}, solver: "
                      "{method: auto, tolerance: 1e-9, prices: '" +
                      prices + "'}}"),
               "cpu");
  const std::atomic<bool> stop{false};
  const RunSummary summary = s.run({}, {}, stop);
  return {s.info().facts.at("prices-file"), summary.set_up, summary.energy_last};
}

TEST(ChosenPrices, AreInTheResultSoThatARunCanBeRepeatedWithOtherThreads) {
  const OwnCache cache;
  const int before = omp_get_max_threads();
  const Result once = run("built-in", 1);
  EXPECT_EQ(once.prices, to_yaml(built_in_prices(1)));
  EXPECT_NE(once.set_up.find("prices: built-in, 1 thread"), std::string::npos) << once.set_up;
  cache.write("result.yaml", once.prices);
  for (const int threads : {1, 3}) {
    const Result again = run((cache.path / "result.yaml").string(), threads);
    EXPECT_EQ(again.prices, once.prices);
    EXPECT_EQ(again.set_up, once.set_up);
    EXPECT_EQ(again.energy, once.energy);
  }
  omp_set_num_threads(before);
}

TEST(MeasuredPrices, AreSecondsOfEachMethodAtEachSize) {
  const Prices p = measure_prices(100, [](long) {});
  EXPECT_EQ(p.machine, cpu_facts().name);
  EXPECT_EQ(p.threads, cpu_facts().units);
  EXPECT_EQ(p.cells, (std::vector<double>{40, 100}));
  for_each_curve(
      [](const char* key, const PriceCurve& c) {
        ASSERT_EQ(c.each.size(), 2u) << key;
        for (const double s : c.each) EXPECT_TRUE(s > 1e-7 && s < 1) << key << ": " << s;
      },
      p);
  EXPECT_NO_THROW(parse_prices(to_yaml(p), "p.yaml"));
  EXPECT_THROW(measure_prices(40, [](long) {}), InputError);
}

}  // namespace
}  // namespace wavesim::test
