#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/backend/backend.hpp"
#include "kernels/reduce/reduce.hpp"

namespace wavesim {

struct Scale {
  double s;
  HD void operator()(const double& x, double& y) const { y = s * x + y; }
};
struct Square {
  HD Sum<1> operator()(const double& x) const { return {{x * x}}; }
};
struct NeighbourSum {
  const double* x;
  HD Norms operator()(Row r, double& y) const {
    y = x[r.i - r.pitch] + x[r.i - 1] + x[r.i + 1] + x[r.i + r.pitch];
    return Norms::of(y);
  }
};
struct AddNeighbours {
  NeighbourSum of;
  HD void operator()(Row r, double& y) const {
    double sum;
    of(r, sum);
    y += sum;
  }
};
/// x[k] = 1 + the largest of the last stage
struct AfterTheLastStage {
  int* x;
  const int* largest_before;  // index of an element of the stage before, -1: none
  HD void operator()(int k) const { x[k] = largest_before[k] < 0 ? 1 : x[largest_before[k]] + 1; }
};
/// x[i] = 1 + the sum of two earlier elements, modulo a prime: wrong unless both are there.
struct AfterTwoOthers {
  long long* x;
  const int *start, *neighbour;
  HD void operator()(int i) const {
    long long sum = 1;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += fresh(x + neighbour[k]);
    x[i] = sum % 1000003;
  }
};
struct Remember {
  double* to;
  HD void operator()(const Norms& n) const { *to = n.squares; }
};

namespace {

std::vector<double> random_padded(Extent e) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> v(std::size_t(e.pitch) * (e.ny + 2), 0);
  for (int row = 0; row < e.ny; ++row)
    for (int col = 0; col < e.nx; ++col) v[std::size_t(row + 1) * e.pitch + col] = uniform(random);
  return v;
}

TEST(Extent, LeavesAtLeastOnePaddingElementInARow) {
  for (int nx : {1, 15, 16, 17, 8191}) {
    EXPECT_GT(make_extent(nx, 2).pitch, nx);
    EXPECT_EQ(make_extent(nx, 2).pitch % pitch_alignment, 0);
  }
  EXPECT_EQ(make_extent(8191, 8191).pitch, 8192);
}

TEST(Backend, MapsEveryElement) {
  Backend be;
  for (int nx : {1, 31, 257, 1000}) {
    const Extent e = make_extent(nx, 37);
    Field<Backend, double> x(be, e), y(be, e);
    const auto v = random_padded(e);
    x.memory().upload(v);
    y.memory().upload(v);
    be.map("y = 2 x + y", e, Scale{2}, x.in(), y.inout());
    const auto got = y.memory().download();
    for (std::size_t i = 0; i < v.size(); ++i) ASSERT_EQ(got[i], 3 * v[i]);
  }
}

TEST(Backend, SumsInAnOrderThatDependsOnTheSizeOnly) {
  Backend be;
  const Extent e = make_extent(613, 411);
  Field<Backend, double> x(be, e);
  x.memory().upload(random_padded(e));
  Buffer<Backend, Sum<1>> sum(be, 1);
  be.map_sum("<x, x>", e, sum.data(), Square{}, NoEpilogue{}, x.in());
  const double first = sum.download()[0].v[0];
  double expected = 0;
  for (double v : x.memory().download()) expected += v * v;
  EXPECT_NEAR(first, expected, 1e-11 * expected);
  for (int repetition = 0; repetition < 5; ++repetition) {
#ifndef __CUDACC__
    omp_set_num_threads(1 + repetition);
#endif
    be.map_sum("<x, x>", e, sum.data(), Square{}, NoEpilogue{}, x.in());
    EXPECT_EQ(sum.download()[0].v[0], first);
  }
#ifndef __CUDACC__
  omp_set_num_threads(omp_get_num_procs());
#endif
}

TEST(Backend, VisitsEveryPointOnceAndReadsNeighboursAcrossPaddingAsZero) {
  Backend be;
  // tiles that end within a row or a column, one, two and three rows from their own end, one tile to a block
  // and more
  for (auto [nx, ny] : {std::pair{1, 1},
                        {64, 16},
                        {65, 17},
                        {200, 3},
                        {3, 200},
                        {128, 8},
                        {129, 9},
                        {255, 10},
                        {257, 11},
                        {500, 2600},
                        {700, 4003}}) {
    const Extent e = make_extent(nx, ny);
    Field<Backend, double> x(be, e), y(be, e);
    const auto v = random_padded(e);
    x.memory().upload(v);
    Buffer<Backend, Norms> norms(be, 1), again(be, 1);
    Buffer<Backend, double> told(be, 1);
    be.rows_sum("neighbours", e, 8, norms.data(), NeighbourSum{x.data()}, Remember{told.data()}, y.out());
    const auto got = y.memory().download();
    for (const bool edges : {true, false}) {  // twice: a backend may go through the points the other way
      y.memory().upload(std::vector<double>(y.memory().size(), 0));
      be.rows_sum("neighbours", Rows{e, edges}, 8, again.data(), NeighbourSum{x.data()}, NoEpilogue{},
                  y.out());
      ASSERT_EQ(y.memory().download(), got);
      EXPECT_EQ(again.download()[0].squares, norms.download()[0].squares);
      y.memory().upload(std::vector<double>(y.memory().size(), 0));
      be.rows("neighbours", Rows{e, edges}, 8, AddNeighbours{{x.data()}}, y.inout());
      ASSERT_EQ(y.memory().download(), got);
    }
    double squares = 0, largest = 0;
    for (int row = 0; row < ny; ++row)
      for (int col = 0; col < nx; ++col) {
        const std::size_t i = std::size_t(row + 1) * e.pitch + col;
        const double west = col > 0 ? v[i - 1] : 0, east = col < nx - 1 ? v[i + 1] : 0;
        const double expected = v[i - e.pitch] + west + east + v[i + e.pitch];
        ASSERT_NEAR(got[i], expected, 1e-15);
        squares += got[i] * got[i];
        largest = std::max(largest, std::abs(got[i]));
      }
    EXPECT_NEAR(norms.download()[0].squares, squares, 1e-12 * (1 + squares));
    EXPECT_EQ(norms.download()[0].largest, largest);
    EXPECT_EQ(told.download()[0], norms.download()[0].squares) << "the epilogue sees the sum";
  }
}

TEST(Backend, TakesStagesInTheirOrderAndBackward) {
  Backend be;
  std::vector<int> start{0};
  for (int s = 0; s < 300; ++s) start.push_back(start.back() + (s % 50 == 7 ? 5000 : s % 90 + 1));
  const int n = start.back();
  const Stages<Backend> stages(be, start);
  for (const bool forward : {true, false}) {
    std::vector<int> before(n), expected(n);
    for (int s = 0; s < stages.count(); ++s)
      for (int k = start[s]; k < start[s + 1]; ++k) {
        const int last = forward ? s - 1 : s + 1;
        const bool first = last < 0 || last == stages.count();
        before[k] = first ? -1 : start[last] + k % (start[last + 1] - start[last]);
        expected[k] = forward ? s + 1 : stages.count() - s;
      }
    Buffer<Backend, int> from(be, n), x(be, n);
    from.upload(before);
    be.counts().clear();
    be.staged("a test", stages, forward, 8.0 * n, AfterTheLastStage{x.data(), from.data()});
    EXPECT_EQ(x.download(), expected);
    EXPECT_EQ(be.counts().passes, 1);
    EXPECT_DOUBLE_EQ(be.counts().bytes, 8.0 * n);
  }
}

TEST(Backend, TakesElementsInOrderIfTheyDependOnEachOther) {
  Backend be;
  std::mt19937 random(3);
  for (const int n : {1, 1000, 100000, 300}) {  // a shorter one uses what the longer one left
    for (const bool forward : {true, false}) {
      std::vector<int> start{0}, neighbour;
      for (int i = 0; i < n; ++i) {
        const int earlier = forward ? i : n - 1 - i;
        // next door, in most cases, and anywhere
        for (const int back : {1 + int(random() % 4), 1 + int(random() % n)})
          if (back <= earlier) neighbour.push_back(forward ? i - back : i + back);
        start.push_back(int(neighbour.size()));
      }
      std::vector<long long> expected(n);
      for (int k = 0; k < n; ++k)
        AfterTwoOthers{expected.data(), start.data(), neighbour.data()}(forward ? k : n - 1 - k);
      Buffer<Backend, int> starts(be, start.size()), neighbours(be, neighbour.size());
      starts.upload(start);
      neighbours.upload(neighbour);
      Buffer<Backend, long long> x(be, n);
      for (int repetition = 0; repetition < 3; ++repetition) {
        be.zero(x.data(), n);
        be.in_order("a test", n, forward, Dependencies{starts.data(), neighbours.data()}, 0,
                    AfterTwoOthers{x.data(), starts.data(), neighbours.data()});
        ASSERT_EQ(x.download(), expected) << n;
      }
    }
  }
}

TEST(Norms, NeverLoseANotANumber) {
  for (double nothing : {std::nan(""), -std::nan("")})
    for (int place = 0; place < 3; ++place) {
      Norms n;
      for (int k = 0; k < 3; ++k) n.join(Norms::of(k == place ? nothing : k - 5.0));
      EXPECT_TRUE(std::isnan(n.squares) && std::isnan(n.largest)) << place;
    }
}

TEST(Norms, HaveTheLargestMagnitude) {
  Norms n;
  double largest = 0;
  for (double r : {0.0, -0.0, 1e-310, -3.0, 2.0, 4.0, -1e300, 1e200}) {
    n.join(Norms::of(r));
    largest = std::max(largest, std::fabs(r));
    EXPECT_EQ(n.largest, largest) << r;
  }
  n.join(Norms::of(-HUGE_VAL));
  EXPECT_EQ(n.largest, HUGE_VAL);
}

// They go in pieces on a GPU, in two places in turn.
TEST(Backend, BringsBackCopiesOfAnySize) {
  Backend be;
  for (const std::size_t n : {0ul, 1ul, 1000ul, 1ul << 20, (1ul << 20) + 1, 3ul << 20, (5ul << 20) + 77}) {
    Buffer<Backend, double> there(be, n), more(be, n);
    std::vector<double> v(n);
    for (int round = 0; round < 2; ++round) {
      for (std::size_t i = 0; i < n; ++i) v[i] = double(i + n) + 0.5 * round;
      there.upload(v);
      more.upload(std::vector<double>(n, -1));  // through the same pieces
      ASSERT_EQ(there.download(), v) << n << " doubles";
    }
  }
}

TEST(Backend, SetsNothingToZeroUnderAClosedGuard) {
  if (!Backend::asynchronous) GTEST_SKIP() << "the CPU has no guards";
  Backend be;
  const Extent e = make_extent(37, 19);
  Field<Backend, double> v(be, e);
  Buffer<Backend, int> flag(be, 1);
  const std::vector<double> ones(v.own_rows().size(), 1);
  for (const bool open : {false, true}) {
    v.upload_own_rows(ones.data());
    flag.upload({open ? 7 : 8});
    be.guard(flag.data(), 7);
    v.clear();
    be.unguard();
    EXPECT_EQ(v.own_rows(), open ? std::vector<double>(ones.size(), 0) : ones);
  }
}

TEST(OperationCounts, CountsPassesReductionsAndBytes) {
  Backend be;
  const Extent e = make_extent(31, 4);
  Field<Backend, double> x(be, e), y(be, e);
  Buffer<Backend, Sum<1>> sum(be, 1);
  be.counts().clear();
  be.map("y = 2 x + y", e, Scale{2}, x.in(), y.inout());
  be.map_sum("<x, x>", e, sum.data(), Square{}, NoEpilogue{}, x.in());
  EXPECT_EQ(be.counts().passes, 2);
  EXPECT_EQ(be.counts().reductions, 1);
  EXPECT_EQ(be.counts().count("y = 2 x + y"), 1);
  EXPECT_DOUBLE_EQ(be.counts().bytes, 8.0 * e.count() * (3 + 1));
}

}  // namespace
}  // namespace wavesim
