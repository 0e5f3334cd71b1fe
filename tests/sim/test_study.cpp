// Studies: what candidates do is what a run with them does.

#include "sim/run/choose_device.hpp"
#include "sim/study/study.hpp"

#include <algorithm>

#include "sim/run/simulation.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

/// A small drum in a rectangle, blown at.
const char* const drum = R"yaml(
grid: {size: [1, 1], cells: [20, 20]}
shape: {circle: {center: [0.5, 0.5], radius: 0.45}}
medium: {speed: 1, damping: 0.5}
initial: {velocity: {gaussian: {center: [0.4, 0.5], width: 0.1}}}
time: {courant: 4, steps: 8}
)yaml";

const std::atomic<bool> never{false};

std::vector<StudyRow> study(const std::string& more, const std::string& base = drum,
                            const std::string& device = "cpu") {
  std::vector<StudyRow> rows;
  const StudyPlan plan = plan_study(config(base + more));
  run_study(plan, choose_device(device), 1e10,
            {[](const StudyRow&) { return false; }, [&](const StudyRow& r) { rows.push_back(r); },
             [](const StudyProgress&) {}},
            never);
  EXPECT_EQ(long(rows.size()), plan.rows());
  return rows;
}

const StudyRow& row_of(const std::vector<StudyRow>& rows, const std::string& candidate, long step) {
  static const StudyRow none;
  for (const StudyRow& r : rows)
    if (r.candidate == candidate && r.step == step) return r;
  ADD_FAILURE() << "no row of " << candidate << " at step " << step;
  return none;
}

/// Iterations of each step of a run.
std::vector<int> iterations(const std::string& solver) {
  Running run(drum + ("solver: " + solver + "\n"));
  run.finish();
  return run.iterations;
}

// A run with the reference tolerance of its own solver goes the same way as a plain run, to the bit.
TEST(Study, TakesAsManyIterationsAsAPlainRunWithThatSolver) {
  const char* const solvers[] = {"{method: cg}", "{method: bicgstab, preconditioner: jacobi}",
                                 // with a guess it solves; without, a run takes its steps at once
                                 "{method: chebyshev, guess: extrapolate, guess-degree: 1}",
                                 "{method: gmres, format: csr, restart: 10}",
                                 "{method: cg, guess: extrapolate, guess-degree: 1}",
                                 "{method: cg, guess: projection, guess-solutions: 3}",
                                 "{method: cg, norm: relative-2}", "{method: cg, norm: max}"};
  for (const std::string solver : solvers) {
    const auto rows =
        study("solver: " + solver +
              "\nstudy: {every: 1, reference-tolerance: 1e-6, repetitions: 2, candidates: " + solver + "}\n");
    const std::vector<int> plain = iterations(solver);
    ASSERT_EQ(rows.size(), plain.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      EXPECT_EQ(rows[k].iterations, plain[k]) << solver << " at step " << rows[k].step;
      EXPECT_EQ(rows[k].status, "converged");
      EXPECT_EQ(rows[k].error_max, 0) << solver << ": the run's own solution is that of this solver";
    }
  }
}

TEST(Study, JudgesResidualErrorAndHistoryOfEachCandidate) {
  const auto rows = study(
      "study: {at: [3, 7], candidates: {methods: [cg, jacobi], tolerances: [1e-4, 1e-8], precisions: "
      "[double, "
      "mixed]}}\n");
  ASSERT_EQ(rows.size(), 16u);
  for (const StudyRow& r : rows) {
    ASSERT_EQ(r.status, "converged") << r.candidate;
    EXPECT_GT(r.residual_2, 0);
    EXPECT_LE(r.residual_2, r.tolerance * (1 + 1e-12)) << r.candidate;
    EXPECT_GT(r.error_2, 0);
    EXPECT_LE(r.error_2, 33 * r.tolerance) << "the condition number is 1 + 2 * 16";
    EXPECT_GT(r.solve_seconds, 0);
    EXPECT_LE(r.least_seconds, r.solve_seconds);
    EXPECT_GT(r.setup_seconds, 0);
    EXPECT_GT(r.bytes, 0);
    EXPECT_GT(r.memory_bytes, 0);
    EXPECT_DOUBLE_EQ(r.bandwidth_share, r.bytes / r.solve_seconds / 1e10);
    EXPECT_DOUBLE_EQ(r.iteration_seconds, r.solve_seconds / double(r.iterations));
    ASSERT_EQ(long(r.history.size()), r.iterations + 1);
    EXPECT_DOUBLE_EQ(r.history.front(), 1) << "from zero the first residual is the right-hand side";
    EXPECT_LE(r.history.back(), r.tolerance);
  }
  EXPECT_LT(row_of(rows, "cg tolerance=1e-08", 3).iterations,
            row_of(rows, "jacobi tolerance=1e-08", 3).iterations);
}

