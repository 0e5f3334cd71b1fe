// Passes of several leapfrog steps: the bits of as many passes of one step, and a GPU's, lane by lane on the CPU, those
// of the CPU's.

#include "tests/kernels/temporal/passes_on_lanes.hpp"

#include <cmath>

#include "kernels/leapfrog/cuda_front.hpp"
#include "kernels/leapfrog/leapfrog_host.hpp"

namespace wavesim {
namespace {

constexpr int K = 8;

/// A state, what is tracked of it, media, forces and taps.
template <class T>
class Fixture : public RandomFields<T> {
 public:
  using RandomFields<T>::extent, RandomFields<T>::topology, RandomFields<T>::values, RandomFields<T>::zeros;
  explicit Fixture(const Case& c) : RandomFields<T>(c, 7), u(values(-1, 1)), p(values(-1, 1)) {
    UniformCoefficients<T> m;
    m.topology = topology;
    m.mass = T(1.5), m.damping = T(0.25), m.face_x = T(0.3), m.face_y = T(0.35);
    for (int k = 0; k < 4; ++k) {
      const T face = k < 2 ? m.face_x : m.face_y;
      m.edge[k] = (k < 2 ? c.periodic_x : c.periodic_y) ? face : c.free ? T(0) : -face;
      m.half[k] = m.edge[k] == 0 ? T(0.5) : T(1);
      m.radiation[k] = c.free && k == 1 ? T(0.125) : T(0);
    }
    uniform = UniformLeapfrog<T>(m, {T(0.5), T(1)});
    for (Field<Host, T>* f : {&east, &north}) *f = values(-0.05, 0.35);  // some hold their points
    inverse = values(0.5, 0.7), keep = values(0.9, 1);
    const Extent& e = extent;
    for (int row = 0; row < e.ny; ++row)
      east.data()[row * e.pitch - 1] = topology.wrap_x != 0 ? east.data()[row * e.pitch + e.nx - 1] : T(-0.3);
    for (int col = 0; col < e.nx; ++col)
      north.data()[col - e.pitch] = topology.wrap_y != 0 ? north.data()[(e.ny - 1) * e.pitch + col] : T(0);
    if (topology.wrap_x == 0)
      for (int row = 0; row < e.ny; ++row) east.data()[row * e.pitch + e.nx - 1] = T(-0.2);
    inverse.data()[0] = keep.data()[0] = u.data()[0] = p.data()[0] = 0;  // a point outside of a shape
    make_points();
  }
  VaryingLeapfrog<T> varying(bool damped) const {
    return {topology, east.data(), north.data(), inverse.data(), damped ? keep.data() : nullptr};
  }

  struct State {
    Field<Host, T> u, p, maximum, arrival;
    std::vector<T> tapped;
  };
  State state() {
    State s{zeros(), zeros(), zeros(), zeros(), std::vector<T>(std::size_t(K) * taps())};
    std::fill_n(s.arrival.data(), std::size_t(extent.count()), T(NAN));
    return s;
  }
  template <bool tracks, class Medium>
  LeapfrogPass<Medium, tracks> pass(const Medium& medium, Field<Host, T>& u, Field<Host, T>& p, State& to,
                                    int step) const {
    LeapfrogPass<Medium, tracks> pass;
    pass.extent = extent, pass.columns = {0, extent.nx}, pass.medium = medium;
    pass.u = u.data(), pass.p = p.data(), pass.u_to = to.u.data(), pass.p_to = to.p.data();
    if (tracks) pass.maximum = to.maximum.data(), pass.arrival = to.arrival.data(), pass.threshold = T(0.8);
    pass.dt = 1, pass.first_step = step;
    const PointsByRow points{first.data(), column.data()};
    pass.pushes = {points, which.data(), weight.data(), 2};
    if (step % 2 == 0)
      pass.pushes.many = &amount[std::size_t(step) * 2];
    else  // as one of them
      std::copy_n(&amount[std::size_t(step) * 2], 2, pass.pushes.few);
    pass.taps = {points, slot.data(), to.tapped.data() + std::size_t(step) * taps(), int(taps())};
    return pass;
  }
  std::size_t taps() const { return column.size(); }
  /// The bits of two states in the domain.
  void expect_same(const State& a, const State& b) const {
    EXPECT_TRUE(this->same_in_domain(a.u, b.u));
    EXPECT_TRUE(this->same_in_domain(a.p, b.p));
    EXPECT_TRUE(this->same_in_domain(a.maximum, b.maximum));
    EXPECT_TRUE(this->same_in_domain(a.arrival, b.arrival));
    EXPECT_EQ(a.tapped, b.tapped);
  }

