#include <algorithm>
#include <cmath>

#include "bench/papers/fiorentini.hpp"

namespace wavesim::fiorentini {

namespace {

constexpr int levels = 91;             // of the paper's matrix
constexpr double independent = 0.345;  // its rows that depend on none: 17890330 of 51813503
constexpr int recent = 4096;           // how many rows of a level others can depend on

/// splitmix64 (Steele, Lea & Flood 2014): well-mixed bits of a counter.
std::uint64_t mixed(std::uint64_t n) {
  n += 0x9e3779b97f4a7c15u;
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
  n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
  return n ^ (n >> 31);
}

/// The level that a row would like: each level as much smaller than the one before as the first is than all.
/// One row in 1024 takes any level, so that the long chains exist.
int wanted_level(std::uint64_t bits) {
  if (bits % 1024 == 0) return int((bits >> 10) % levels);
  const double u = double(bits >> 11) * 0x1p-53;
  return u <= 0 ? 0 : std::min(int(std::log(u) / std::log(1 - independent)), levels - 1);
}

/// The last rows of one level.
struct Recent {
  std::vector<int> row;
  int count = 0;
  void add(int i) {
    if (int(row.size()) < recent)
      row.push_back(i);
    else
      row[count % recent] = i;
    ++count;
  }
  int any(std::uint64_t bits) const { return row[bits % row.size()]; }
};

}  // namespace

Matrix make_matrix(int rows) {
  Matrix A;
  A.rows = rows;
  A.start.reserve(std::size_t(rows) + 1);
  A.start.push_back(0);
  A.column.reserve(std::size_t(rows) * 2 + 64);
  A.value.reserve(std::size_t(rows) * 2 + 64);
  std::vector<Recent> last(levels);
  int reached = 0;  // levels that have a row
  const auto push = [&](int j, float v) {
    A.column.push_back(j);
    A.value.push_back(v);
  };
  for (int i = 0; i < rows; ++i) {
    const std::uint64_t bits = mixed(2 * std::uint64_t(i)), more = mixed(2 * std::uint64_t(i) + 1);
    const int level = std::min(wanted_level(bits), std::min(reached, levels - 1));
    if (level > 0) {
      const int j = last[level - 1].any(more);
      push(j, -0.5f);
      // enough rows to bring the mean of the entries to two
      if ((more >> 16) % 1000 < std::uint64_t(1000 * independent / (1 - independent)))
        if (const int k = last[(more >> 32) % level].any(more >> 40); k != j) push(k, -0.25f);
      if (A.column.size() - A.start[i] == 2 && A.column.back() < j)
        std::swap(A.column.back(), A.column[A.column.size() - 2]);
    }
    push(i, 2);
    A.start.push_back(int(A.column.size()));
    last[level].add(i);
    reached = std::max(reached, level + 1);
  }
  for (int l = 0; l < reached; ++l) A.of_level.push_back(last[l].count);
  return A;
}

}  // namespace wavesim::fiorentini