TEST(Study, SolvesInAnotherPrecisionThanTheRun) {
  const auto rows = study("study: {at: [2], candidates: {methods: [cg], precisions: [double, single]}}\n");
  const StudyRow &d = row_of(rows, "cg", 2), &s = row_of(rows, "cg single", 2);
  EXPECT_EQ(s.status, "converged");
  EXPECT_NEAR(s.bytes / double(s.iterations), 0.5 * d.bytes / double(d.iterations),
              0.1 * d.bytes / double(d.iterations));
  const auto other = study(
      "precision: single\nsolver: {tolerance: 1e-4}\nstudy: {at: [2], candidates: {methods: [cg], "
      "precisions: "
      "[double, single]}}\n");
  for (const StudyRow& r : other) EXPECT_EQ(r.status, "converged") << r.candidate;
  EXPECT_GT(row_of(other, "cg double", 2).bytes, row_of(other, "cg", 2).bytes);
}

TEST(Study, KeepsACandidateThatDoesNotFitOrFailsAsARow) {
  const auto rows = study(
      "study:\n  at: [1, 2]\n  candidates:\n    - {method: sine-transform}\n    - {method: cg, "
      "max-iterations: 2}\n"
      "    - {method: chebyshev, preconditioner: jacobi}\n    - {method: cg, preconditioner: ilu0}\n    - "
      "{method: cg}\n");
  ASSERT_EQ(rows.size(), 10u);
  for (long step : {1, 2}) {
    const StudyRow& direct = row_of(rows, "sine-transform", step);
    EXPECT_EQ(direct.status, "does-not-fit");
    EXPECT_NE(direct.message.find("methods that fit here: cg, "), std::string::npos) << direct.message;
    EXPECT_TRUE(std::isnan(direct.solve_seconds));
    EXPECT_TRUE(direct.history.empty());
    const StudyRow& few = row_of(rows, "cg max-iterations=2", step);
    EXPECT_EQ(few.status, "max-iterations");
    EXPECT_EQ(few.iterations, 2);
    EXPECT_EQ(few.history.size(), 3u);
    EXPECT_GT(few.residual_2, few.tolerance);
    EXPECT_FALSE(few.message.empty());
    EXPECT_EQ(row_of(rows, "chebyshev+jacobi", step).status, "does-not-fit");
    EXPECT_EQ(row_of(rows, "cg", step).status, "converged");
  }
}

TEST(Study, GoesThroughCourantNumbersAndGrids) {
  const auto rows =
      study("study: {at: [2, 12], candidates: {method: cg}, sweep: {courant: [0.5, 8], cells: [10, 30]}}\n");
  ASSERT_EQ(rows.size(), 8u);
  const double courant[] = {0.5, 0.5, 8, 8, 0.5, 0.5, 8, 8};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const StudyRow& r = rows[k];
    EXPECT_EQ(r.point, long(k) / 2);
    EXPECT_EQ(r.cells_x, k < 4 ? 10 : 30);
    EXPECT_EQ(r.cells_y, r.cells_x);
    EXPECT_NEAR(r.courant, courant[k], 1e-12);
    EXPECT_EQ(r.step, k % 2 ? 12 : 2) << "the run goes on beyond its 8 steps";
    EXPECT_NEAR(r.time, double(r.step) * r.courant / double(r.cells_x), 1e-12);
    EXPECT_TRUE(r.converged());
  }
  EXPECT_LT(rows[0].iterations, rows[2].iterations);
}