  Field<Host, T> u, p;
  UniformLeapfrog<T> uniform;

 private:
  /// Points all over the domain, two at some places.
  void make_points() {
    const Extent& e = extent;
    for (int row = 0; row <= e.ny; ++row) {
      first.push_back(int(column.size()));
      for (int col = row % 3 == 1 ? e.nx : row % 5; row < e.ny && col < e.nx; col += 1 + (col * 7 + row) % 40)
        for (int twice = 0; twice < 1 + (col % 2); ++twice) {
          slot.push_back(int(column.size()));
          column.push_back(col);
          which.push_back(twice);
          weight.push_back(0.01 * double(1 + col % 4));
        }
    }
    for (int k = 0; k < 2 * K; ++k) amount.push_back(std::sin(double(k)));
  }

  Field<Host, T> east, north, inverse, keep;
  std::vector<int> first, column, which, slot;
  std::vector<double> weight, amount;
};

template <bool tracks, class T, class Medium>
void passes_are_steps(Fixture<T>& on, const Medium& medium) {
  Host be;
  auto at_once = on.state(), by_steps = on.state(), other = on.state(), in_rows = on.state();
  be.leapfrog<K>("", on.template pass<tracks>(medium, on.u, on.p, at_once, 0));
  // one by one, the state going to and fro
  Field<Host, T>*u = &on.u, *p = &on.p;
  for (int n = 0; n < K; ++n) {
    auto& to = n % 2 == 1 ? by_steps : other;  // the last is n = 7
    auto pass = on.template pass<tracks>(medium, *u, *p, to, n);
    pass.taps.tapped = by_steps.tapped.data() + std::size_t(n) * on.taps();
    if (tracks) pass.maximum = by_steps.maximum.data(), pass.arrival = by_steps.arrival.data();
    be.leapfrog<1>("", pass);
    u = &to.u, p = &to.p;
  }
  on.expect_same(at_once, by_steps);
  // row by row, without forces
  auto first = on.state();
  auto pass = on.template pass<false>(medium, on.u, on.p, first, 0);
  pass.pushes = {}, pass.taps = {};
  be.leapfrog<1>("", pass);
  const T* from = on.u.data();
  be.rows(
      "", Rows{on.extent, true}, 0,
      [=](Row r, const T& p, T& p_to, T& u_to) {
        p_to = medium.step(r, from, p);
        u_to = from[r.i] + p_to;
      },
      on.p.in(), in_rows.p.out(), in_rows.u.out());
  EXPECT_TRUE(on.same_in_domain(first.u, in_rows.u));
  EXPECT_TRUE(on.same_in_domain(first.p, in_rows.p));
}

template <int steps, bool tracks, class T, class Medium>
void lanes_do_as_the_cpu(Fixture<T>& on, const Medium& medium, LanesOnHost::Order order) {
  using Pass = LeapfrogPass<Medium, tracks>;
  using Shape = cuda::LeapfrogShape<steps, Pass>;
  Host be;
  auto by_cpu = on.state(), by_lanes = on.state();
  be.leapfrog<steps>("", on.template pass<tracks>(medium, on.u, on.p, by_cpu, 0));
  const Pass pass = on.template pass<tracks>(medium, on.u, on.p, by_lanes, 0);
  const BlockPlan plan = plan_pass(pass, steps, blocks_at_once);
  struct alignas(128) Line {
    unsigned char bytes[128];
  };
  std::vector<Line> shared(Shape::bytes / sizeof(Line) + 1);
  LanesOnHost threads(plan.lanes<T>(), order);
  for (int block = 0; block < plan.blocks(); ++block) {
    blockIdx.x = block;
    std::memset(shared.data(), 0xff, shared.size() * sizeof(Line));  // NaN
    threads.run([&](int) { cuda::go_up<Shape>(plan, pass, shared.data()->bytes); });
  }
  on.expect_same(by_cpu, by_lanes);
}

/// Passes one after the other, whose fields change places, by a few blocks.
template <int steps, bool tracks, class T, class Medium>
void lanes_take_passes_in_turn(Fixture<T>& on, const Medium& medium, const LanesOnHost::Order& order) {
  using Pass = LeapfrogPass<Medium, tracks>;
  using Shape = cuda::LeapfrogShape<steps, Pass, true>;
  constexpr int passes = K / steps;
  Host be;
  auto at_once = on.state(), in_turn = on.state();
  be.leapfrog<K>("", on.template pass<tracks>(medium, on.u, on.p, at_once, 0));
  auto u = on.zeros(), p = on.zeros();
  std::copy_n(on.u.data(), on.extent.count(), u.data());
  std::copy_n(on.p.data(), on.extent.count(), p.data());
  const Pass pass = on.template pass<tracks>(medium, u, p, in_turn, 0);
  const BlockPlan plan = plan_pass(pass, steps, 8);
  std::vector<unsigned char> shared(Shape::bytes + 128);
  unsigned char* const line = shared.data() + (128 - reinterpret_cast<std::uintptr_t>(shared.data()) % 128);
  LanesOnHost threads(plan.lanes<T>(), order);
  for (int n = 0; n < passes; ++n)
    for (int block = 0; block < plan.blocks(); ++block) {
      blockIdx.x = block;
      std::memset(line, 0xff, Shape::bytes);  // NaN
      threads.run([&](int) { cuda::go_up<Shape>(plan, pass, line, n); });
    }
  static_assert(passes % 2 == 0);  // the last one leaves its state where the first one found it
  std::swap(in_turn.u, u), std::swap(in_turn.p, p);
  on.expect_same(at_once, in_turn);
}

// Strips of 256 doubles or 512 floats on the CPU, on a GPU of 240 or 488, or of 256 or 512 where one has all columns.
const Case cases[] = {{1, 1},
                      {2, 3, false, false, true},
                      {33, 41},
                      {20, 23, false, false, true},
                      {8, 4, true, true},
                      {36, 5, true, false},
                      {12, 5, false, true, true},
                      {531, 6},
                      {532, 3, true, true}};

template <class T>
class Leapfrog : public ::testing::Test {};
using Types = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Leapfrog, Types);

TYPED_TEST(Leapfrog, TakesSeveralStepsAsOneByOne) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c);
    Fixture<TypeParam> on(c);
    passes_are_steps<true>(on, on.uniform);
    passes_are_steps<false>(on, on.varying(false));
    passes_are_steps<true>(on, on.varying(true));
  }
}

