// Explicit steps in passes of several: the bits of one step at a time, whatever happens in between.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "kernels/backend/device_share.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

const char* const configs[] = {
    // a constant medium: a point source on and one off the nodes, a driven edge, fixed and free ones
    "name: a\n"
    "grid: {size: [1, 0.8], cells: [300, 70]}\n"
    "edges: {left: {driven: {sinusoid: {frequency: 3, amplitude: 1e-3}}}, right: free, bottom: fixed, top: "
    "{absorbing: {radiation: {}}}}\n"
    "medium: {speed: 1.5, damping: 2}\n"
    "sources: [{at: [0.4, 0.3], ricker: {frequency: 9}}, {at: [0.611, 0.507], ricker: {frequency: 14, delay: "
    "0.03}}]\n",
    // a varying one with a shape and an area source
    "name: b\n"
    "grid: {size: [1, 1], cells: [90, 110]}\n"
    "shape: {circle: {center: [0.51, 0.48], radius: 0.4}, edge: fixed, rim: staircase}\n"
    "medium: {speed: '1 + 0.3*x', damping: '2*y'}\n"
    "initial: {velocity: {gaussian: {center: [0.4, 0.5], width: 0.05}}}\n"
    "sources: [{area: {gaussian: {center: [0.6, 0.4], width: 0.05}}, sinusoid: {frequency: 8}}]\n",
    // periodic edges, with a number of points that passes take and one that they do not
    "name: c\n"
    "grid: {size: [1, 1], cells: [64, 40]}\n"
    "edges: periodic\n"
    "medium: {speed: '1 + 0.3*sin(6.283185307179586*x)'}\n"
    "sources: [{at: [0.02, 0.3], ricker: {frequency: 9}}]\n",
    "name: d\n"
    "grid: {size: [1, 1], cells: [63, 40]}\n"
    "edges: periodic\n"
    "medium: {speed: 1}\n"
    "sources: [{at: [0.02, 0.3], ricker: {frequency: 9}}]\n",
    // a perfectly matched layer
    "name: e\n"
    "grid: {size: [1, 1], cells: [60, 60]}\n"
    "edges: {left: {absorbing: {pml: {thickness: 10 cells}}}}\n"
    "medium: {speed: 1}\n"
    "initial: {displacement: {gaussian: {center: [0.4, 0.5], width: 0.05}}}\n",
    // layers on all sides, with sources and a shape within reach of them, or in them
    "name: i\n"
    "grid: {size: [1, 0.9], cells: [150, 97]}\n"
    "edges: {absorbing: {pml: {thickness: 12 cells}}}\n"
    "shape: {not: {circle: {center: [0.02, 0.45], radius: 0.11}}, edge: free}\n"
    "medium: {speed: '1 + 0.3*x', damping: y}\n"
    "initial: {displacement: '0.1*sin(3*x + 7*y + 1)'}\n"
    "sources: [{at: [0.991, 0.888], ricker: {frequency: 9}}, {at: [0.03, 0.7], ricker: {frequency: 14}}, "
    "{at: [0.5, 0.5], "
    "ricker: {frequency: 9}}]\n",
    // between periodic edges, and layers so near to each other that no pass fits in between
    "name: k\n"
    "grid: {size: [1, 1], cells: [64, 70]}\n"
    "edges: {left: periodic, right: periodic, bottom: {absorbing: {pml: {thickness: 5 cells}}}, top: "
    "{absorbing: {pml: {thickness: 9 "
    "cells}}}}\n"
    "medium: {speed: '1 + 0.3*y'}\n"
    "sources: [{at: [0.001, 0.98], ricker: {frequency: 9}}]\n"
    "initial: {displacement: '0.1*sin(6.283185307179586*x + 7*y + 1)'}\n",
    "name: l\n"
    "grid: {size: [1, 1], cells: [31, 64]}\n"
    "edges: {left: free, right: absorbing, bottom: periodic, top: periodic}\n"
    "medium: {speed: 1}\n"
    "initial: {displacement: '0.1*sin(3*x + 6.283185307179586*y + 1)'}\n",
    // from rest: numbers too small to be normal run ahead of the wave
    "name: n\n"
    "grid: {size: [1, 1], cells: [120, 110]}\n"
    "edges: absorbing\n"
    "medium: {speed: 1}\n"
    "sources: [{at: [0.15, 0.5], ricker: {frequency: 9}}]\n",
    // shapes that leave out points of layers
    "name: p\n"
    "grid: {size: [1, 1], cells: [90, 80]}\n"
    "edges: {left: {absorbing: {pml: {thickness: 8 cells}}}, right: free, bottom: periodic, top: periodic}\n"
    "medium: {speed: 1}\n"
    "shape: {not: {circle: {center: [0.05, 0.45], radius: 0.21}}, edge: fixed}\n"
    "initial: {displacement: '0.1*sin(3*x + 6.283185307179586*y + 1)'}\n",
    "name: q\n"
    "grid: {size: [1, 1], cells: [90, 80]}\n"
    "edges: absorbing\n"
    "medium: {speed: '1 + 0.3*x', damping: 2}\n"
    "shape: {not: {circle: {center: [0.95, 0.9], radius: 0.2}}, edge: free}\n"
    "initial: {displacement: '0.1*sin(3*x + 7*y + 1)'}\n",
    // eighth order: constant and varying media, sources beside edges of all kinds, one strip and several; the state is
    // nowhere so small that a CPU takes it for zero, for its wide stencils carry such numbers far
    "name: f\n"
    "grid: {size: [1, 0.8], cells: [90, 70]}\n"
    "edges: {left: free, right: fixed, bottom: fixed, top: free}\n"
    "medium: {speed: 1.5}\n"
    "space: {order: 8}\n"
    "initial: {velocity: 'cos(5*x + 3*y)', displacement: '0.1*sin(3*x + 7*y + 1)'}\n"
    "sources: [{at: [0.01, 0.02], ricker: {frequency: 9}}, {at: [0.971, 0.791], ricker: {frequency: 14}}]\n",
    "name: g\n"
    "grid: {size: [1, 0.8], cells: [700, 100]}\n"
    "edges: {left: {absorbing: {sponge: {thickness: 9 cells}}}, right: {absorbing: {radiation: {}}}, bottom: "
    "free, top: fixed}\n"
    "medium: {model: acoustic, speed: '1 + 0.3*x', density: 1}\n"
    "space: {order: 8}\n"
    "initial: {displacement: '0.1*sin(3*x + 7*y + 1)'}\n"
    "sources: [{at: [0.9991, 0.1], ricker: {frequency: 30}}, {area: {gaussian: {center: [0.5, 0.1], width: "
    "0.03}}, sinusoid: {frequency: 20}}]\n",
    "name: h\n"
    "grid: {size: [1, 1], cells: [63, 40]}\n"
    "edges: periodic\n"
    "medium: {speed: 1}\n"
    "space: {order: 8}\n"
    "initial: {displacement: '0.1*sin(3*x + 7*y + 1)'}\n"
    "sources: [{at: [0.02, 0.99], ricker: {frequency: 9}}]\n",
    "name: o\n"
    "grid: {size: [1, 1], cells: [13, 11]}\n"
    "edges: {left: periodic, right: periodic, bottom: free, top: fixed}\n"
    "medium: {model: acoustic, speed: '1 + 0.3*sin(6.28*x)', density: 1}\n"
    "space: {order: 8}\n"
    "initial: {displacement: '0.1*sin(3*x + 7*y + 1)'}\n"
    "sources: [{at: [0.02, 0.99], ricker: {frequency: 9}}]\n"};

