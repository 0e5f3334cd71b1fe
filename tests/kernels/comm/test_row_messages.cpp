// Messages that bring ranks each other's rows: what one sends is what the other awaits, in the same order.
#include <gtest/gtest.h>

#include "kernels/comm/row_messages.hpp"
#include "kernels/comm/row_share.hpp"

namespace wavesim {
namespace {

/// Addresses count: field f has its element (0, 0) at (f + 1) * 2^30.
std::vector<RowsInMemory> fields(std::size_t pitch) {
  std::vector<RowsInMemory> all;
  for (std::size_t f = 1; f <= 3; ++f) all.push_back({reinterpret_cast<void*>(f << 30), pitch});
  return all;
}

/// `of_rank`: of each rank. Returns the bytes that a rank receives in all.
std::vector<std::size_t> expect_pairs(const std::vector<RowMessages>& of_rank) {
  const int count = int(of_rank.size());
  const auto between = [](const std::vector<Ranks::Message>& messages, int with) {
    std::vector<std::pair<void*, std::size_t>> some;
    for (const Ranks::Message& m : messages)
      if (m.rank == with) some.emplace_back(m.at, m.bytes);
    return some;
  };
  std::vector<std::size_t> received(of_rank.size(), 0);
  for (int to = 0; to < count; ++to)
    for (int from = 0; from < count; ++from) {
      EXPECT_EQ(between(of_rank[std::size_t(from)].sends, to),
                between(of_rank[std::size_t(to)].receives, from))
          << "from " << from << " to " << to << " of " << count;
      for (const auto& [at, bytes] : between(of_rank[std::size_t(to)].receives, from))
        received[std::size_t(to)] += bytes;
    }
  return received;
}

TEST(RowMessages, ToAllBringEachRankTheRowsOfTheOthers) {
  constexpr std::size_t pitch = 128;
  for (const std::vector<int>& start : {std::vector<int>{0, 5, 9}, std::vector<int>{-1, 3, 3 + 8, 40},
                                        std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 20}}) {
    const int count = int(start.size()) - 1;
    std::vector<RowMessages> of_rank;
    for (int k = 0; k < count; ++k) of_rank.push_back(messages_to_all(start, fields(pitch), k));
    const std::vector<std::size_t> received = expect_pairs(of_rank);
    for (int k = 0; k < count; ++k) {
      const int others = start.back() - start.front() - (start[std::size_t(k) + 1] - start[std::size_t(k)]);
      EXPECT_EQ(received[std::size_t(k)], 3 * pitch * std::size_t(others));
    }
  }
  const RowMessages first = messages_to_all(std::vector<int>{-1, 3, 7}, fields(pitch), 1);
  EXPECT_EQ(first.receives[0].at, reinterpret_cast<void*>((std::size_t(1) << 30) - pitch));  // row -1
}

TEST(RowMessages, OfGhostsComeFromTheNeighboursOfARingToo) {
  for (const bool ring : {false, true})
    for (int count = 2; count <= 5; ++count) {
      Extent e = make_extent(20, 700);
      e.ring = ring;
      std::vector<RowMessages> of_rank;
      for (int k = 0; k < count; ++k)
        of_rank.push_back(ghost_messages(share_of(e, k, count), 10, fields(256), k, count));
      const std::vector<std::size_t> received = expect_pairs(of_rank);
      for (int k = 0; k < count; ++k) {
        const int sides = ring ? 2 : int(k > 0) + int(k < count - 1);
        EXPECT_EQ(received[std::size_t(k)], std::size_t(3 * 10 * 256 * sides)) << count << " " << ring;
      }
    }
}

}  // namespace
}  // namespace wavesim
