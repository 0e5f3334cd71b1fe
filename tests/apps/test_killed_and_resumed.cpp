// The program is killed (kill -9) at random moments and resumed, until it comes to its end: every dataset, table
// and picture is that of a run that was never killed. WAVESIM_KILLS says how often, WAVESIM_KILL_SEED when.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "tests/apps/program.hpp"
#include "tests/output/same_results.hpp"

namespace wavesim {
namespace {

const char* const head = R"yaml(name: killed
grid: {size: [1, 1], cells: [96, 96]}
initial: {displacement: {gaussian: {center: [0.4, 0.5], width: 0.05}}}
sources: [{name: s, at: [0.2, 0.21], ricker: {frequency: 5, delay: 0.2}}]
receivers: [{name: line, from: [0.1, 0.1], to: [0.9, 0.7], count: 5}]
time: {steps: 400, scheme: SCHEME, courant: COURANT}
checkpoint: {every: 7}
output:
  fields: {every: 3, formats: FORMATS, quantities: [displacement, velocity, max-displacement, arrival-time],
           arrival-threshold: 0.01}
  energy: {every: 5, balance: BALANCE}
)yaml";

struct Kind {
  const char *scheme, *courant, *precision, *solver, *medium, *more = "";
};
constexpr Kind kinds[] = {
    {"crank-nicolson", "2", "double", "{method: cg, guess: extrapolate, guess-degree: 2}",
     "{speed: '1 + x', damping: 0.2}"},
    {"crank-nicolson", "1", "single", "{method: chebyshev, tolerance: 1e-4}", "{speed: 1}"},
    {"explicit", "0.5", "double", "{method: cg}", "{speed: '1 + y'}"},
    {"two-level", "4", "double", "{method: auto}", "{speed: '1 + x', density: '2 - y'}"},
    {"crank-nicolson", "8", "mixed", "{method: cg, preconditioner: multigrid}", "{speed: '1 + 0.5 * x'}"},
    {"theta, weights: [0.4, 0.3, 0.3]", "2", "single",
     "{method: bicgstab, guess: projection, tolerance: 1e-4}", "{speed: '1 + x'}"},
    {"numerov", "0.6", "double", "{method: cg}", "{speed: '1 + 0.5 * x', damping: 0.1}",
     "space: {order: 4}\nedges: {left: absorbing, right: {driven: {sinusoid: {frequency: 3, amplitude: "
     "0.1}}}, bottom: free, "
     "top: absorbing}\n"},
    {"crank-nicolson, order: 4", "2", "double", "{method: cg, guess: extrapolate, guess-degree: 1}",
     "{speed: '1 + 0.5 * x'}", "space: {order: 4}\nedges: {absorbing: {radiation: {}}}\n"},
    {"explicit", "0.6", "single", "{method: cg}", "{speed: 1}",
     "edges: {absorbing: {pml: {thickness: 8 cells}}}\n"},
    {"crank-nicolson", "3", "double",
     "{method: jacobi, max-iterations: 20, energy: exact, on-failure: {fallback: [{method: cg, "
     "preconditioner: "
     "ic0}]}}",
     "{speed: '1 + y'}",
     "shape: {circle: {center: [0.5, 0.5], radius: 0.45}, edge: {absorbing: {reflection: 0.5}}}\n"},
};

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  return text.replace(text.find(word), word.size(), by);
}

std::string yaml(const Kind& k) {
  std::string text = replaced(replaced(head, "SCHEME", k.scheme), "COURANT", k.courant);
  const std::string scheme = k.scheme;
  const bool balance =
      scheme[0] != 't' && scheme.find("order: 4") == std::string::npos;  // else it is refused
  text = replaced(text, "BALANCE", balance ? "true" : "false");
#ifdef WAVESIM_HAVE_VTK
  text = replaced(text, "FORMATS", "[vtkhdf, vti]") + "  pictures: {every: 5, width: 120}\n";
#else
  text = replaced(text, "FORMATS", "[vtkhdf]");
#endif
  return text + "precision: " + k.precision + "\nsolver: " + k.solver + "\nmedium: " + k.medium + "\n" +
         k.more;
}

long number_of(const char* variable, long usual) {
  const char* const text = std::getenv(variable);
  return text ? std::atol(text) : usual;
}

TEST(KilledAndResumed, RunsWriteWhatTheyWriteWhenNobodyKillsThem) {
  const long wanted = number_of("WAVESIM_KILLS", 6);
  const long seed = number_of("WAVESIM_KILL_SEED", long(std::random_device()()));
  SCOPED_TRACE("WAVESIM_KILL_SEED=" + std::to_string(seed));
  std::mt19937 random{std::mt19937::result_type(seed)};
  long kills = 0, ended = 0;
  for (std::size_t turn = std::size_t(seed) % std::size(kinds); kills < wanted; ++turn) {
    const Kind& kind = kinds[turn % std::size(kinds)];
    Workplace here;
    here.write("killed.yaml", yaml(kind));
    SCOPED_TRACE(yaml(kind));
    const auto before = std::chrono::steady_clock::now();
    const Outcome whole = here.run({"killed.yaml", "-q"});
    ASSERT_EQ(whole.status, 0) << whole.err;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    std::filesystem::rename(here.folder() / "results/killed", here.folder() / "whole");
    std::uniform_real_distribution<double> moment(0, 0.5 * seconds);
    for (long here_killed = 0;; ++here_killed) {
      const bool last = here_killed == 10 || kills == wanted;
      const Outcome run = here.run({"killed.yaml", "-q", "--resume"}, {}, [&](pid_t child) {
        if (last) return;
        std::this_thread::sleep_for(std::chrono::duration<double>(moment(random)));
        kill(child, SIGKILL);
      });
      if (run.status == 0) break;
      ASSERT_EQ(run.status, 128 + SIGKILL) << run.err;
      ++kills;
    }
    ++ended;
    testing::expect_same_results(here.folder() / "whole", here.folder() / "results/killed");
    if (HasFailure()) return;
  }
  std::printf("%ld kills, %ld runs came to their end with the same results\n", kills, ended);
}

}  // namespace
}  // namespace wavesim
