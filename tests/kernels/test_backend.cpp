#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/backend.hpp"
#include "kernels/reduce.hpp"

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
    be.map("y = 2 x + y", e.count(), Scale{2}, x.in(), y.inout());
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
  be.map_sum("<x, x>", e.count(), sum.data(), Square{}, NoTail{}, x.in());
  const double first = sum.download()[0].v[0];
  double expected = 0;
  for (double v : x.memory().download()) expected += v * v;
  EXPECT_NEAR(first, expected, 1e-11 * expected);
  for (int repetition = 0; repetition < 5; ++repetition) {
#ifndef __CUDACC__
    omp_set_num_threads(1 + repetition);
#endif
    be.map_sum("<x, x>", e.count(), sum.data(), Square{}, NoTail{}, x.in());
    EXPECT_EQ(sum.download()[0].v[0], first);
  }
#ifndef __CUDACC__
  omp_set_num_threads(omp_get_num_procs());
#endif
}

TEST(Backend, VisitsEveryPointOnceAndReadsNeighboursAcrossPaddingAsZero) {
  Backend be;
  for (auto [nx, ny] : {std::pair{1, 1}, {64, 16}, {65, 17}, {200, 3}, {3, 200}}) {
    const Extent e = make_extent(nx, ny);
    Field<Backend, double> x(be, e), y(be, e);
    const auto v = random_padded(e);
    x.memory().upload(v);
    Buffer<Backend, Norms> norms(be, 1);
    Buffer<Backend, double> told(be, 1);
    be.rows_sum("neighbours", e, 8, norms.data(), NeighbourSum{x.data()}, Remember{told.data()}, y.out());
    const auto got = y.memory().download();
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
    EXPECT_EQ(told.download()[0], norms.download()[0].squares) << "the tail sees the sum";
  }
}

TEST(Norms, NeverLoseANotANumber) {
  Norms n = Norms::of(1);
  n.join(Norms::of(std::nan("")));
  n.join(Norms::of(2));
  EXPECT_TRUE(std::isnan(n.squares));
  EXPECT_TRUE(std::isnan(n.largest) || std::isnan(n.squares));
}

TEST(Tally, CountsPassesReductionsAndBytes) {
  Backend be;
  const Extent e = make_extent(31, 4);
  Field<Backend, double> x(be, e), y(be, e);
  Buffer<Backend, Sum<1>> sum(be, 1);
  be.tally().clear();
  be.map("y = 2 x + y", e.count(), Scale{2}, x.in(), y.inout());
  be.map_sum("<x, x>", e.count(), sum.data(), Square{}, NoTail{}, x.in());
  EXPECT_EQ(be.tally().passes, 2);
  EXPECT_EQ(be.tally().reductions, 1);
  EXPECT_EQ(be.tally().count("y = 2 x + y"), 1);
  EXPECT_DOUBLE_EQ(be.tally().bytes, 8.0 * e.count() * (3 + 1));
}

}  // namespace
}  // namespace wavesim
