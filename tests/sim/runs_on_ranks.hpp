#pragma once
// Runs of one rank and of several, whose writers have to be told the same.

#include <gtest/gtest.h>

#include "kernels/comm/rank_threads.hpp"
#include "tests/sim/told.hpp"

namespace wavesim::test {

/// What a run tells its writers, and saves at its end.
struct Run {
  std::vector<Bits> all, samples;
  Bits once, summary;  // once: planes that are written at the beginning
  SavedState state;
  bool operator==(const Run&) const = default;
};

/// Of one rank, or of `count`. Ranks of a GPU share one.
inline Run told(const Config& c, int count, const std::string& device) {
  Run run;
  Told writer;
  const auto begin = [&](Simulation& s) {
    for (const Plane& plane : s.info().once)
      plane.values.visit([&](auto values) {
        const Bits more = bits(std::vector<double>(values.begin(), values.end()));
        run.once.insert(run.once.end(), more.begin(), more.end());
      });
  };
  const auto take = [&] { run.all = writer.all, run.samples = writer.samples, run.summary = writer.summary; };
  if (count == 1) {
    Simulation simulation(c, device);
    begin(simulation);
    simulation.run({&writer}, {}, writer.stop);
    SaveInMemory to(run.state);
    simulation.archive(to);
    take();
    return run;
  }
  run_rank_threads(count, [&](Ranks& ranks) {
    Simulation simulation(c, device, &ranks);
    const std::atomic<bool> never = false;
    if (ranks.rank() > 0) {
      simulation.run({}, {}, never);
      SavedState unread;
      SaveInMemory to(unread);
      return simulation.archive(to);
    }
    begin(simulation);
    simulation.run({&writer}, {}, never);
    SaveInMemory to(run.state);
    simulation.archive(to);
  });
  take();
  return run;
}

/// The first number that differs, where one does: records are as long as frames.
inline void expect_same(const Bits& one, const Bits& several, std::size_t record) {
  ASSERT_EQ(one.size(), several.size()) << "record " << record;
  const auto [a, b] = std::mismatch(one.begin(), one.end(), several.begin());
  if (a == one.end()) return;
  ADD_FAILURE() << "record " << record << ", number " << a - one.begin() << " of " << one.size() << ": "
                << std::bit_cast<double>(*a) << " and " << std::bit_cast<double>(*b);
}

inline void expect_same_bits_on(const std::string& device, const Config& c, const std::vector<int>& counts) {
  const Run one = told(c, 1, device);
  EXPECT_GT(one.all.size(), 3u);
  for (const int count : counts) {
    SCOPED_TRACE(std::to_string(count) + " ranks, " + device);
    const Run several = told(c, count, device);
    EXPECT_EQ(one.samples, several.samples);
    EXPECT_EQ(one.summary, several.summary);
    EXPECT_EQ(one.once, several.once);
    ASSERT_EQ(one.all.size(), several.all.size());
    for (std::size_t k = 0; k < one.all.size(); ++k) expect_same(one.all[k], several.all[k], k);
    for (const auto& [name, entry] : one.state) {
      if (name.starts_with("log/")) continue;  // seconds
      const auto other = several.state.find(name);
      EXPECT_TRUE(other != several.state.end() && other->second == entry) << name;
    }
  }
}

inline void expect_same_bits(const std::string& yaml, const std::vector<int>& counts = {2, 3, 4}) {
  SCOPED_TRACE(yaml);
  for (const std::string& device : devices()) expect_same_bits_on(device, config(yaml), counts);
}

}  // namespace wavesim::test
