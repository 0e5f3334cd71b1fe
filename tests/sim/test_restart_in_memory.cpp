// A run that is saved in the middle and goes on with objects of its own: not a bit differs from a run that
// was never stopped, whatever steps it.

#include <gtest/gtest.h>

#include <cstring>

#include "solvers/catalogue/catalogue.hpp"
#include "tests/sim/restarted.hpp"

namespace wavesim::test {
namespace {

SavedState saved(Stepper& stepper) {
  SavedState state;
  SaveInMemory to(state);
  stepper.archive(to);
  return state;
}
void load(Stepper& stepper, const SavedState& state) {
  LoadFromMemory from(state);
  stepper.archive(from);
}

/// All that can be read of a run at its end.
struct Ending {
  std::vector<Bits> fields, samples;
  Bits energy;
  std::vector<int> iterations;  // of the second half
  std::string set_up;
  SavedState state;
};

/// Takes a sample after each step, and none away.
void advance(Running& r, long to) {
  while (r.done < to) {
    r.step();
    ASSERT_TRUE(r.stepper->sample(r.time()));
  }
}

Ending ending(Running& r, long middle) {
  Ending e;
  e.state = saved(*r.stepper);
  for (const Quantity q : {Quantity::displacement, Quantity::velocity, Quantity::energy_density})
    e.fields.push_back(bits(r.field(q)));
  if (e.state.contains("maximum")) e.fields.push_back(bits(r.field(Quantity::max_displacement)));
  if (e.state.contains("arrival")) e.fields.push_back(bits(r.field(Quantity::arrival_time)));
  e.energy = bits({r.stepper->energy(), r.stepper->largest_displacement()});
  for (const auto& row : r.stepper->samples()) e.samples.push_back(bits(row));
  e.iterations.assign(r.iterations.end() - (r.plan.steps - middle), r.iterations.end());
  e.set_up = r.stepper->set_up();
  return e;
}

Ending never_stopped(const std::string& yaml, const std::string& device, long middle) {
  Running r(yaml, device);
  advance(r, r.plan.steps);
  return ending(r, middle);
}

/// The state after `middle` steps.
SavedState middle_of(const std::string& yaml, const std::string& device, long middle) {
  Running r(yaml, device);
  advance(r, middle);
  return saved(*r.stepper);
}

Ending gone_on(const std::string& yaml, const std::string& device, long middle, const SavedState& state) {
  Running r(yaml, device);
  load(*r.stepper, state);
  r.done = middle;
  EXPECT_EQ(saved(*r.stepper), state);
  advance(r, r.plan.steps);
  return ending(r, middle);
}

bool same(const Ending& a, const Ending& b) {
  return a.fields == b.fields && a.samples == b.samples && a.energy == b.energy &&
         a.iterations == b.iterations && a.set_up == b.set_up && a.state == b.state;
}

void expect_the_same_bits(const std::string& yaml, const std::string& device, long middle) {
  SCOPED_TRACE(device + ", saved after " + std::to_string(middle) + " steps: " + yaml);
  const Ending whole = never_stopped(yaml, device, middle),
               two = gone_on(yaml, device, middle, middle_of(yaml, device, middle));
  EXPECT_EQ(whole.iterations, two.iterations);
  EXPECT_EQ(whole.fields, two.fields);
  EXPECT_EQ(whole.energy, two.energy);
  EXPECT_EQ(whole.samples, two.samples);
  EXPECT_EQ(whole.set_up, two.set_up);
  for (const auto& [name, entry] : whole.state) {
    const auto other = two.state.find(name);
    EXPECT_TRUE(other != two.state.end() && other->second == entry) << name;
  }
  EXPECT_EQ(whole.state.size(), two.state.size());
}

const std::vector<std::string> implicit_schemes{"crank-nicolson", "two-level",
                                                "theta, weights: [0.4, 0.3, 0.3]"};
const std::vector<std::string> guesses{"previous", "extrapolate, guess-degree: 0",
                                       "extrapolate, guess-degree: 2", "projection, guess-solutions: 4"};

/// Every scheme, method and guess; medium and precision take turns, so that all pairs of them occur.
TEST(RestartInMemory, GivesTheSameBitsForEveryMethodSchemeAndGuess) {
  int turn = 0;
  for (const std::string& device : devices())
    for (const Method& m : solver_methods()) {
      if (!m.repeatable || m.triangular) continue;
      for (const std::string& scheme : implicit_schemes)
        for (const std::string& guess : guesses) {
          ++turn;
          const bool rectangle = m.structure == Structure::rectangle || turn % 2 == 0;
          const bool single = !m.doubles && turn % 3 == 0;
          expect_the_same_bits(
              yaml(rectangle ? constant : varying, scheme, std::string(m.name), single, guess), device, 7);
        }
    }
}

TEST(RestartInMemory, GivesTheSameBitsForTheExplicitScheme) {
  for (const std::string& device : devices())
    for (const char* medium : {constant, varying})
      for (const bool single : {false, true})
        for (const long middle : {0, 1, 7})
          expect_the_same_bits(yaml(medium, "explicit", "cg", single), device, middle);
}

TEST(RestartInMemory, GivesTheSameBitsInPerfectlyMatchedLayers) {
  const char* medium =
      "grid: {size: [1, 0.8], cells: [21, 17]}, edges: {left: absorbing, right: free, bottom: {absorbing: "
      "{pml: "
      "{thickness: 5 cells}}}, top: {driven: {sinusoid: {frequency: 2, amplitude: 0.2}}}}, medium: {speed: "
      "1}";
  for (const std::string& device : devices())
    for (const char* scheme : {"crank-nicolson", "two-level", "explicit"})
      for (const char* method : {"cg", "chebyshev"})
        for (const bool single : {false, true})
          for (const long middle : {0, 1, 7})
            expect_the_same_bits(yaml(medium, scheme, method, single), device, middle);
  for (const std::string& device : devices())
    for (const char* method : {"cg", "chebyshev"})
      expect_the_same_bits(yaml((std::string("space: {order: 4}, ") + medium).c_str(), "numerov", method,
                                false, "previous", "", 14, 0.6),
                           device, 7);
}

TEST(RestartInMemory, GivesTheSameBitsOnNinePoints) {
  for (const std::string& device : devices())
    for (const char* scheme : {"numerov", "crank-nicolson, order: 4"})
      for (const char* method : {"cg", "chebyshev", "gmres", "auto"})
        for (const bool single : {false, true})
          for (const long middle : {0, 1, 7})
            expect_the_same_bits(
                with(
                    "{precision: %s, grid: {size: [1, 1], cells: [30, 24]}, space: {order: 4}, shape: "
                    "{circle: "
                    "{center: [0.5, 0.5], radius: 0.4}}, medium: {speed: '1 + x', damping: 0.2}, initial: "
                    "{displacement: {gaussian: {center: [0.4, 0.5], width: 0.1}}}, receivers: [{name: r, at: "
                    "[0.41, "
                    "0.53]}], time: {scheme: %s, courant: 0.6, steps: 14}, solver: {method: %s, "
                    "tolerance: "
                    "1e-5}, output: {fields: {quantities: [displacement, max-displacement, arrival-time]}}}",
                    single ? "single" : "double", scheme, method),
                device, middle);
  for (const std::string& device : devices())
    for (const char* guess : {"extrapolate, guess-degree: 1", "projection"})
      expect_the_same_bits(yaml(varying, "crank-nicolson, order: 4", "cg", false, guess), device, 7);
}

/// Each with a method that takes it.
TEST(RestartInMemory, GivesTheSameBitsForEveryPreconditioner) {
  for (const std::string& device : devices())
    for (const PreconditionerEntry& M : solver_preconditioners()) {
      if (M.name == "none" || !M.repeatable) continue;
      const char* method = !M.fixed ? "fcg" : M.symmetric ? "cg" : "bicgstab";
      for (const char* medium : {constant, varying})
        expect_the_same_bits(yaml(medium, "two-level", method, false, "extrapolate, guess-degree: 1",
                                  ", preconditioner: " + std::string(M.name)),
                             device, 7);
    }
  for (const std::string& device : devices())
    expect_the_same_bits(yaml(varying, "crank-nicolson", "fgmres", false, "projection, guess-solutions: 3",
                              ", preconditioner: {type: steps, method: gmres, steps: 3}"),
                         device, 6);
}

TEST(RestartInMemory, GivesTheSameBitsForEveryFormatAndKindOfAssembly) {
  for (const std::string& device : devices())
    for (const Format& format : solver_formats()) {
      if (!format.repeatable) continue;
      for (const char* assembly : {"once", "each-step"})
        for (const char* method : {"cg", "chebyshev", "auto"})
          expect_the_same_bits(yaml(varying, "two-level", method, false, "previous",
                                    ", format: " + std::string(format.name) + ", assembly: " + assembly),
                               device, 5);
    }
}

/// Saved at once, after the first step, which may have another matrix, and one step before the end.
TEST(RestartInMemory, MayHappenAfterAnyStep) {
  for (const std::string& device : devices())
    for (const char* method : {"cg", "chebyshev", "sine-transform", "auto"})
      for (const std::string& scheme : implicit_schemes)
        for (const char* guess : {"previous", "extrapolate, guess-degree: 2", "projection"})
          for (const long middle : {0, 1, 2, 13})
            expect_the_same_bits(yaml(constant, scheme, method, false, guess), device, middle);
}

/// A wave that is rough enough for Chebyshev's first pass to be of the other kind.
std::string rough_by_chebyshev() {
  return "{grid: {size: [1, 1], cells: [64, 64]}, medium: {speed: 1}, initial: {displacement: 'sin(1e6 * x * "
         "(1 + y)) * sin(7e5 * y)'}, time: {courant: 1.5, steps: 24}, solver: {method: chebyshev, norm: "
         "relative-2, tolerance: 1e-6}}";
}
/// Small beside the field: sine transforms go back to solves.
std::string small_by_transforms() {
  return "{grid: {size: [1, 1], cells: [64, 64]}, medium: {speed: 1}, initial: {displacement: '1e6 + 0 * x + "
         "exp(-50 * (x - 0.4)^2)'}, edges: free, time: {courant: 1, steps: 6}, solver: {method: "
         "sine-transform, norm: increment, tolerance: 1e-13}}";
}
/// Long enough for trials, and for a method of choice that is another one at the end.
std::string long_by_choice(const char* more = "") {
  return with(
      "{grid: {size: [1, 1.1], cells: [64, 50]}, medium: {speed: '1 + 0.5 * sin(9 * x)'}, initial: "
      "{displacement: {gaussian: {center: [0.4, 0.5], width: 0.1, amplitude: 1}}}, time: {courant: 5, steps: "
      "60}, solver: {method: auto, tolerance: 1e-9%s}}",
      more);
}

TEST(RestartInMemory, GivesTheSameBitsWhereMethodsHaveLearnt) {
  for (const std::string& device : devices()) {
    expect_the_same_bits(rough_by_chebyshev(), device, 12);
    expect_the_same_bits(small_by_transforms(), device, 3);
    for (const char* more : {"", ", guess: extrapolate"})
      for (const long middle : {1, 7, 30, 50}) expect_the_same_bits(long_by_choice(more), device, middle);
  }
}

/// Whether the run ends with other bits if it takes all entries whose names begin so from a state before the
/// first step.
bool matters(const std::string& yaml, long middle, const std::string& part) {
  const SavedState state = middle_of(yaml, "cpu", middle), first = middle_of(yaml, "cpu", 0);
  SavedState forgetful;
  for (const auto& entry : state)
    if (!entry.first.starts_with(part)) forgetful.insert(entry);
  for (const auto& entry : first)
    if (entry.first.starts_with(part)) forgetful.insert(entry);
  EXPECT_NE(forgetful, state) << part << " is what it was";
  return !same(never_stopped(yaml, "cpu", middle), gone_on(yaml, "cpu", middle, forgetful));
}

TEST(RestartInMemory, NeedsEachPart) {
  const std::string by_cg = yaml(varying, "two-level", "cg", false, "extrapolate, guess-degree: 2");
  for (const char* part : {"u", "p", "maximum", "arrival", "guess/", "receivers/"})
    EXPECT_TRUE(matters(by_cg, 7, part)) << part;
  EXPECT_TRUE(matters(yaml(varying, "two-level", "cg", false, "projection"), 7, "guess/"));
  EXPECT_TRUE(matters(rough_by_chebyshev(), 12, "solver/"));
  EXPECT_TRUE(matters(long_by_choice(), 50, "solver/"));
}

TEST(RestartInMemory, RefusesCountsThatPointNowhere) {
  const auto taken_with = [](const std::string& run, const std::string& name, int count) {
    SavedState state = middle_of(run, "cpu", 7);
    for (auto& [known, entry] : state)
      if (known.ends_with(name)) std::memcpy(entry.bytes.data(), &count, sizeof count);
    Running r(run);
    load(*r.stepper, state);
  };
  EXPECT_SENTENCE(taken_with(yaml(constant, "two-level", "cg", false, "projection"), "guess/solutions", -3),
                  "there are -3 solutions to project on");
  EXPECT_SENTENCE(taken_with(long_by_choice(), "candidates/now", 99), "took candidate 99 of");
  EXPECT_SENTENCE(taken_with(long_by_choice(), "candidates/made", 99), "had made a candidate 99");
}

TEST(RestartInMemory, RefusesAStateOfAnotherRun) {
  const SavedState state = middle_of(yaml(constant, "two-level", "cg", false), "cpu", 3);
  const auto taken_by = [&](const std::string& other) {
    Running r(other);
    load(*r.stepper, state);
  };
  EXPECT_SENTENCE(taken_by(yaml(constant, "two-level", "cg", true)), "'u' is double", "needs float");
  EXPECT_SENTENCE(taken_by("{grid: {size: [1, 1], cells: [12, 12]}}"), "'u'", "11 x 11");
  EXPECT_SENTENCE(taken_by(yaml(constant, "two-level", "chebyshev", false)), "missing", "solver/");
  EXPECT_SENTENCE(taken_by(yaml(constant, "two-level", "cg", false, "projection")), "missing", "guess/");
}

}  // namespace
}  // namespace wavesim::test