TYPED_TEST(Leapfrog, OnLanesGivesTheBitsOfTheCpu) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c);
    Fixture<TypeParam> on(c);
    for (const auto& order : orders) {
      lanes_do_as_the_cpu<8, false>(on, on.uniform, order);
      lanes_do_as_the_cpu<1, false>(on, on.uniform, order);
      lanes_do_as_the_cpu<4, true>(on, on.uniform, order);
      lanes_do_as_the_cpu<6, false>(on, on.varying(false), order);
      lanes_do_as_the_cpu<2, true>(on, on.varying(true), order);
      lanes_take_passes_in_turn<4, true>(on, on.uniform, order);
      lanes_take_passes_in_turn<2, false>(on, on.varying(true), order);
    }
  }
}

// What is shared out over threads is so by rows and strips: a domain of several of each.
TYPED_TEST(Leapfrog, OfManyChunksOfRowsIsThatOfOneByOne) {
  Fixture<TypeParam> on(Case{300, 600, false, true});
  passes_are_steps<true>(on, on.uniform);
  passes_are_steps<false>(on, on.varying(true));
}

TYPED_TEST(Leapfrog, LeavesAConstantStateAsItIs) {
  Fixture<TypeParam> on(Case{40, 30, true, true});
  UniformCoefficients<TypeParam> m;
  m.topology = on.topology;
  m.mass = TypeParam(1.1), m.face_x = TypeParam(0.3), m.face_y = TypeParam(0.35);
  for (int k = 0; k < 4; ++k) m.edge[k] = k < 2 ? m.face_x : m.face_y;
  auto state = on.values(0.7, 0.7), rest = on.zeros();
  auto to = on.state();
  auto pass = on.template pass<false>(UniformLeapfrog<TypeParam>(m, {TypeParam(0.5), TypeParam(1)}), state,
                                      rest, to, 0);
  pass.pushes = {};
  Host().leapfrog<K>("", pass);
  EXPECT_TRUE(on.same_in_domain(state, to.u));
}

}  // namespace
}  // namespace wavesim
