// Messages that bring ranks each other's rows: what one sends is what the other awaits, in the same order.
#include <gtest/gtest.h>

#include "kernels/comm/row_messages.hpp"
#include "kernels/comm/row_share.hpp"

namespace wavesim {
namespace {

/// Three fields of so many rows of `pitch` bytes, and one row before them: no more than their addresses is used.
class Fields {
 public:
  Fields(std::size_t rows, std::size_t pitch)
      : pitch_(pitch), memory_(3, std::vector<char>((rows + 1) * pitch)) {}
  std::vector<RowsInMemory> all() {
    std::vector<RowsInMemory> rows;
    for (std::vector<char>& field : memory_) rows.push_back({field.data() + pitch_, pitch_});
    return rows;
  }

 private:
  std::size_t pitch_;
  std::vector<std::vector<char>> memory_;
};

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
  Fields some(40, pitch);
  const std::vector<RowsInMemory> fields = some.all();
  for (const std::vector<int>& start : {std::vector<int>{0, 5, 9}, std::vector<int>{-1, 3, 3 + 8, 40},
                                        std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 20}}) {
    const int count = int(start.size()) - 1;
    std::vector<RowMessages> of_rank;
    for (int k = 0; k < count; ++k) of_rank.push_back(messages_to_all(start, fields, k));
    const std::vector<std::size_t> received = expect_pairs(of_rank);
    for (int k = 0; k < count; ++k) {
      const int others = start.back() - start.front() - (start[std::size_t(k) + 1] - start[std::size_t(k)]);
      EXPECT_EQ(received[std::size_t(k)], 3 * pitch * std::size_t(others));
    }
  }
  const RowMessages first = messages_to_all(std::vector<int>{-1, 3, 7}, fields, 1);
  EXPECT_EQ(first.receives[0].at, static_cast<char*>(fields[0].first) - pitch);  // row -1
}

TEST(RowMessages, OfGhostsComeFromTheNeighboursOfARingToo) {
  for (const bool ring : {false, true})
    for (int count = 2; count <= 5; ++count) {
      Extent e = make_extent(20, 700);
      Fields some(700, 256);
      const std::vector<RowsInMemory> fields = some.all();
      e.ring = ring;
      std::vector<RowMessages> of_rank;
      for (int k = 0; k < count; ++k)
        of_rank.push_back(ghost_messages(share_of(e, k, count), 10, fields, k, count));
      const std::vector<std::size_t> received = expect_pairs(of_rank);
      for (int k = 0; k < count; ++k) {
        const int sides = ring ? 2 : int(k > 0) + int(k < count - 1);
        EXPECT_EQ(received[std::size_t(k)], std::size_t(3 * 10 * 256 * sides)) << count << " " << ring;
      }
    }
}

}  // namespace
}  // namespace wavesim
