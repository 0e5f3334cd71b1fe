// Values on their way to the host beside further kernels: none lost, none mixed up, memory used again.

#include <gtest/gtest.h>

#include <future>
#include <set>

#include "kernels/backend/backend.hpp"
#include "kernels/memory/read_back.hpp"

namespace wavesim {
namespace {

/// Writes start, start + 1, ... to `to`.
void count_up(Backend& be, int* to, int n, int start) {
  be.rows("count", make_extent(n, 1), sizeof(int), [=] KERNEL(Row r) { to[r.i] = start + r.i; });
}

bool counts_up(const std::shared_ptr<const PendingCopy>& from, int n, int start) {
  const int* const v = static_cast<const int*>(from->wait());
  for (int i = 0; i < n; ++i)
    if (v[i] != start + i) return false;
  return true;
}

TEST(ReadBack, KeepsWhatIsUnderWayApartWhateverFollows) {
  Backend be;
  ReadBack<Backend> outbox(be);
  constexpr int n = 300000, pieces = 7;  // more pieces than stages
  std::vector<std::shared_ptr<const PendingCopy>> arrivals;
  for (int k = 0; k < pieces; ++k) {
    count_up(be, outbox.stage<int>(n), n, k * n);
    arrivals.push_back(outbox.send());
  }
  for (int k = pieces - 1; k >= 0; --k) {  // the last first, in threads of their own
    auto right =
        std::async(std::launch::async, [&] { return counts_up(arrivals[std::size_t(k)], n, k * n); });
    EXPECT_TRUE(right.get()) << k;
  }
}

TEST(ReadBack, UsesItsMemoryAgainAndBoundsIt) {
  Backend be;
  ReadBack<Backend> outbox(be);
  constexpr int n = 5000;
  std::set<const void*> places;
  std::shared_ptr<const PendingCopy> held;
  for (int k = 0; k < 50; ++k) {
    count_up(be, outbox.stage<int>(n), n, k);
    auto next = outbox.send();
    EXPECT_TRUE(counts_up(next, n, k));
    places.insert(next->wait());
    held = std::move(next);  // a reader that holds one
  }
  EXPECT_EQ(places.size(), 2u);
}

TEST(ReadBack, SendsPiecesOfAnySizeInTurn) {
  Backend be;
  ReadBack<Backend> outbox(be);
  for (const int n : {1, 70000, 64, 70001, 1}) {
    count_up(be, outbox.stage<int>(std::size_t(n)), n, n);
    EXPECT_TRUE(counts_up(outbox.send(), n, n)) << n;
  }
}

TEST(ReadBack, MayEndBeforeWhatItSent) {
  std::shared_ptr<const PendingCopy> late;
  {
    Backend be;
    ReadBack<Backend> outbox(be);
    count_up(be, outbox.stage<int>(1000), 1000, 5);
    late = outbox.send();
  }
  EXPECT_TRUE(counts_up(late, 1000, 5));
}

}  // namespace
}  // namespace wavesim
