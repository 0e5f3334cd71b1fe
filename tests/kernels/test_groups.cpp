#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/backend/backend.hpp"
#include "kernels/blocks/scratch.hpp"

namespace wavesim::test {

/// Each group k takes W numbers x and leaves what its lanes tell one another.
template <int W>
struct Exchange {
  const double* x;
  double* sums;
  double* largest;
  double* third;   // of lane 2
  double* mirror;  // W numbers, written by one lane and read by another
  int* argmax;
  int* visited;  // by each(n), and each(from, to)

  template <class G>
  HD void operator()(const G& g, int k) const {
    const int at = k * W;
    LanesOf<G, double> v;
    g.each([&](int i) { v[i] = x[at + i]; });
    const double sum = g.sum(v), most = g.largest(v), from_third = g.broadcast(v, 2);
    const int where = g.argmax(v);
    g.each(W - 1, W, [&](int) {
      sums[k] = sum;
      largest[k] = most;
      third[k] = from_third;
      argmax[k] = where;
    });
    g.each(3, [&](int i) { visited[at + i] += 1; });
    g.each(1, 4, [&](int i) { visited[at + i] += 10; });
    g.each([&](int i) { mirror[at + W - 1 - i] = v[i]; });
    g.sync();
    LanesOf<G, double> mine;
    g.each([&](int i) { mine[i] = mirror[at + i]; });
    g.sync();
    g.each([&](int i) { mirror[at + i] = mine[i] + 1; });
  }
};

/// Each lane takes the numbers of its neighbours.
template <int W>
struct Shift {
  const double* x;
  double *next, *before;
  template <class G>
  HD void operator()(const G& g, int k) const {
    LanesOf<G, double> v;
    g.each([&](int i) { v[i] = x[k * W + i]; });
    const LanesOf<G, double> n = g.next(v), b = g.before(v);
    g.each([&](int i) { next[k * W + i] = n[i], before[k * W + i] = b[i]; });
  }
};

/// Stage s adds up what stage s - 1 left, each group its own half of a tree.
template <int W>
struct Tree {
  double* x;  // stage s: 2^(last - s) groups of W numbers, one stage after the other
  int last;
  HD int groups(int s) const { return 1 << (last - s); }
  template <class G>
  HD void operator()(const G& g, int s, int k) const {
    int at = 0;
    for (int n = 0; n < s; ++n) at += groups(n);
    double* to = x + long(at + k) * W;
    const double* from = s == 0 ? to : to - long(k) * W + (2L * k - groups(s - 1)) * W;
    g.each([&](int i) { to[i] = s == 0 ? double(k * W + i) : from[i] + from[W + i]; });
  }
};

/// Group k has the W numbers from x + k W on, of which n = 1 + k % W count. Its lanes write them to the room
/// in reverse, and leave what others wrote and say; `threads` take the turns of so many lanes.
template <int turns>
struct InRooms {
  const double* x;
  double *mirror, *before, *of_last, *largest;
  int *together, *visits;

  template <int W>
  struct Scratch {
    double numbers[W];
  };
  static constexpr int threads(int W) { return W / turns; }
  static constexpr int resident(int) { return 4; }

