// A GPU's blocked sweeps of nine points, lane by lane on the CPU: the same bits as the CPU's own.

#include "tests/kernels/temporal/passes_on_lanes.hpp"

namespace wavesim {
namespace {

constexpr int K = 6;

struct Edges {
  Case size;
  bool radiates = false;
};

/// A system whose entries have nothing to do with one another but for their symmetry.
template <class T>
UniformNinePoints<T> system_on(const RandomFields<T>& on, const Edges& edges) {
  UniformNinePointCoefficients<T> c;
  c.topology = on.topology;
  c.mass = {T(0.17), T(0.021), T(0.018), T(0.002)};
  c.damping = {T(0.03), T(0.004), T(0.003), T(0.0005)};
  c.stiffness = {T(0.8), T(-0.15), T(-0.2), T(-0.12)};
  for (int side = 0; side < 4; ++side) {
    const bool periodic = side < 2 ? edges.size.periodic_x : edges.size.periodic_y;
    c.cells_beyond[side] = periodic || !edges.size.free;
    c.radiation[side] = edges.radiates && edges.size.free && !periodic ? T(0.3) : T(0);
  }
  return {c, T(0.5), T(0.2)};
}

template <class T>
void solve(RandomFields<T>& on, const UniformNinePoints<T>& system, bool centred) {
  const auto steps = coefficients<T, K>(centred);
  const auto b = on.values(-1, 1), x = on.values(-1, 1), before = on.values(-1, 1);
  for (const int given : {0, 1, 2}) {  // nothing; x; x and the one before it
    const auto& order = orders[(given + centred) % 2];
    SCOPED_TRACE("given " + std::to_string(given) + (order.descending ? ", descending" : ""));
    auto to = on.zeros(), before_to = on.zeros(), lanes_to = on.zeros(), lanes_before_to = on.zeros();
    BlockedSolve<T> fields{b.data(), given > 0 ? x.data() : nullptr, given > 1 ? before.data() : nullptr,
                           to.data(), given == 1 ? nullptr : before_to.data()};
    const Norms norms = on_host(on.extent, system, fields, steps);
    fields.x_to = lanes_to.data();
    if (fields.before_to) fields.before_to = lanes_before_to.data();
    expect_same(norms, on_lanes(on.extent, system, fields, steps, order));
    EXPECT_TRUE(on.same_in_domain(to, lanes_to));
    EXPECT_TRUE(on.same_in_domain(before_to, lanes_before_to));
  }
}

template <class T>
void step(RandomFields<T>& on, const UniformNinePoints<T>& system) {
  const auto steps = coefficients<T, K>(true);
  const auto u = on.values(-1, 1), p = on.values(-1, 1), tried = on.values(-1, 1), force = on.values(-1, 1);
  for (const bool goes_on : {false, true})
    for (const bool forced : {false, true}) {
      const auto& order = orders[goes_on];
      SCOPED_TRACE(std::string(goes_on ? "goes on" : "from zero") + (forced ? ", forced" : "") +
                   (order.descending ? ", descending" : ""));
      auto u_to = on.zeros(), p_to = on.zeros(), lanes_u_to = on.zeros(), lanes_p_to = on.zeros();
      BlockedThreeLevelStep<T> fields{u.data(),
                                      p.data(),
                                      forced ? force.data() : nullptr,
                                      goes_on ? tried.data() : nullptr,
                                      u_to.data(),
                                      p_to.data(),
                                      T(0.9),
                                      forced};
      const StepNorms norms = on_host(on.extent, system, fields, steps);
      fields.u_to = lanes_u_to.data(), fields.p_to = lanes_p_to.data();
      expect_same(norms, on_lanes(on.extent, system, fields, steps, order));
      EXPECT_TRUE(on.same_in_domain(u_to, lanes_u_to));
      EXPECT_TRUE(on.same_in_domain(p_to, lanes_p_to));
    }
}

// Rows of a block, inner ones too, from 17 rows on; two strips of doubles from 241 columns on.
const Edges cases[] = {{{1, 1}},
                       {{2, 3, false, false, true}},
                       {{1, 30}},
                       {{33, 41}},
                       {{20, 43, false, false, true}},
                       {{20, 43, false, false, true}, true},
                       {{8, 4, true, true}},
                       {{8, 60, true, true}},
                       {{36, 5, true, false}},
                       {{12, 25, false, true, true}, true},
                       {{530, 3}}};

template <class T>
class LanesOfNinePointSweeps : public ::testing::Test {};
using Types = ::testing::Types<double, float>;
TYPED_TEST_SUITE(LanesOfNinePointSweeps, Types);

TYPED_TEST(LanesOfNinePointSweeps, SolveAsTheCpuDoes) {
  for (const Edges& c : cases) {
    SCOPED_TRACE(testing::Message() << c.size);
    RandomFields<TypeParam> on(c.size, 1);
    for (const bool centred : {true, false}) solve(on, system_on(on, c), centred);
  }
}

TYPED_TEST(LanesOfNinePointSweeps, StepAsTheCpuDoes) {
  for (const Edges& c : cases) {
    SCOPED_TRACE(testing::Message() << c.size);
    RandomFields<TypeParam> on(c.size, 2);
    step(on, system_on(on, c));
  }
}

}  // namespace
}  // namespace wavesim