std::string run_of(const std::string& config, const char* precision, bool tracks) {
  return config + "precision: " + precision +
         "\nreceivers: [{at: [0.3, 0.31]}, {at: [0.511, 0.502]}, {at: [0.5, 0.4]}]\n"
         "time: {scheme: explicit, courant: 0.6, steps: 45}\n" +
         (tracks ? "output: {fields: {quantities: [displacement, max-displacement, arrival-time], "
                   "arrival-threshold: "
                   "1e-3}}\n"
                 : "");
}

/// All that can be read at the end, and the samples of receivers at every step of `sampled`.
struct Outcome {
  std::vector<double> values;
  std::vector<std::vector<double>> samples;
  long most = 0;  // steps at once
};
Outcome outcome(const std::string& yaml, const std::string& device, long stop_every, bool tracks) {
  Running run(yaml, device);
  const auto sampled = [](long n) { return n % 3 != 1; };
  Outcome o;
  while (run.done < run.plan.steps) {
    const long until = std::min(run.plan.steps, (run.done / stop_every + 1) * stop_every);
    const std::vector<StepResult> r = run.stepper->steps(run.done, until, sampled);
    EXPECT_TRUE(r.back().report.converged());
    EXPECT_LE(run.done + long(r.size()), until);
    o.most = std::max(o.most, long(r.size()));
    run.done += long(r.size());
    if (sampled(run.done)) {
      EXPECT_TRUE(run.stepper->sample(run.time()));
    }
  }
  for (const Quantity q :
       {Quantity::displacement, Quantity::velocity, Quantity::max_displacement, Quantity::arrival_time}) {
    if (!tracks && q >= Quantity::max_displacement) continue;
    const auto field = run.field(q);
    o.values.insert(o.values.end(), field.begin(), field.end());
  }
  o.values.push_back(run.stepper->energy());
  o.samples = run.stepper->samples();
  return o;
}
void expect_same(const Outcome& a, const Outcome& b) {
  ASSERT_EQ(a.values.size(), b.values.size());
  EXPECT_EQ(std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(double)), 0);
  EXPECT_EQ(a.samples, b.samples);
  EXPECT_EQ(a.samples.size(), 30U);
}

