// Ranks that are forked: their messages, and how they end.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "kernels/comm/forked_ranks.hpp"

namespace wavesim {
namespace {

/// The status of a process that starts `count` ranks, each of which ends with what body(ranks) returns.
int status_of(int count, const std::function<int(ProcessRanks&)>& body) {
  std::fflush(nullptr);  // what is not written yet would be written by each rank
  const pid_t child = fork();
  if (child == 0) {
    if (!std::freopen("/dev/null", "w", stderr)) std::_Exit(99);
    const auto ranks = fork_ranks(count, {SIGTERM, SIGUSR1});
    const ProcessRanks::End end = ranks->end(body(*ranks), 0.2);
    if (!end.together) ranks->end_all(end.status);
    std::_Exit(end.status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::vector<int> numbers(std::size_t n, int first) {
  std::vector<int> v(n);
  std::iota(v.begin(), v.end(), first);
  return v;
}

TEST(ForkedRanks, BringMessagesLongerThanAConnectionHolds) {
  const auto body = [](ProcessRanks& ranks) {
    const std::size_t n = std::size_t(1) << 20, bytes = n * sizeof(int);
    const int me = ranks.rank(), count = ranks.count(), next = (me + 1) % count,
              before = (me + count - 1) % count;
    std::vector<int> up = numbers(n, me), down = numbers(n, -me), from_below(n), from_above(n);
    // in a ring, where two ranks are each above and below the other
    ranks.exchange({{next, up.data(), bytes}, {before, down.data(), bytes}},
                   {{before, from_below.data(), bytes}, {next, from_above.data(), bytes}});
    return from_below == numbers(n, before) && from_above == numbers(n, -next) ? 0 : 1;
  };
  for (int count : {2, 3, 5}) EXPECT_EQ(status_of(count, body), 0) << count << " ranks";
}

TEST(ForkedRanks, KeepTheOrderOfMessagesToThemselvesAndToOthers) {
  EXPECT_EQ(
      status_of(2,
                [](ProcessRanks& ranks) {
                  const int me = ranks.rank(), other = 1 - me;
                  int sent[4] = {10 + me, 20 + me, 30 + me, 40 + me}, got[4] = {};
                  const std::size_t one = sizeof(int);
                  ranks.exchange(
                      {{me, sent, one}, {other, sent + 1, one}, {me, sent + 2, one}, {other, sent + 3, one}},
                      {{me, got, one}, {me, got + 1, one}, {other, got + 2, one}, {other, got + 3, one}});
                  return got[0] == 10 + me && got[1] == 30 + me && got[2] == 20 + other &&
                                 got[3] == 40 + other
                             ? 0
                             : 1;
                }),
      0);
}

TEST(ForkedRanks, GatherPartsOfUnequalLength) {
  EXPECT_EQ(status_of(3,
                      [](ProcessRanks& ranks) {
                        const std::vector<std::size_t> start{0, 4, 4, 12};  // bytes
                        std::vector<int> all(3, -1);
                        if (ranks.rank() == 0) all[0] = 5;
                        if (ranks.rank() == 2) all[1] = 6, all[2] = 7;
                        ranks.all_gather(all.data(), start);
                        const std::vector<int> places = ranks.all_of(ranks.on_host().rank);
                        return all == std::vector{5, 6, 7} && places == std::vector{0, 1, 2} &&
                                       ranks.on_host().count == 3
                                   ? 0
                                   : 1;
                      }),
            0);
}

TEST(ForkedRanks, EndWithTheStatusOfTheFirstThatFailed) {
  EXPECT_EQ(status_of(3, [](ProcessRanks& ranks) { return ranks.rank() == 0 ? 0 : 3 + ranks.rank(); }), 4);
}

TEST(ForkedRanks, EndWhereOneFailsAndTheOthersWaitForIt) {
  EXPECT_EQ(status_of(3,
                      [](ProcessRanks& ranks) {
                        if (ranks.rank() == 1) return 5;
                        int never = 0;
                        ranks.exchange({}, {{1, &never, sizeof never}});
                        return 0;
                      }),
            5);
}

TEST(ForkedRanks, EndWhereOneIsKilled) {
  EXPECT_EQ(status_of(3,
                      [](ProcessRanks& ranks) {
                        if (ranks.rank() == 2) std::raise(SIGKILL);
                        for (;;) pause();
                        return 0;
                      }),
            128 + SIGKILL);
}

TEST(ForkedRanks, AreHandedTheSignalsOfTheProcessThatStartedThem) {
  EXPECT_EQ(status_of(2,
                      [](ProcessRanks& ranks) {
                        static volatile std::sig_atomic_t came = 0;
                        std::signal(SIGUSR1, [](int) { came = 1; });
                        ranks.all_of(0);  // both are ready
                        if (ranks.rank() == 0)
                          for (int k = 0; k < 200 && !came; ++k) kill(getppid(), SIGUSR1), usleep(10000);
                        for (int k = 0; k < 400 && !came; ++k) usleep(10000);
                        return came ? 0 : 1;
                      }),
            0);
}

}  // namespace
}  // namespace wavesim
