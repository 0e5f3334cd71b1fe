// What may be another one when a run goes on, and durations.

#include "sim/config/continued.hpp"
#include "sim/config/duration.hpp"
#include "tests/config/configs.hpp"

namespace wavesim {
namespace {

TEST(Duration, IsANumberWithAUnitOrSeveral) {
  EXPECT_EQ(duration("90s"), 90);
  EXPECT_EQ(duration("30min"), 1800);
  EXPECT_EQ(duration("30 min"), 1800);
  EXPECT_EQ(duration("1.5h"), 5400);
  EXPECT_EQ(duration("1h30min"), 5400);
  EXPECT_EQ(duration("2d"), 172800);
  for (const char* wrong : {"", "30", "min", "1m", "-3s", "1h 30", "0s", "nans", "infs", "1e400h", "2 hours"})
    EXPECT_FALSE(duration(wrong)) << wrong;
}

TEST(Duration, IsAskedForWithAnExample) {
  for (const char* key : {"checkpoint.wall=30", "time.wall-limit=soon", "checkpoint=7"}) {
    const std::string sentence = refusal_of("", {key});
    EXPECT_NE(sentence.find("'checkpoint.wall' must be a time on the clock such as 90s") == std::string::npos,
              sentence.find("'time.wall-limit' must be a time on the clock such as 90s") == std::string::npos)
        << sentence;
  }
}

TEST(CheckpointSection, HasDefaultsAndAShortForm) {
  EXPECT_EQ(with("").checkpoint, nullptr);
  EXPECT_EQ(with("", {"checkpoint={}"}).checkpoint->wall_seconds(), 1800);
  EXPECT_EQ(with("", {"checkpoint=2h"}).checkpoint->wall_seconds(), 7200);
  EXPECT_EQ(with("", {"checkpoint.every=10"}).checkpoint->wall_seconds(),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(with("", {"checkpoint.every=10", "checkpoint.wall=1min"}).checkpoint->wall_seconds(), 60);
  EXPECT_EQ(with("", {"checkpoint={}"}).checkpoint->keep, 2);
}

std::string dump(const std::vector<std::string>& set) {
  Config c = with("", set);
  return dump_config(c);
}

/// The sentence of a refusal; empty: none.
std::string refused(const std::vector<std::string>& now, bool same_result = true) {
  try {
    check_continued(dump({}), dump(now), {"drum.yaml", 1, 1, ""}, "a.h5", same_result);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(ContinuedRun, MayChangeItsEndOutputsSolverDeviceAndCheckpoints) {
  for (const char* key :
       {"time.end=0.7", "time.wall-limit=1h", "solver.method=chebyshev", "solver.tolerance=1e-9",
        "device=cpu", "checkpoint.every=3", "output.fields.every=3", "output.fields.compression=0",
        "output.directory=there", "output.pictures.every=4", "output.energy.every=2", "output.buffer=9",
        "name=other", "solver.on-failure=continue", "time.courant=1"})
    EXPECT_EQ(refused({key}), "") << key;
}

TEST(ContinuedRun, MayChangeNothingElse) {
  for (const char* key :
       {"grid.cells=[7, 9]", "grid.origin=[1, 0]", "medium.speed=7", "edges=free", "time.scheme=two-level",
        "time.courant=0.25", "precision=single", "initial.velocity=3",
        "sources=[{at: [0.5, 0.5], ricker: {frequency: 3}}]", "receivers=[{at: [0.5, 0.5]}]",
        "shape={circle: {center: [0.5, 0.5], radius: 0.4}}"}) {
    const std::string path = std::string(key).substr(0, std::string(key).find_first_of(".=")),
                      sentence = refused({key});
    EXPECT_EQ(sentence.rfind("drum.yaml:1:1: '" + path, 0), 0u) << key << " -> " << sentence;
    EXPECT_NE(sentence.find("and was "), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("a.h5"), std::string::npos) << sentence;
  }
}

TEST(ContinuedRun, NeedsAnotherFolderForFramesOfAnotherShape) {
  for (const char* key : {"output.fields.stride=2", "output.fields.precision=double",
                          "output.fields.layers=true", "output.fields.quantities=[velocity]",
                          "output.fields.formats=[vtkhdf, vti]", "output.receivers.formats=[csv]",
                          "output.energy.balance=true", "solver.on-failure={fallback: [bicgstab]}"}) {
    EXPECT_NE(refused({key}).find("--restart a.h5 --output DIR"), std::string::npos) << refused({key});
    EXPECT_EQ(refused({key}, false), "") << key;
  }
  for (const bool same : {true, false})
    EXPECT_NE(refused({"output.fields.quantities=[displacement, max-displacement]"}, same)
                  .find("from the first step on"),
              std::string::npos);
}

TEST(ContinuedRun, NeedsAnotherFolderForAnotherChainOfSolvers) {
  const std::string chain = "solver.on-failure={fallback: [bicgstab]}";
  const auto refusal = [&](const std::string& key) -> std::string {
    try {
      check_continued(dump({chain}), dump({chain, key}), {"drum.yaml", 1, 1, ""}, "a.h5", true);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  for (const char* key :
       {"solver.on-failure={fallback: [gmres]}", "solver.on-failure=stop", "solver.method=jacobi"})
    EXPECT_NE(refusal(key).find("--restart a.h5 --output DIR"), std::string::npos) << key;
  EXPECT_EQ(refusal("solver.tolerance=1e-9"), "");
}

TEST(ContinuedRun, SaysThatPhaseErrorChoosesForTheEnd) {
  try {
    check_continued(dump({}), dump({"space.order=4"}), {"drum.yaml", 1, 1, ""}, "a.h5", true,
                    "time.phase-error: numerov");
    FAIL() << "another order in space";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("(time.phase-error: numerov, for this end of the run"),
              std::string::npos)
        << e.what();
  }
}

TEST(ContinuedRun, NamesTheKeyWithBothValues) {
  EXPECT_NE(refused({"grid.cells=[7, 9]"}).find("'grid.cells' is [7, 9], and was ["), std::string::npos)
      << refused({"grid.cells=[7, 9]"});
  EXPECT_NE(refused({"receivers=[{at: [0.5, 0.5]}]"}).find("and was absent"), std::string::npos);
}

TEST(ContinuedRun, KnowsWhetherTheSolverIsTheSame) {
  EXPECT_TRUE(same_solver(dump({}), dump({"time.end=3", "output.fields.every=2"})));
  for (const char* key :
       {"solver.method=chebyshev", "solver.guess=projection", "solver.preconditioner=jacobi"})
    EXPECT_FALSE(same_solver(dump({}), dump({key}))) << key;
}

}  // namespace
}  // namespace wavesim