TEST(ExplicitPasses, GiveTheBitsOfStepsOneByOne) {
  for (const std::string& device : devices())
    for (const char* precision : {"double", "single"})
      for (const char* config : configs)
        for (const bool tracks : {false, true}) {
          SCOPED_TRACE(device + ", " + precision + (tracks ? ", tracked: " : ": ") + config);
          const std::string yaml = run_of(config, precision, tracks);
          const Outcome one = outcome(yaml, device, 1, tracks), passes = outcome(yaml, device, 45, tracks),
                        uneven = outcome(yaml, device, 7, tracks);
          expect_same(one, passes);
          expect_same(one, uneven);
          EXPECT_EQ(one.most, 1);
          const bool small = config[6] == 'o' && device == "cuda",  // images reach no further than one step
              single_steps = config[6] == 'd' || small || (tracks && std::strchr("fgho", config[6]));
          EXPECT_EQ(passes.most > 1, !single_steps);
        }
}

// Where the balance of energy is wanted, a step takes the forces of layers by themselves.
TEST(ExplicitPasses, StepLayersAsTheyAreSteppedAlone) {
  for (const std::string& device : devices())
    for (const char* config : configs) {
      if (!std::strstr(config, "pml") && !std::strstr(config, "absorbing,") &&
          !std::strstr(config, "edges: absorbing"))
        continue;
      for (const char* precision : {"double", "single"})
        for (const bool tracks : {false, true}) {
          SCOPED_TRACE(device + ", " + precision + (tracks ? ", tracked: " : ": ") + config);
          const std::string yaml = run_of(config, precision, tracks);
          const std::string balance = tracks ? ", energy: {every: 1, balance: true}}\n"
                                             : "output: {energy: {every: 1, balance: true}}\n";
          const Outcome passes = outcome(yaml, device, 45, tracks),
                        alone = outcome(tracks ? yaml.substr(0, yaml.rfind('}')) + balance : yaml + balance,
                                        device, 45, tracks);
          EXPECT_EQ(alone.most, 1);
          EXPECT_GT(passes.most, 1);
          expect_same(alone, passes);
        }
    }
}

/// f(config, run, tracks) for each config in both precisions, tracked or not.
template <class F>
void for_each_run(const F& f) {
  for (const char* precision : {"double", "single"})
    for (const char* config : configs)
      for (const bool tracks : {false, true}) {
        SCOPED_TRACE(std::string(precision) + (tracks ? ", tracked: " : ": ") + config);
        f(config, run_of(config, precision, tracks), tracks);
      }
}

