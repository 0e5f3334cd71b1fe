// Parts that ranks keep and the first rank reads.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "kernels/comm/forked_ranks.hpp"
#include "kernels/comm/parts_of_ranks.hpp"
#include "kernels/comm/rank_threads.hpp"

namespace wavesim {
namespace {

struct Numbers final : PendingCopy {
  explicit Numbers(std::vector<int> v) : values(std::move(v)) {}
  const void* wait() const override { return values.data(); }
  std::vector<int> values;
};
struct Lost final : PendingCopy {
  const void* wait() const override { throw DeviceError("the device failed"); }
};

/// Rank k has 1000 k + n of the numbers 0 .. 2999 + n.
std::shared_ptr<const PendingCopy> share_numbers(PartsOfRanks& parts, Ranks& ranks, int n) {
  const int each = 1000;
  std::vector<std::size_t> start;
  for (int k = 0; k <= ranks.count(); ++k) start.push_back(std::size_t(k * each) * sizeof(int));
  std::vector<int> own(each);
  std::iota(own.begin(), own.end(), ranks.rank() * each + n);
  return parts.share(std::make_shared<Numbers>(std::move(own)), start);
}

/// Reads shared numbers late, in any order, and gives them back in another; false where one is wrong.
bool reads_what_others_keep(Ranks& ranks) {
  const auto parts = PartsOfRanks::make(ranks);
  if (!parts) return false;
  std::vector<std::shared_ptr<const PendingCopy>> shared;
  for (int n : {0, 7, 20}) shared.push_back(share_numbers(*parts, ranks, n));
  if (ranks.rank() > 0) return !shared[0] && !shared[1] && !shared[2];
  bool right = !shared[0]->is_local();
  std::vector<int> some(1000);
  shared[2]->read(900 * sizeof(int), some.size() * sizeof(int), some.data());
  for (int k = 0; k < int(some.size()); ++k) right = right && some[std::size_t(k)] == 900 + k + 20;
  shared[2].reset();
  const int* const all = static_cast<const int*>(shared[0]->wait());
  for (int k = 0; k < 1000 * ranks.count(); ++k) right = right && all[k] == k;
  int one = 0;
  shared[1]->read((1000 * std::size_t(ranks.count()) - 1) * sizeof(int), sizeof one, &one);
  return right && one == 1000 * ranks.count() - 1 + 7;
}

TEST(PartsOfRanks, AreReadFromThreadsThatKeepThem) {
  for (const int count : {2, 5})
    run_rank_threads(count, [](Ranks& ranks) { EXPECT_TRUE(reads_what_others_keep(ranks)); });
}

TEST(PartsOfRanks, AreReadFromProcessesThatKeepThem) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const auto ranks = fork_ranks(3, {SIGTERM});
    const ProcessRanks::End end = ranks->end(reads_what_others_keep(*ranks) ? 0 : 1, 5);
    std::_Exit(end.status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

/// The first rank may read before others share.
TEST(PartsOfRanks, AreWaitedFor) {
  run_rank_threads(2, [](Ranks& ranks) {
    const auto parts = PartsOfRanks::make(ranks);
    int read = 0;
    if (ranks.rank() == 0) {
      const auto all = share_numbers(*parts, ranks, 3);
      all->read(1999 * sizeof(int), sizeof read, &read);
      EXPECT_EQ(read, 2002);
    } else {
      usleep(50000);
      share_numbers(*parts, ranks, 3);
    }
  });
}

TEST(PartsOfRanks, AreMissedWhereTheirRankFails) {
  const auto body = [](Ranks& ranks) {
    const auto parts = PartsOfRanks::make(ranks);
    if (ranks.rank() > 0) throw std::runtime_error("a step failed");
    const auto all = share_numbers(*parts, ranks, 0);
    int read = 0;
    EXPECT_THROW(all->read(1500 * sizeof(int), sizeof read, &read), DeviceError);
  };
  EXPECT_THROW(run_rank_threads(2, body), std::runtime_error);
}

TEST(PartsOfRanks, AreMissedWhereTheyDoNotArrive) {
  run_rank_threads(2, [](Ranks& ranks) {
    const auto parts = PartsOfRanks::make(ranks);
    const std::vector<std::size_t> start{0, 4, 8};
    const auto all = parts->share(
        ranks.rank() == 0 ? std::shared_ptr<PendingCopy>(std::make_shared<Numbers>(std::vector{1}))
                          : std::make_shared<Lost>(),
        start);
    if (ranks.rank() > 0) return;
    int read = 0;
    all->read(0, sizeof read, &read);
    EXPECT_EQ(read, 1);
    EXPECT_THROW(all->read(4, sizeof read, &read), DeviceError);
  });
}

}  // namespace
}  // namespace wavesim