TEST(Study, SkipsRowsThatAreThereAndGoesOnAsIfTheyWereNot) {
  const std::string text =
      "study: {at: [1, 4, 6], candidates: {methods: [cg, jacobi], guesses: [previous, projection]}}\n";
  const auto whole = study(text);
  const StudyPlan plan = plan_study(config(drum + text));
  std::vector<StudyRow> rows(whole.begin(), whole.begin() + 6), fresh;
  run_study(plan, choose_device("cpu"), 0,
            {[&](const StudyRow& r) {
               return std::any_of(rows.begin(), rows.end(), [&](auto& o) { return o.same_place(r); });
             },
             [&](const StudyRow& r) { fresh.push_back(r); }, [](const StudyProgress&) {}},
            never);
  ASSERT_EQ(fresh.size(), 6u);
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    EXPECT_TRUE(fresh[k].same_place(whole[6 + k]));
    EXPECT_EQ(fresh[k].iterations, whole[6 + k].iterations);
    EXPECT_EQ(fresh[k].history, whole[6 + k].history);
    EXPECT_EQ(fresh[k].error_2, whole[6 + k].error_2);
  }
}

TEST(Study, FindsOnTheGpuWhatItFindsOnTheCpu) {
  if (cuda_facts().empty()) GTEST_SKIP() << why_no_cuda();
  const std::string text =
      "study: {at: [1, 5], candidates: [all, {methods: [cg], precisions: [single, mixed], guesses: "
      "[previous, "
      "projection]}]}\n";
  const auto cpu = study(text), gpu = study(text, drum, "cuda");
  ASSERT_EQ(cpu.size(), gpu.size());
  for (std::size_t k = 0; k < cpu.size(); ++k) {
    ASSERT_TRUE(cpu[k].same_place(gpu[k]));
    EXPECT_EQ(cpu[k].status, gpu[k].status) << cpu[k].candidate;
    if (!find_method(cpu[k].method)->repeatable) continue;
    if (cpu[k].method == "auto") continue;  // goes by the prices of the device
    EXPECT_EQ(cpu[k].iterations, gpu[k].iterations) << cpu[k].candidate;
    EXPECT_EQ(cpu[k].history, gpu[k].history) << cpu[k].candidate;
    EXPECT_EQ(cpu[k].error_2, gpu[k].error_2) << cpu[k].candidate;
  }
}

TEST(Study, EndsAfterTheRowAtHandWhenToldTo) {
  std::atomic<bool> stop{false};
  long rows = 0;
  run_study(plan_study(config(drum + std::string("study: {every: 2, candidates: all}\n"))),
            choose_device("cpu"), 0,
            {[](const StudyRow&) { return false; }, [&](const StudyRow&) { stop = ++rows == 3; },
             [](const StudyProgress&) {}},
            stop);
  EXPECT_EQ(rows, 3);
}

TEST(Study, RefusesWhatHasNoSystemsOrNotThatStep) {
  EXPECT_SENTENCE(plan_study(config("time: {scheme: explicit, courant: 0.5, steps: 3}\n"
                                    "study: {at: [1], candidates: all}\n")),
                  "scheme explicit has no systems to study", "crank-nicolson");
  EXPECT_SENTENCE(plan_study(config(drum + std::string("study: {at: [9], candidates: all}\n"))),
                  "names step 9, and the run has 8", "study.at");
}

TEST(Study, SaysWhenItsOwnRunCannotGoOn) {
  const std::string text =
      "solver: {method: jacobi, max-iterations: 20, tolerance: 0.1}\nstudy: {at: [4], candidates: {method: "
      "cg}, "
      "reference-tolerance: 1e-18}\n";
  try {
    study(text);
    FAIL() << "jacobi cannot reach 1e-18";
  } catch (const SolveError& e) {
    EXPECT_NE(std::string(e.what()).find("study.reference-tolerance"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace wavesim::test