TEST(ExplicitPasses, OnAGpuGiveTheBitsOfTheCpu) {
  if (devices().size() == 1) GTEST_SKIP() << "no GPU";
  for_each_run([](const char*, const std::string& yaml, bool tracks) {
    const Outcome cpu = outcome(yaml, "cpu", 45, tracks), gpu = outcome(yaml, "cuda", 45, tracks);
    ASSERT_EQ(cpu.values.size(), gpu.values.size());
    for (std::size_t k = 0; k + 1 < cpu.values.size(); ++k)  // subnormal numbers are zero on a CPU alone
      ASSERT_TRUE((std::isnan(cpu.values[k]) && std::isnan(gpu.values[k])) ||
                  std::abs(cpu.values[k] - gpu.values[k]) < 1e-30)
          << k << ": " << cpu.values[k] << " and " << gpu.values[k];
  });
}

// Where many runs share a GPU, passes follow each other in one launch, by a cluster of blocks.
TEST(ExplicitPasses, OnAGpuGiveTheSameBitsBesideOtherRuns) {
  if (devices().size() == 1) GTEST_SKIP() << "no GPU";
  for_each_run([](const char* config, const std::string& yaml, bool tracks) {
    const Outcome alone = outcome(yaml, "cuda", 45, tracks);
    backends_on_device = 32;
    const Outcome beside = outcome(yaml, "cuda", 45, tracks), uneven = outcome(yaml, "cuda", 29, tracks);
    backends_on_device = 1;
    expect_same(alone, beside);
    expect_same(alone, uneven);
    if (std::strchr("abc", config[6])) {  // neither order 8 nor layers
      EXPECT_GT(beside.most, 8);
    }
  });
}

// A formula without a value ends the run at its own step: those before it are taken.
TEST(ExplicitPasses, TakeTheStepsBeforeASignalThatHasNoValue) {
  Running run(
      "name: f\ngrid: {size: [1, 1], cells: [40, 40]}\nmedium: {speed: 1}\n"
      "sources: [{at: [0.4, 0.3], expression: 'sqrt(0.21 - t)'}]\n"
      "time: {scheme: explicit, step: 0.01, steps: 45}\n");
  const auto never = [](long) { return false; };
  while (run.done < 22) run.done += long(run.stepper->steps(run.done, 45, never).size());
  EXPECT_EQ(run.done, 22);  // sqrt(0.21 - 21 step) has a value
  EXPECT_THROW(run.stepper->steps(run.done, 45, never), InputError);
}

TEST(ExplicitPasses, LeaveRoomForSamples) {
  Running run(
      "name: g\ngrid: {size: [1, 1], cells: [40, 40]}\nmedium: {speed: 1}\nreceivers: [{at: [0.3, 0.31]}]\n"
      "time: {scheme: explicit, courant: 0.5, steps: 400}\n");
  const auto always = [](long) { return true; };
  long samples = 0;
  while (run.done < run.plan.steps) {
    run.done += long(run.stepper->steps(run.done, run.plan.steps, always).size());
    if (!run.stepper->sample(run.time())) {
      samples += long(run.stepper->samples().size());
      ASSERT_TRUE(run.stepper->sample(run.time()));
    }
  }
  samples += long(run.stepper->samples().size());
  EXPECT_EQ(samples, 400);
}

/// However many steps a call takes, and whenever it is told what a pass took.
TEST(ExplicitPasses, TellSecondsOnce) {
  for (const std::string& device : devices())
    for (const long every : {1L, 13L, 64L}) {
      SCOPED_TRACE(device + ", " + std::to_string(every));
      Running run(
          "{grid: {size: [1, 1], cells: [300, 300]}, medium: {speed: 1}, time: {scheme: explicit, courant: "
          "0.5, "
          "steps: 261}}",
          device);
      const auto begin = std::chrono::steady_clock::now();
      double told = 0;
      for (long n = 0; n < run.plan.steps;) {
        const long until = std::min(run.plan.steps, (n / every + 1) * every);
        for (const StepResult& each : run.stepper->steps(n, until, {})) {
          EXPECT_GE(each.solve_seconds, 0);
          told += each.solve_seconds;
          ++n;
        }
      }
      const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
      EXPECT_LE(told, 1.01 * all.count());
      EXPECT_GT(told, 0.1 * all.count());
    }
}

}  // namespace
}  // namespace wavesim::test
