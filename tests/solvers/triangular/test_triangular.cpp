#include <gtest/gtest.h>

#include <limits>

#include "solvers/factorisation/factorisation.hpp"
#include "solvers/triangular/triangular_solve.hpp"
#include "tests/solvers/triangular/triangular_problems.hpp"

namespace wavesim::test {
namespace {

/// Row by row; of each row's sum lane l has entries l, l + lanes, ... in their order
/// (kernels/sptrsv/level_schedule.hpp).
template <class T>
std::vector<T> serial_solve(const HostCsr& A, bool lower, bool unit, int lanes, std::vector<T> x) {
  for (int n = 0; n < A.rows; ++n) {
    const int i = lower ? n : A.rows - 1 - n;
    if (A.start[i] == A.start[std::size_t(i) + 1]) continue;
    std::vector<T> sum(lanes, T(0));
    sum[0] = x[i];
    double d = 0;
    int entry = 0;
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
      const int j = A.column[k];
      if (j == i) d = A.value[k];
      if (!(lower ? j < i : j > i)) continue;
      T& part = sum[entry++ % lanes];
      part = std::fma(-T(A.value[k]), x[j], part);
    }
    for (int left = lanes / 2, apart = 1; left > 0; left /= 2, apart *= 2)
      for (int l = 0; l < left; ++l) sum[2 * apart * l] += sum[2 * apart * l + apart];
    x[i] = unit ? sum[0] : T(1 / d) * sum[0];
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
      const std::vector<T> expected = serial_solve(A, lower, unit, solver.lanes(), b);
      for (int repetition = 0; repetition < 3; ++repetition) {
        solver.solve(from.data(), to.data());
        ASSERT_EQ(to.download(), expected) << m.name << (lower ? ", lower" : ", upper");
      }
      solver.solve(from.data(), from.data());
      ASSERT_EQ(from.download(), expected) << m.name << ", in place";
    }
}

TYPED_TEST(TriangularSolves, OfADiagonalDivideByItOrByOne) {
  using T = TypeParam;
  Backend be;
  HostCsr A = by_rows(1000, [](int i, const auto& push) { push(i, 2 + i % 5); });
  const std::vector<T> b = values_for<T>(A, 9);
  for (const bool unit : {false, true}) {
    const Triangular<Backend, T> solver(be, A, Triangle::upper, unit);
    EXPECT_EQ(solver.levels(), 1);
    Buffer<Backend, T> x(be, 2 * b.size());
    std::vector<T> twice = b, expected = serial_solve(A, false, unit, 1, b);
    twice.insert(twice.end(), b.begin(), b.end());
    x.upload(twice);
    solver.solve(x.data(), x.data(), 2, long(b.size()));
    twice = expected;
    twice.insert(twice.end(), expected.begin(), expected.end());
    EXPECT_EQ(x.download(), twice) << unit;
  }
  A.value[77] = 0;
  EXPECT_THROW((Triangular<Backend, T>(be, A, Triangle::upper, false)), InputError);
}

TYPED_TEST(TriangularSolves, TakeManyRightHandSidesAtOnce) {
  using T = TypeParam;
  Backend be;
  for (const Named& m : matrices()) {
    const SparseRows<Backend> A(be, m.A);
    const Levels<Backend> levels(be, A, Triangle::upper);
    const long stride = m.A.rows + 5;
    for (const int count : {3, 4, 13}) {
      const ScheduleLimits limits = count == 3 ? ScheduleLimits{100, 16} : schedule_limits(be);
      const Triangular<Backend, T> solver(be, A, Triangle::upper, false, levels, limits);
      std::vector<T> all(std::size_t(stride * count), T(0)), expected = all;
      for (int n = 0; n < count; ++n) {
        const std::vector<T> b = values_for<T>(m.A, 10 + n);
        std::copy(b.begin(), b.end(), all.begin() + n * stride);
        const std::vector<T> x = serial_solve(m.A, false, false, solver.lanes(), b);
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
        ASSERT_EQ(x.download(), serial_solve(m.A, lower, false, 1, b)) << m.name << ", " << bands << " bands";
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
      const auto r = make_schedule<double>(be, A, side, true, levels, {100, 16});
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

TEST(ApproximateInverses, EqualThoseOfTheHostToTheBit) {
  Backend be;
  int compared = 0;
  for (const Named& m : matrices()) {
    if (m.A.value.size() > 60000) continue;
    const Csr<Backend, double> A(be, m.A);
    Levels<Backend> levels;
    const HostCsr F = ilu0(m.A);
    const SparseRows<Backend> mine = ilu0(be, A, m.A.rows, levels);
    for (const Triangle side : {Triangle::lower, Triangle::upper})
      for (const int power : {1, 2, 4}) {
        const bool lower = side == Triangle::lower;
        if (power > 1 && m.A.value.size() > 20000) continue;
        const HostCsr triangle = triangle_of(F, lower, lower), W = isai(triangle, lower, power);
        const SparseRows<Backend> own = triangle_of(be, mine, side, lower);
        expect_same(own.download(), triangle, m.name);
        expect_same(isai(be, own, side, power).download(), W, m.name + " to the " + std::to_string(power));
        ++compared;
      }
  }
  EXPECT_GE(compared, 30);
}

TEST(ApproximateInverses, OnThePatternOfAllOfItAreTheInverse) {
  Backend be;
  const HostCsr A =
      grid(5, 5, 5, 3);  // the eighth power of its triangle couples all points before one with it
  Levels<Backend> levels;
  const SparseRows<Backend> L =
      triangle_of(be, ilu0(be, Csr<Backend, double>(be, A), A.rows, levels), Triangle::upper, false);
  const HostCsr W = isai(be, L, Triangle::upper, 8).download(), U = L.download();
  for (int i = 0; i < A.rows; ++i) {
    std::vector<double> row(A.rows, 0);  // of W U
    for (int k = W.start[i]; k < W.start[std::size_t(i) + 1]; ++k)
      for (int e = U.start[W.column[k]]; e < U.start[std::size_t(W.column[k]) + 1]; ++e)
        row[U.column[e]] += W.value[k] * U.value[e];
    for (int j = 0; j < A.rows; ++j) ASSERT_NEAR(row[j], i == j, 1e-14);
  }
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
