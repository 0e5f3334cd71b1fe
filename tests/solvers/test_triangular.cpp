#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <limits>

#include "solvers/factorisation.hpp"
#include "solvers/matrix_market.hpp"
#include "solvers/triangular.hpp"
#include "tests/solvers/problems.hpp"

namespace wavesim::test {
namespace {

HostCsr by_rows(int n, const std::function<void(int, const std::function<void(int, double)>&)>& row) {
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
HostCsr scattered(int n, int others, int reach, bool padding, unsigned seed) {
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
HostCsr grid(int nx, int ny, int pitch, unsigned seed) {
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

HostCsr sorted_by_levels(const HostCsr& A) {
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
std::vector<Named> matrices() {
  std::vector<Named> list;
  list.push_back({"one row", by_rows(1, [](int, const auto& push) { push(0, 3); })});
  list.push_back({"a diagonal matrix", by_rows(5000, [](int i, const auto& push) { push(i, 2 + i % 5); })});
  list.push_back({"chains", by_rows(3000, [](int i, const auto& push) {
                    if (i > 0) push(i - 1, 0.3);
                    push(i, 2);
                    if (i < 2999) push(i + 1, -0.7);
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

/// Row by row, each row's sum in the order of its entries.
template <class T>
std::vector<T> serial_solve(const HostCsr& A, bool lower, bool unit, std::vector<T> x) {
  for (int n = 0; n < A.rows; ++n) {
    const int i = lower ? n : A.rows - 1 - n;
    if (A.start[i] == A.start[std::size_t(i) + 1]) continue;
    T sum = x[i];
    double d = 0;
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
      const int j = A.column[k];
      if (j == i) d = A.value[k];
      if (lower ? j < i : j > i) sum = std::fma(-T(A.value[k]), x[j], sum);
    }
    x[i] = unit ? sum : T(1 / d) * sum;
  }
  return x;
}

/// Zeros where rows are empty.
template <class T>
std::vector<T> values_for(const HostCsr& A, unsigned seed) {
  const std::vector<double> v = random_values(A.rows, seed);
  std::vector<T> b(A.rows, T(0));
  for (int i = 0; i < A.rows; ++i)
    if (A.start[i] < A.start[std::size_t(i) + 1]) b[i] = T(v[i]);
  return b;
}

template <class T>
class TriangularSolves : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(TriangularSolves, Precisions);

TYPED_TEST(TriangularSolves, EqualTheSerialSolveToTheBit) {
  using T = TypeParam;
  Backend be;
  for (const Named& m : matrices())
    for (const bool lower : {true, false}) {
      const bool unit = m.A.rows % 2 == 0 && m.name.find("mtx") == std::string::npos;
      HostCsr A = m.A;
      if (unit)  // with ones for its diagonal a solution would grow beyond all numbers
        for (double& v : A.value) v /= 16;
      const Triangular<Backend, T> solver(be, A, lower ? Triangle::lower : Triangle::upper, unit);
      const std::vector<T> b = values_for<T>(m.A, 9);
      Buffer<Backend, T> from(be, b.size()), to(be, b.size());
      from.upload(b);
      const std::vector<T> expected = serial_solve(A, lower, unit, b);
      for (int repetition = 0; repetition < 3; ++repetition) {
        solver.solve(from.data(), to.data());
        ASSERT_EQ(to.download(), expected) << m.name << (lower ? ", lower" : ", upper");
      }
      solver.solve(from.data(), from.data());
      ASSERT_EQ(from.download(), expected) << m.name << ", in place";
    }
}

TYPED_TEST(TriangularSolves, TakeManyRightHandSidesAtOnce) {
  using T = TypeParam;
  Backend be;
  for (const Named& m : matrices()) {
    const Triangular<Backend, T> solver(be, m.A, Triangle::upper, false);
    const long stride = m.A.rows + 5;
    for (const int count : {3, 4, 13}) {
      std::vector<T> all(std::size_t(stride * count), T(0)), expected = all;
      for (int n = 0; n < count; ++n) {
        const std::vector<T> b = values_for<T>(m.A, 10 + n);
        std::copy(b.begin(), b.end(), all.begin() + n * stride);
        const std::vector<T> x = serial_solve(m.A, false, false, b);
        std::copy(x.begin(), x.end(), expected.begin() + n * stride);
      }
      Buffer<Backend, T> x(be, all.size());
      x.upload(all);
      solver.solve(x.data(), x.data(), count, stride);
      ASSERT_EQ(x.download(), expected) << m.name << ", " << count;
    }
  }
}

// On the host, where one band is enough, too: the deal itself is what is looked at.
TYPED_TEST(TriangularSolves, DoNotDependOnTheNumberOfBands) {
  using T = TypeParam;
  Backend be;
  int most = 0;
  for (const Named& m : matrices())
    for (const bool lower : {true, false})
      for (const int bands : {2, 100}) {
        const Triangle side = lower ? Triangle::lower : Triangle::upper;
        const SparseRows<Backend> A(be, m.A);
        const Triangular<Backend, T> solver(be, A, side, false, Levels<Backend>(be, A, side), {bands, 16});
        ASSERT_LE(solver.bands(), bands);
        most = std::max(most, solver.bands());
        const std::vector<T> b = values_for<T>(m.A, 9);
        Buffer<Backend, T> x(be, b.size());
        x.upload(b);
        solver.solve(x.data(), x.data());
        ASSERT_EQ(x.download(), serial_solve(m.A, lower, false, b)) << m.name << ", " << bands << " bands";
      }
  EXPECT_GT(most, 7);
}

TEST(TriangularLevels, AreThoseOfTheHost) {
  Backend be;
  for (const Named& m : matrices())
    for (const bool lower : {true, false}) {
      const SparseRows<Backend> A(be, m.A);
      const RowStages expected = levels_of(m.A, lower ? Depends::lower : Depends::upper);
      const Levels<Backend> levels(be, A, lower ? Triangle::lower : Triangle::upper);
      EXPECT_EQ(levels.count, expected.count()) << m.name;
      std::vector<int> order = by_level(be, levels).download();
      order.resize(expected.row.size());  // without the padding, which comes last
      ASSERT_EQ(order, expected.row) << m.name;
      const std::vector<int> level = levels.level.download();
      for (int s = 0; s < expected.count(); ++s)
        for (int k = expected.start[s]; k < expected.start[std::size_t(s) + 1]; ++k)
          ASSERT_EQ(level[expected.row[k]], s) << m.name;
    }
}

TEST(TriangularLevels, OfAGridGiveALaneToEachOfItsLines) {
  Backend be;
  for (const bool by_levels : {false, true}) {
    const HostCsr host = by_levels ? sorted_by_levels(grid(256, 256, 256, 3)) : grid(256, 256, 256, 3);
    const SparseRows<Backend> A(be, host);
    for (const Triangle side : {Triangle::lower, Triangle::upper}) {
      const Levels<Backend> levels(be, A, side);
      EXPECT_EQ(levels.count, 511);
      const auto r = make_relay<double>(be, A, side, true, levels, {100, 16});
      EXPECT_EQ(r.bands, 8);
      EXPECT_LE(r.slice.size(), 8u * (256 + 31));  // a slice a level
      EXPECT_LE(r.cells, 9 * 256);                 // a line of each band is for the next
    }
  }
}

TEST(TriangularLevels, AValueThatIsNoNumberHoldsUpNobody) {
  Backend be;
  const HostCsr A = grid(70, 70, 70, 4);
  const Triangular<Backend, double> solver(be, A, Triangle::lower, false);
  std::vector<double> b(A.rows, 1);
  b[0] = std::numeric_limits<double>::signaling_NaN();
  b[40] = std::numeric_limits<double>::infinity();
  Buffer<Backend, double> x(be, b.size());
  x.upload(b);
  solver.solve(x.data(), x.data());
  for (double v : x.download()) EXPECT_TRUE(std::isnan(v));
}

void expect_same(const HostCsr& got, const HostCsr& expected, const std::string& what) {
  ASSERT_EQ(got.start, expected.start) << what;
  ASSERT_EQ(got.column, expected.column) << what;
  ASSERT_EQ(got.value, expected.value) << what;
}

TEST(IncompleteFactors, EqualThoseOfTheHostToTheBit) {
  Backend be;
  int factorised = 0;
  for (const Named& m : matrices()) {
    const Csr<Backend, double> A(be, m.A);
    Levels<Backend> levels;
    expect_same(ilu0(be, A, m.A.rows, levels).download(), ilu0(m.A), m.name);
    EXPECT_EQ(levels.count, levels_of(m.A, Depends::lower).count());
    const HostCsr symmetric = m.A;
    try {
      const HostCsr L = ic0(symmetric);
      const SparseRows<Backend> mine = ic0(be, A, m.A.rows, levels);
      expect_same(mine.download(), L, m.name);
      expect_same(transposed(be, mine).download(), transpose(L), m.name);
      ++factorised;
    } catch (const SolveError&) {
      EXPECT_THROW(ic0(be, A, m.A.rows, levels), SolveError) << m.name;
    }
    for (const double omega : {1.0, 1.5}) {
      HostCsr L = ssor_lower(m.A, omega), U = ssor_upper(m.A, omega);
      expect_same(ssor_lower(be, A, m.A.rows, omega).download(), sorted(L), m.name);
      expect_same(ssor_upper(be, A, m.A.rows, omega).download(), sorted(U), m.name);
    }
  }
  EXPECT_GE(factorised, 8);
}

TEST(IncompleteFactors, AreRefusedWhereTheHostsAre) {
  Backend be;
  const auto complaint = [](const std::function<void()>& f) -> std::string {
    try {
      f();
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "none";
  };
  const auto compare = [&](const HostCsr& host, const std::string& row) {
    const Csr<Backend, double> A(be, host);
    Levels<Backend> levels;
    const std::string mine = complaint([&] { ilu0(be, A, host.rows, levels); });
    EXPECT_EQ(mine, complaint([&] { ilu0(host); }));
    EXPECT_NE(mine.find(row), std::string::npos) << mine;
    const std::string cholesky = complaint([&] { ic0(be, A, host.rows, levels); });
    EXPECT_EQ(cholesky, complaint([&] { ic0(host); }));
    EXPECT_NE(cholesky.find(row), std::string::npos) << cholesky;
  };
  compare({2, {0, 2, 4}, {0, 1, 0, 1}, {1, 1, 1, 1}}, "row 1");  // the second pivot is zero
  compare({2, {0, 1, 2}, {1, 0}, {1, 1}}, "row 0");              // no diagonal
  compare({3, {0, 1, 2, 4}, {0, 1, 1, 2}, {1, std::nan(""), 1, 3}}, "row 1");
  HostCsr A = grid(40, 40, 40, 5);
  A.value[std::find(A.column.begin() + A.start[777], A.column.end(), 777) - A.column.begin()] = -1e9;
  const Csr<Backend, double> negative(be, A);
  Levels<Backend> levels;
  EXPECT_EQ(complaint([&] { ic0(be, negative, A.rows, levels); }), complaint([&] { ic0(A); }));
}

}  // namespace
}  // namespace wavesim::test
