#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "kernels/sptrsv/levels_of_chains.hpp"
#include "solvers/triangular/levels.hpp"
#include "tests/solvers/triangular/triangular_problems.hpp"

namespace wavesim::test {
namespace {

/// As kernels/sptrsv/levels_of_list.hpp defines them, one row after the other.
std::vector<int> serial_levels(const HostCsr& A, bool lower) {
  std::vector<int> depth(A.rows, 0);
  for (int n = 0; n < A.rows; ++n) {
    const int i = lower ? n : A.rows - 1 - n;
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      if (const int j = A.column[k]; lower ? j < i : j > i) depth[i] = std::max(depth[i], depth[j] + 1);
  }
  return depth;
}

/// As solvers/triangular/chains.hpp defines them: the first row of each row's chain, and its place there.
struct SerialChains {
  std::vector<int> head, place;
  int count = 0, rows = 0;
  SerialChains(const HostCsr& A, bool lower) : head(A.rows, -1), place(A.rows, 0) {
    std::vector<int> first(A.rows, -1);  // row that waits for it
    const auto in_order = [&](const auto& f) {
      for (int n = 0; n < A.rows; ++n) {
        const int i = lower ? n : A.rows - 1 - n;
        if (A.start[i] < A.start[std::size_t(i) + 1]) f(i);
      }
    };
    const auto others = [&](int i, const auto& f) {
      for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
        if (const int j = A.column[k]; lower ? j < i : j > i) f(j);
    };
    in_order([&](int i) { others(i, [&](int j) { first[j] = first[j] < 0 ? i : first[j]; }); });
    in_order([&](int i) {
      int from = -1;
      others(i, [&](int j) {
        const bool later = from < 0 || (lower ? j > from : j < from);
        if (first[j] == i && later && A.start[j] < A.start[std::size_t(j) + 1]) from = j;
      });
      head[i] = from < 0 ? i : head[from];
      place[i] = from < 0 ? 0 : place[from] + 1;
      count += from < 0;
      ++rows;
    });
  }
};

/// Lines of a grid, each of them waiting for lines far away too.
HostCsr lines_with_links(int lines, int length, int links, unsigned seed) {
  std::mt19937 random(seed);
  return by_rows(lines * length, [&](int i, const auto& push) {
    for (int k = int(random() % unsigned(links + 1)); k > 0 && i > 1; --k) push(int(random() % (i - 1)), 0.1);
    if (i % length > 0) push(i - 1, -1);
    push(i, 4);
  });
}
/// Nine points: three others beside the row before, at most.
HostCsr nine_points(int nx, int ny) {
  return by_rows(nx * ny, [&](int i, const auto& push) {
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int col = i % nx + dx, row = i / nx + dy;
        if (col >= 0 && col < nx && row >= 0 && row < ny) push(row * nx + col, dx == 0 && dy == 0 ? 9 : -1);
      }
  });
}
HostCsr red_black(const HostCsr& A, int nx) {
  std::vector<int> order, place(A.rows);
  for (const int colour : {0, 1})
    for (int i = 0; i < A.rows; ++i)
      if ((i % nx + i / nx) % 2 == colour) order.push_back(i);
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = int(k);
  return by_rows(A.rows, [&](int k, const auto& push) {
    for (int e = A.start[order[k]]; e < A.start[std::size_t(order[k]) + 1]; ++e)
      push(place[A.column[e]], A.value[e]);
  });
}

std::vector<Named> chained() {
  std::vector<Named> list = matrices();
  list.push_back({"no row has entries", by_rows(100, [](int, const auto&) {})});
  list.push_back({"a grid red and black", red_black(grid(60, 40, 60, 1), 60)});
  list.push_back({"lines far apart", lines_with_links(70, 300, 2, 2)});
  list.push_back({"lines with many links", lines_with_links(40, 200, 7, 3)});
  list.push_back({"nine points", nine_points(90, 75)});
  list.push_back({"nine points, by levels", sorted_by_levels(nine_points(75, 90))});
  list.push_back({"a very wide grid", grid(3000, 40, 3008, 4)});
  list.push_back({"a high grid by levels", sorted_by_levels(grid(40, 1500, 40, 5))});
  return list;
}

TEST(Chains, AreThoseOfASerialSearch) {
  Backend be;
  for (const Named& m : chained())
    for (const Triangle side : {Triangle::lower, Triangle::upper}) {
      const SerialChains expected(m.A, side == Triangle::lower);
      const Chains<Backend> chains = find_chains(be, SparseRows<Backend>(be, m.A), side);
      ASSERT_EQ(chains.count, expected.count) << m.name;
      ASSERT_EQ(chains.rows, expected.rows) << m.name;
      const std::vector<ChainPlace> of = chains.of.download();
      const std::vector<int> start = chains.start.download();
      ASSERT_EQ(start.back(), chains.rows) << m.name;
      std::vector<int> length(chains.count, 0), head(chains.count, -1);
      for (int i = 0; i < m.A.rows; ++i) {
        if (expected.head[i] < 0) {
          ASSERT_EQ(of[i].chain, -1) << m.name;
          continue;
        }
        ASSERT_EQ(of[i].place, expected.place[i]) << m.name << ", row " << i;
        if (of[i].place == 0) head[of[i].chain] = i;
        ++length[of[i].chain];
      }
      for (int i = 0; i < m.A.rows; ++i)
        if (expected.head[i] >= 0) {
          ASSERT_EQ(head[of[i].chain], expected.head[i]) << m.name;
        }
      for (int c = 0; c < chains.count; ++c) {
        ASSERT_EQ(start[c + 1] - start[c], length[c]) << m.name;
        ASSERT_TRUE(c == 0 || solve_order(side, m.A.rows).before(head[c - 1], head[c])) << m.name;
      }
    }
}

TEST(Chains, WalkedSideBySideGiveTheDepthsOfASerialPass) {
  Backend be;
  int walked = 0;
  for (const Named& m : chained())
    for (const Triangle side : {Triangle::lower, Triangle::upper}) {
      const SparseRows<Backend> A(be, m.A);
      const Chains<Backend> chains = find_chains(be, A, side);
      if (!can_be_walked(chains)) continue;
      const Buffer<Backend, int> depth(be, m.A.rows);
      for (int repetition = 0; repetition < 3; ++repetition) {
        levels_by_chains(be, A, side, chains, depth.data());
        ASSERT_EQ(depth.download(), serial_levels(m.A, side == Triangle::lower)) << m.name;
      }
      ++walked;
    }
  EXPECT_GE(walked, 20);
}

// More than there are lanes for, in both ways that depths are found, and where chains are long enough to be
// walked by themselves.
TEST(Chains, OfLargeMatricesGiveTheLevelsOfASerialPass) {
  Backend be;
  std::vector<Named> list;
  list.push_back({"a diagonal matrix", by_rows(400000, [](int i, const auto& push) { push(i, 2); })});
  list.push_back({"short chains", by_rows(300000, [](int i, const auto& push) {
                    if (i % 3 > 0) push(i - 1, -1);
                    push(i, 2);
                    if (i % 3 < 2) push(i + 1, -1);
                  })});
  list.push_back({"a grid", grid(400, 300, 400, 1)});
  list.push_back({"a grid by levels", sorted_by_levels(grid(300, 400, 300, 2))});
  list.push_back({"one chain", by_rows(100000, [](int i, const auto& push) {
                    if (i > 0) push(i - 1, -1);
                    push(i, 2);
                    if (i < 99999) push(i + 1, -1);
                  })});
  list.push_back({"scattered rows", scattered(60000, 5, 3000, true, 3)});
  for (const Named& m : list)
    for (const Triangle side : {Triangle::lower, Triangle::upper}) {
      std::vector<int> expected = serial_levels(m.A, side == Triangle::lower);
      for (int i = 0; i < m.A.rows; ++i)
        if (m.A.start[i] == m.A.start[std::size_t(i) + 1]) expected[i] = -1;
      const Levels<Backend> levels(be, SparseRows<Backend>(be, m.A), side);
      ASSERT_EQ(levels.level.download(), expected) << m.name;
      EXPECT_EQ(levels.count, *std::max_element(expected.begin(), expected.end()) + 1) << m.name;
    }
}

}  // namespace
}  // namespace wavesim::test