  template <class G, int W>
  HD void operator()(const G& g, int k, Scratch<W>& room) const {
    const int at = k * W, n = 1 + k % W;
    LanesOf<G, double> v;
    g.each([&](auto i) { room.numbers[W - 1 - i] = v[i] = x[at + i]; });
    g.sync();
    LanesOf<G, double> valid;
    g.each(n, [&](auto i) { valid[i] = v[i]; });
    const LanesOf<G, double> b = g.before(v);
    const double last = g.broadcast(v, n - 1), most = g.largest(valid);
    const int all = wavesim::together(g, n);
    g.each([&](auto i) {
      mirror[at + i] = room.numbers[i];
      before[at + i] = b[i];
    });
    g.each(1, [&](auto) {
      of_last[k] = last;
      largest[k] = most;
      together[k] = all;
      visits[k] = 1;
    });
  }
};

namespace {

template <int W, int turns>
void expect_rooms(int count) {
  Backend be;
  std::vector<double> x(std::size_t(count) * W);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = double(i * 7919 % 101) + 1;
  Buffer<Backend, double> from(be, x.size()), mirror(be, x.size()), before(be, x.size()), of_last(be, count),
      largest(be, count);
  Buffer<Backend, int> together(be, count), visits(be, count);
  from.upload(x);
  be.counts().clear();
  const InRooms<turns> f{from.data(),    mirror.data(),   before.data(), of_last.data(),
                         largest.data(), together.data(), visits.data()};
  groups_with_scratch<W>(be, "in rooms", count, 24, f);
  EXPECT_EQ(be.counts().passes, 1);
  EXPECT_EQ(be.counts().bytes, 24);
  const auto m = mirror.download(), b = before.download(), p = of_last.download(), l = largest.download();
  const auto t = together.download(), v = visits.download();
  for (int k = 0; k < count; ++k) {
    const int n = 1 + k % W;
    ASSERT_EQ(v[k], 1) << W << " " << k;
    ASSERT_EQ(p[k], x[k * W + n - 1]) << W << " " << k;
    ASSERT_EQ(l[k], *std::max_element(x.begin() + k * W, x.begin() + k * W + n)) << W << " " << k;
    ASSERT_GE(t[k], n);
    ASSERT_LE(t[k], W);
    for (int i = 0; i < W; ++i) {
      ASSERT_EQ(m[k * W + i], x[k * W + W - 1 - i]);
      ASSERT_EQ(b[k * W + i], x[k * W + (i > 0 ? i - 1 : 0)]) << W << " " << k << " " << i;
    }
  }
}

TEST(GroupsInRooms, ShareThemAndTellOneAnother) {
  for (int count : {1, 3, 64, 501}) {
    expect_rooms<4, 1>(count);
    expect_rooms<8, 1>(count);
    expect_rooms<8, 2>(count);
    expect_rooms<16, 2>(count);
    expect_rooms<32, 1>(count);
    expect_rooms<32, 2>(count);
  }
}

template <int W>
void expect_shift(int count) {
  Backend be;
  std::vector<double> x(std::size_t(count) * W);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = double(i);
  Buffer<Backend, double> from(be, x.size()), next(be, x.size()), before(be, x.size());
  from.upload(x);
  be.template groups<W>("shift", count, 24, Shift<W>{from.data(), next.data(), before.data()});
  const auto n = next.download(), b = before.download();
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < W; ++i) {
      ASSERT_EQ(n[k * W + i], x[k * W + (i < W - 1 ? i + 1 : i)]);
      ASSERT_EQ(b[k * W + i], x[k * W + (i > 0 ? i - 1 : i)]);
    }
}

TEST(Groups, LanesTakeTheirNeighboursNumbers) {
  expect_shift<4>(37);
  expect_shift<8>(37);
  expect_shift<16>(1);
  expect_shift<32>(500);
}

TEST(Groups, InStagesSeeWhatTheStageBeforeWrote) {
  Backend be;
  constexpr int W = 32, last = 9;
  Buffer<Backend, double> x(be, (2 << last) * std::size_t(W));
  for (int repeat = 0; repeat < 5; ++repeat) {
    be.zero(x.data(), x.size());
    be.template groups_in_stages<W>("tree", last + 1, 8, Tree<W>{x.data(), last});
    const auto sums = x.download();
    for (int i = 0; i < W; ++i) {
      double sum = 0;
      for (int k = 0; k < 1 << last; ++k) sum += k * W + i;
      ASSERT_EQ(sums[((2L << last) - 2) * W + i], sum);
    }
  }
}

template <int W>
void expect_exchange(int count) {
  Backend be;
  std::vector<double> x(std::size_t(count) * W);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = double(i * 7919 % 101) / 3 - 20;
  for (int k = 0; k < count; ++k) x[k * W + k % W] = x[k * W + (k + 1) % W] = 50;  // the largest twice
  Buffer<Backend, double> from(be, x.size()), sums(be, count), largest(be, count), third(be, count),
      mirror(be, x.size());
  Buffer<Backend, int> argmax(be, count), visited(be, x.size());
  from.upload(x);
  be.counts().clear();
  const Exchange<W> f{from.data(),   sums.data(),   largest.data(), third.data(),
                      mirror.data(), argmax.data(), visited.data()};
  be.template groups<W>("exchange", count, 24, f);
  EXPECT_EQ(be.counts().passes, 1);
  EXPECT_EQ(be.counts().bytes, 24);
  const auto s = sums.download(), l = largest.download(), t = third.download(), m = mirror.download();
  const auto a = argmax.download(), v = visited.download();
  for (int k = 0; k < count; ++k) {
    std::vector<double> tree(x.begin() + k * W, x.begin() + (k + 1) * W);
    for (int n = W / 2; n > 0; n /= 2)
      for (int i = 0; i < n; ++i) tree[i] += tree[i + n];
    ASSERT_EQ(s[k], tree[0]) << W << " " << k;  // the same order of the sum on each backend
    ASSERT_EQ(l[k], 50);
    ASSERT_EQ(t[k], x[k * W + 2]);
    ASSERT_EQ(a[k], std::min(k % W, (k + 1) % W)) << W << " " << k;
    for (int i = 0; i < W; ++i) {
      ASSERT_EQ(m[k * W + i], x[k * W + W - 1 - i] + 1);
      ASSERT_EQ(v[k * W + i], (i < 3 ? 1 : 0) + (i >= 1 && i < 4 ? 10 : 0));
    }
  }
}

TEST(Groups, OfLanesExchangeWhatTheyHave) {
  for (int count : {1, 3, 64, 5000}) {
    expect_exchange<4>(count);
    expect_exchange<8>(count);
    expect_exchange<16>(count);
    expect_exchange<32>(count);
  }
}

}  // namespace
}  // namespace wavesim::test
