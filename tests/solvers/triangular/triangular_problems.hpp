#pragma once
// Matrices whose levels look different, for factorisations and triangular solves.

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "solvers/matrices/matrix_market.hpp"
#include "solvers/triangular/ordering.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {

inline HostCsr by_rows(int n, const std::function<void(int, const std::function<void(int, double)>&)>& row) {
  HostCsr A;
  A.rows = n;
  for (int i = 0; i < n; ++i) {
    row(i, [&](int j, double v) {
      A.column.push_back(j);
      A.value.push_back(v);
    });
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

/// Diagonally dominant, unsymmetric, entries in no order; rows wait for rows up to `reach` away. Every
/// seventh row is empty if `padding`, and in no other row's pattern.
inline HostCsr scattered(int n, int others, int reach, bool padding, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  return by_rows(n, [&](int i, const auto& push) {
    if (padding && i % 7 == 3) return;
    std::vector<int> columns{i};
    for (int k = int(random() % unsigned(others + 1)); k > 0; --k) {
      const int j = i - reach + int(random() % unsigned(2 * reach + 1));
      if (j < 0 || j >= n || (padding && j % 7 == 3)) continue;
      if (std::find(columns.begin(), columns.end(), j) == columns.end()) columns.push_back(j);
    }
    std::shuffle(columns.begin(), columns.end(), random);
    for (int j : columns) push(j, j == i ? others + 1 + uniform(random) : uniform(random));
  });
}

/// Five points on nx x ny, rows `pitch` apart, the rest padding; symmetric, with random weights.
inline HostCsr grid(int nx, int ny, int pitch, unsigned seed) {
  const std::vector<double> w = random_values(std::size_t(2) * pitch * ny, seed);
  return by_rows(pitch * ny, [&](int i, const auto& push) {
    const int col = i % pitch, row = i / pitch;
    if (col >= nx) return;
    if (row > 0) push(i - pitch, w[2 * (i - pitch)] - 1.5);
    if (col > 0) push(i - 1, w[2 * (i - 1) + 1] - 1.5);
    push(i, 11);
    if (col < nx - 1) push(i + 1, w[2 * i + 1] - 1.5);
    if (row < ny - 1) push(i + pitch, w[2 * i] - 1.5);
  });
}

inline HostCsr sorted_by_levels(const HostCsr& A) {
  const std::vector<int> order = levels_of(A, Depends::lower).row;
  std::vector<int> place(A.rows);
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = int(k);
  return by_rows(A.rows, [&](int k, const auto& push) {
    for (int e = A.start[order[k]]; e < A.start[std::size_t(order[k]) + 1]; ++e)
      push(place[A.column[e]], A.value[e]);
  });
}

struct Named {
  std::string name;
  HostCsr A;
};
/// What levels can look like: many and narrow, few and wide, one, as many as rows.
inline std::vector<Named> matrices() {
  std::vector<Named> list;
  list.push_back({"one row", by_rows(1, [](int, const auto& push) { push(0, 3); })});
  list.push_back({"a diagonal matrix", by_rows(5000, [](int i, const auto& push) { push(i, 2 + i % 5); })});
  list.push_back({"chains", by_rows(3000, [](int i, const auto& push) {
                    if (i > 0) push(i - 1, 0.3);
                    push(i, 2);
                    if (i < 2999) push(i + 1, -0.7);
                  })});
  // which waits for one found long before, too
  list.push_back({"a chain held at its ends", by_rows(12500, [](int i, const auto& push) {
                    if (i > 1) push(0, -0.4);
                    if (i > 0) push(i - 1, 0.3);
                    push(i, 2);
                    if (i < 12499) push(i + 1, -0.7);
                    if (i < 12498) push(12499, 0.2);
                  })});
  list.push_back({"a full matrix", by_rows(90, [](int i, const auto& push) {
                    for (int j = 0; j < 90; ++j) push(j, i == j ? 100 : 1.0 / (1 + i + 2 * j));
                  })});
  list.push_back({"a grid", grid(70, 45, 80, 1)});
  list.push_back({"a wide grid", grid(500, 37, 512, 2)});
  list.push_back({"a large grid", grid(129, 150, 144, 3)});
  list.push_back({"a grid sorted by levels", sorted_by_levels(grid(130, 110, 130, 4))});
  list.push_back({"few and wide levels", scattered(12000, 1, 12000, false, 5)});
  list.push_back({"levels like a random matrix's", scattered(9000, 6, 9000, true, 6)});
  list.push_back({"narrow levels", scattered(4000, 12, 40, true, 7)});
  list.push_back({"long rows", scattered(3000, 40, 900, false, 8)});
  std::filesystem::path folder =
      "../shared/matrices";  // beside the tree: from its root, and from build folders
  for (int up = 0; up < 3 && !std::filesystem::exists(folder); ++up) folder = ".." / folder;
  for (const char* name : {"1138_bus.mtx", "nopoly.mtx", "orsirr_1.mtx", "wathen100.mtx.gz"})
    if (std::filesystem::exists(folder / name)) list.push_back({name, read_matrix_market(folder / name)});
  return list;
}

inline void expect_same(const HostCsr& got, const HostCsr& expected, const std::string& what) {
  ASSERT_EQ(got.start, expected.start) << what;
  ASSERT_EQ(got.column, expected.column) << what;
  ASSERT_EQ(got.value, expected.value) << what;
}

}  // namespace wavesim::test
