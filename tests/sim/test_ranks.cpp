// Runs whose rows ranks share out: their writers are told the same, to the bit, as those of one rank. Here ranks are threads.

#include <gtest/gtest.h>

#include "sim/run/run_on_ranks.hpp"
#include "tests/sim/runs_on_ranks.hpp"

namespace wavesim::test {
namespace {

// 329 rows are five bands, from rows 0, 64, 128, 192 and 256 on or nearly so.
const char* const tall = "size: [0.7, 10], cells: [23, 330]";
const char* const wave_in_tall =
    "initial: {displacement: {gaussian: {center: [0.3, 1.9], width: 0.3, amplitude: 1}}, velocity: "
    "{gaussian: "
    "{center: [0.4, 6.1], width: 0.4, amplitude: 1}}}, sources: [{name: s, at: [0.2, 3.94], ricker: "
    "{frequency: "
    "3, delay: 0.2}}, {name: a, area: {gaussian: {center: [0.4, 7.8], width: 0.2, amplitude: 3}}, sinusoid: "
    "{frequency: 4, amplitude: 1}}], receivers: [{name: l, from: [0.11, 0.1], to: [0.61, 9.7], count: 41}]";
const char* const outputs =
    "output: {fields: {every: 7, quantities: [displacement, velocity, energy-density, max-displacement, "
    "arrival-time], arrival-threshold: 0.05}, energy: {every: 3}}";

std::string in(const std::string& grid, const std::string& medium, const std::string& time,
               const std::string& solver, const std::string& more = "") {
  return "{grid: {" + grid + "}, medium: {" + medium + "}, time: {" + time + "}, solver: {" + solver + "}, " +
         wave_in_tall + ", " + outputs + more + "}";
}

const std::vector<std::string> media{"speed: 1, damping: 0.3",
                                     "speed: '1 + 0.5 * x', density: '2 - y/10', damping: '0.04 * y'"};
const std::vector<std::string> rims{
    "",
    ", edges: {left: free, right: {absorbing: {radiation: {}}}, bottom: fixed, top: {driven: {sinusoid: "
    "{frequency: 2, amplitude: 0.2}}}}, shape: {not: {circle: {center: [0.4, 3.9], radius: 0.12}}, edge: "
    "free}",
    ", edges: {left: periodic, right: periodic, bottom: periodic, top: periodic}"};

TEST(RanksOfARun, GiveTheBitsOfOneInExplicitSteps) {
  for (const std::string& medium : media)
    for (const std::string& rim : rims)
      expect_same_bits(in(tall, medium, "scheme: explicit, courant: 0.5, steps: 40", "method: cg", rim));
}

TEST(RanksOfARun, GiveTheBitsOfOneInSinglePrecision) {
  expect_same_bits(in(tall, media[1], "scheme: explicit, courant: 0.5, steps: 40", "method: cg",
                      rims[1] + ", precision: single"));
  expect_same_bits(in(tall, media[1], "courant: 1.2, steps: 9", "method: chebyshev, tolerance: 1e-4",
                      rims[1] + ", precision: single"));
}

TEST(RanksOfARun, GiveTheBitsOfOneInMixedPrecision) {
  for (const std::string& medium : media)
    for (const char* method : {"cg", "chebyshev"})
      for (const std::string& rim : {rims[1] + "", rims[2] + "", rims[0] + ", space: {order: 4}"})
        expect_same_bits(
            in(tall, medium, "courant: 1, steps: 5", std::string("method: ") + method + ", tolerance: 1e-9",
               rim + ", precision: mixed"),
            {3});
}

/// Lanes of passes fit the width, and the medium varies across the seam.
TEST(RanksOfARun, GiveTheBitsOfOneInMixedPrecisionRoundARing) {
  for (const char* order : {"2", "4"})
    expect_same_bits(
        "{grid: {size: [0.7, 10], cells: [24, 330]}, medium: {speed: '1 + 0.5 * sin(9 * x) * cos(0.2 * pi * "
        "y)'}, "
        "initial: {displacement: {gaussian: {center: [0.3, 9.9], width: 0.3, amplitude: 1}}}, edges: {left: "
        "fixed, right: free, bottom: periodic, top: periodic}, time: {courant: 4, steps: 5}, solver: "
        "{method: "
        "chebyshev, tolerance: 1e-9}, precision: mixed, output: {fields: {every: 2}}, space: {order: " +
            std::string(order) + "}}",
        {2, 3});
}

TEST(RanksOfARun, GiveTheBitsOfOneWithEachPreconditioner) {
  for (const PreconditionerEntry& p : solver_preconditioners())
    if (p.on_ranks)
      expect_same_bits(in(tall, media[1], "courant: 2, steps: 4",
                          "method: fcg, tolerance: 1e-9, preconditioner: " + std::string(p.name), rims[1]),
                       {3});
}

TEST(RanksOfARun, GiveTheBitsOfOneWithMultigridAtLargeSteps) {
  for (const std::string& medium : media)
    for (const std::string& rim : {rims[0] + "", rims[1] + "", rims[1] + ", space: {order: 4}"})
      for (const char* arithmetic : {"double", "single"})
        expect_same_bits(in(tall, medium, "courant: 20, steps: 3",
                            std::string("method: cg, tolerance: 1e-9, preconditioner: {type: multigrid, "
                                        "arithmetic: ") +
                                arithmetic + "}",
                            rim),
                         {2, 3});
}

TEST(RanksOfARun, GiveTheBitsOfOneBySineTransforms) {
  const std::string open = ", edges: {left: free, right: fixed, bottom: free, top: free}";
  for (const std::string& rim : {rims[0] + "", rims[2] + "", open, rims[0] + ", space: {order: 4}"})
    for (const char* courant : {"2", "30"}) {
      const auto run = [&](const char* tolerance, const char* precision) {
        expect_same_bits(in(tall, media[0], "courant: " + std::string(courant) + ", steps: 6",
                            "method: sine-transform, tolerance: " + std::string(tolerance),
                            rim + ", precision: " + precision));
      };
      run("1e-9", "double");
      run("1e-3", "single");
    }
  expect_same_bits(in(tall, media[1], "courant: 8, steps: 3",
                      "method: cg, tolerance: 1e-9, preconditioner: sine-transform", rims[1]));
}

TEST(RanksOfARun, GiveTheBitsOfOneInStepsOfEighthOrder) {
  for (const std::string& medium :
       {std::string("speed: 1, damping: 0.3"), std::string("tension: 1, mass: '2 - y/10'")})
    for (const std::string& rim : {rims[0], rims[2]})
      expect_same_bits(in(tall, medium, "scheme: explicit, courant: 0.5, steps: 40", "method: cg",
                          rim + ", space: {order: 8}"));
}

TEST(RanksOfARun, GiveTheBitsOfOneWithEachMethodAndFormat) {
  for (const Method& m : solver_methods()) {
    if (!m.on_ranks || m.automatic || m.structure == Structure::rectangle) continue;
    for (const char* format : {"stencil", "dia"}) {
      const std::string solver = "method: " + std::string(m.name) + ", tolerance: 1e-9, format: " + format;
      expect_same_bits(in(tall, media[1], "courant: 2, steps: 4", solver, rims[1]), {3});
    }
  }
  for (const char* method : {"cg", "jacobi", "chebyshev"})
    for (const std::string& medium : media)
      for (const std::string& rim : rims)
        expect_same_bits(in(tall, medium, "courant: 2, steps: 9",
                            std::string("method: ") + method + ", tolerance: 1e-9", rim));
}

TEST(RanksOfARun, GiveTheBitsOfOneWithBoundsByLanczos) {
  for (const std::string& medium : media)
    expect_same_bits(in(tall, medium, "courant: 2, steps: 4",
                        "method: chebyshev, bounds: lanczos, tolerance: 1e-9", rims[0]));
}

/// One rank may choose among more methods.
TEST(RanksOfARun, ChooseAmongTheMethodsThatTheyHaveInAnyNumberAlike) {
  for (const std::string& medium : media)
    for (const char* courant : {"1", "20"}) {
      const Config c = config(in(tall, medium, "courant: " + std::string(courant) + ", steps: 9",
                                 "method: auto, tolerance: 1e-9", rims[1]));
      const auto two = told(c, 2, "cpu"), four = told(c, 4, "cpu");
      EXPECT_EQ(two.summary, four.summary);
      ASSERT_EQ(two.all.size(), four.all.size());
      for (std::size_t k = 0; k < two.all.size(); ++k) expect_same(two.all[k], four.all[k], k);
    }
}

TEST(RanksOfARun, GiveTheBitsOfOneInEachScheme) {
  for (const char* scheme : {"two-level", "theta, weights: [0.4, 0.3, 0.3]"})
    for (const char* method : {"cg", "chebyshev"})
      expect_same_bits(in(tall, media[1], std::string("scheme: ") + scheme + ", courant: 1.5, steps: 9",
                          std::string("method: ") + method + ", tolerance: 1e-9", rims[1]));
}

TEST(RanksOfARun, GiveTheBitsOfOneWithEachGuess) {
  for (const char* guess : {"extrapolate, guess-degree: 2", "projection, guess-solutions: 4"})
    expect_same_bits(in(tall, media[1], "courant: 1.5, steps: 9",
                        std::string("method: cg, preconditioner: jacobi, tolerance: 1e-9, guess: ") + guess,
                        rims[1]));
  expect_same_bits(in(tall, media[1], "courant: 1.5, steps: 9",
                      "method: cg, tolerance: 1e-9, energy: exact, norm: increment, assembly: once",
                      rims[1]));
}

TEST(RanksOfARun, GiveTheBitsOfOneInStepsOfFourthOrder) {
  for (const char* method : {"cg", "chebyshev"})
    for (const std::string& medium : media)
      for (const std::string& rim : {rims[0], rims[2]})
        for (const char* time : {"order: 2", "order: 4"})
          expect_same_bits(in(tall, medium, std::string(time) + ", courant: 1, steps: 9",
                              std::string("method: ") + method + ", tolerance: 1e-9",
                              rim + ", space: {order: 4}"));
}

TEST(RanksOfARun, GiveTheBitsOfOneBesideDrivenEdgesInFourthOrder) {
  const std::string driven = "{driven: {sinusoid: {frequency: 2, amplitude: 0.2}}}";
  for (const std::string& medium : {media[0], media[1]})
    for (const std::string& edges :
         {"left: " + driven + ", right: free, bottom: fixed, top: " + driven,
          "left: periodic, right: periodic, bottom: " + driven + ", top: fixed",
          "left: fixed, right: " + driven + ", bottom: free, top: {absorbing: {radiation: {}}}"})
      for (const char* time : {"scheme: numerov, courant: 0.7", "courant: 2"})
        expect_same_bits(in(tall, medium, std::string(time) + ", steps: 9",
                            "method: chebyshev, tolerance: 1e-9",
                            ", edges: {" + edges + "}, space: {order: 4}"));
}

/// Columns of constant stiffness are those of one process, also where some ranks have none.
TEST(RanksOfARun, GiveTheBitsOfOneWhereMassesAloneVary) {
  const std::string below = ", edges: fixed, shape: {circle: {center: [0.9, 3.2], radius: 1.2}}";
  for (const auto& [density, rim] : std::vector<std::array<std::string, 2>>{
           {"2", rims[0]}, {"2", rims[1]}, {"2", rims[2]}, {"2", below}, {"'y > 6 ? 2 + x : 2'", rims[0]}})
    for (const char* precision : {"double", "mixed"})
      expect_same_bits(in("size: [1.8, 10], cells: [60, 330]",
                          "model: acoustic, speed: '1 + 0.5 * x * sin(y)', density: " + density,
                          "scheme: numerov, courant: 0.6, steps: 9", "method: chebyshev, tolerance: 1e-9",
                          rim + ", space: {order: 4}, precision: " + precision));
}

/// Ranks without points of a force decide like those that have some.
TEST(RanksOfARun, GiveTheBitsOfOneWhereFewRowsArePushed) {
  for (const char* pushed : {"edges: {left: fixed, right: fixed, bottom: {driven: {sinusoid: {frequency: 2, "
                             "amplitude: 0.2}}}, top: "
                             "fixed}",
                             "sources: [{area: 'y > 9 ? 1 : 0', sinusoid: {frequency: 4, amplitude: 1}}]"})
    for (const char* time : {"scheme: numerov, courant: 0.7", "courant: 2"})
      expect_same_bits(
          std::string("{grid: {") + tall + "}, medium: {" + media[1] + "}, " + pushed + ", time: {" + time +
          ", steps: 9}, space: {order: 4}, solver: {method: chebyshev, tolerance: 1e-9}, " + outputs + "}");
}

TEST(RanksOfARun, EndTogetherWhereASignalHasNoValue) {
  const std::string yaml =
      std::string("{grid: {") + tall +
      "}, medium: {speed: 1}, sources: [{at: [0.2, 0.5], expression: 'sqrt(0.2 - t)'}], time: "
      "{scheme: explicit, courant: 0.5, steps: 40}}";
  const auto ending = [&](Ranks* ranks) -> std::string {
    // The config is a rank's own, because a formula keeps what it is evaluated at.
    Simulation simulation(config(yaml), "cpu", ranks);
    const std::atomic<bool> never = false;
    try {
      simulation.run({}, {}, never);
    } catch (const SolveError& e) {
      return e.what() + (" after step " + std::to_string(simulation.done()));
    }
    return {};
  };
  const std::string alone = ending(nullptr);
  EXPECT_FALSE(alone.empty());
  run_rank_threads(3, [&](Ranks& ranks) { EXPECT_EQ(ending(&ranks), alone); });
}

TEST(RanksOfARun, GiveTheBitsOfOneInPerfectlyMatchedLayers) {
  for (const char* time : {"scheme: explicit, courant: 0.5, steps: 40", "courant: 1.2, steps: 9"})
    expect_same_bits(
        in(tall, media[0], time, "method: chebyshev, tolerance: 1e-9",
           ", edges: {left: {absorbing: {pml: {thickness: 5 cells}}}, right: free, bottom: {absorbing: {pml: "
           "{thickness: 5 cells}}}, top: {driven: {sinusoid: {frequency: 2, amplitude: 0.2}}}}"));
}

/// What a rank keeps of faces below its rows was saved by another one; where only the top has a layer, the lower ranks have no face.
TEST(RanksOfARun, GoOnInLayersFromAStateOfAnotherNumberOfThem) {
  const std::string layer = "{absorbing: {pml: {thickness: 5 cells}}}";
  for (const auto& [left, time] :
       {std::pair{layer, "scheme: explicit, courant: 0.5, steps: 40"},
        std::pair{layer, "courant: 1.2, steps: 40"},
        std::pair{std::string("free"), "scheme: explicit, courant: 0.5, steps: 40"},
        std::pair{std::string("free"), "courant: 1.2, steps: 40"}}) {
    SCOPED_TRACE(left + ", " + time);
    const Config c =
        config(in(tall, media[1], time, "method: chebyshev, tolerance: 1e-9",
                  ", edges: {left: " + left + ", right: free, bottom: fixed, top: " + layer + "}"));
    const auto state_after = [&](int count, int steps, const SavedState& from) {
      SavedState state, unread;
      run_rank_threads(count, [&](Ranks& ranks) {
        const bool first = ranks.rank() == 0;
        Simulation simulation(c, "cpu", &ranks);
        LoadFromMemory load(from);
        if (!from.empty()) simulation.archive(load);
        Told writer;
        writer.stop_after = steps;
        simulation.run(first ? std::vector<Writer*>{&writer} : std::vector<Writer*>{}, {}, writer.stop);
        SavedState nothing;
        SaveInMemory to(first ? state : nothing);
        simulation.archive(to);
      });
      return state;
    };
    const SavedState whole = state_after(1, 40, {});
    for (const auto& [before, after] : {std::pair{1, 3}, std::pair{3, 1}, std::pair{2, 5}}) {
      const SavedState state = state_after(after, 40, state_after(before, 12, {}));
      for (const auto& [name, entry] : whole)
        EXPECT_TRUE(!name.starts_with("wave/") || state.at(name) == entry) << name;
    }
  }
}

/// Rows of others have addresses and no memory on a GPU, but in pieces of 2 MiB: fields of 10 MB show who touches them.
TEST(RanksOfARun, TouchNoRowsOfOthersOnAGpu) {
  if (devices().size() == 1) GTEST_SKIP() << "no GPU answers";
  const auto run = [](const std::string& medium, const std::string& time, const std::string& solver,
                      const std::string& more) {
    const std::string yaml =
        "{grid: {size: [0.7, 1216], cells: [23, 40000]}, medium: {" + medium + "}, time: {" + time +
        "}, solver: {" + solver +
        "}, initial: {displacement: 'exp(-10 * (x - 0.3)^2) * sin(y)'}, sources: [{name: s, at: [0.2, "
        "405.3], "
        "ricker: {frequency: 3, delay: 0.2}}], receivers: [{name: l, from: [0.11, 0.1], to: [0.61, 1215], "
        "count: 41}], output: {fields: {every: 7, stride: 16, quantities: [displacement, velocity, "
        "energy-density, max-displacement, arrival-time], arrival-threshold: 0.05}, energy: {every: 3}}" +
        more + "}";
    SCOPED_TRACE(yaml);
    expect_same_bits_on("cuda", config(yaml), {3});
  };
  for (const Method& m : solver_methods())
    if (m.on_ranks && !m.automatic)  // that one chooses by seconds
      for (const char* format : {"stencil", "dia"})
        run(media[0], "courant: 2, steps: 4",
            "method: " + std::string(m.name) + ", tolerance: 1e-6, format: " + format, "");
  const std::string varies = "speed: '1 + 0.5 * x', density: '2 - y/1300', damping: '0.0004 * y'";
  for (const std::string& medium : {media[0], varies})
    for (const std::string& rim : {rims[0], rims[2]}) {
      run(medium, "courant: 1, steps: 8", "method: chebyshev, tolerance: 1e-6", rim);
      run(medium, "scheme: explicit, courant: 0.5, steps: 40", "method: cg", rim);
      run(medium, "scheme: numerov, courant: 0.6, steps: 8", "method: chebyshev, tolerance: 1e-6",
          rim + ", space: {order: 4}");
    }
  run(media[0], "scheme: explicit, courant: 0.5, steps: 40", "method: cg", ", space: {order: 8}");
}

/// Saves nowhere, and counts; of ranks but the first one `knows` nothing.
struct Keeper final : StateKeeper {
  explicit Keeper(bool is_first) : knows(is_first) {}
  bool has(long step) const override { return knows && step == last; }
  void save(long step, double, const std::function<void(Archive&)>& name_state) override {
    SavedState state;
    SaveInMemory to(state);
    name_state(to);
    last = step, ++saves;
  }
  bool knows;
  long last = -1;
  int saves = 0;
};

TEST(RanksOfARun, SaveAStateOnceThatIsDueWhereTheRunIsStopped) {
  const Config c = config(in(tall, media[0], "courant: 1, steps: 40", "method: cg", rims[0]));
  run_rank_threads(3, [&](Ranks& ranks) {
    Simulation simulation(c, "cpu", &ranks);
    Keeper keeper(ranks.rank() == 0);
    Supervision supervision;
    supervision.keeper = &keeper, supervision.every = 5, supervision.at_end = true;
    simulation.supervise(supervision);
    Told writer;
    writer.stop_after = 10;
    simulation.run(ranks.rank() == 0 ? std::vector<Writer*>{&writer} : std::vector<Writer*>{}, {},
                   writer.stop);
    EXPECT_EQ(keeper.saves, 2);
    EXPECT_EQ(keeper.last, 10);
  });
}

}  // namespace
}  // namespace wavesim::test
