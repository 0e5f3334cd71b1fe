// A GPU's blocked sweeps of five points, lane by lane on the CPU: the same bits as the CPU's own.

#include "tests/kernels/temporal/passes_on_lanes.hpp"

namespace wavesim {
namespace {

constexpr int K = 8;

template <class T>
using Uniform = WaveSystem<T, UniformCoefficients<T>>;

/// With media.
template <class T>
class Fixture : public RandomFields<T> {
 public:
  using RandomFields<T>::extent, RandomFields<T>::topology, RandomFields<T>::values;
  Fixture(const Case& c, std::uint64_t seed) : RandomFields<T>(c, seed) {
    auto& u = uniform.coefficients;
    u.topology = topology;
    u.mass = T(1.5), u.damping = T(0.25), u.face_x = T(2), u.face_y = T(0.75);
    for (int k = 0; k < 4; ++k) {
      const T face = k < 2 ? u.face_x : u.face_y;
      u.edge[k] = (k < 2 ? c.periodic_x : c.periodic_y) ? face : c.free ? T(0) : -face;
      u.half[k] = u.edge[k] == 0 ? T(0.5) : T(1);
    }
    uniform.a = T(0.5), uniform.b = T(1.75);
  }
  /// Of the arrays of a varying medium; `faces` is to outlive it.
  template <bool damped>
  ScaledMedium<T, damped> varying(std::vector<Field<Host, T>>& arrays, bool by_mass) {
    arrays.clear();
    arrays.push_back(values(0.1, 0.24));
    arrays.push_back(values(0.1, 0.24));
    for (int k = 0; k < 3; ++k) arrays.push_back(values(0.5, 2));
    for (int row = 0; row < extent.ny && topology.wrap_x == 0; ++row)
      arrays[0].data()[row * extent.pitch + extent.nx - 1] = 0;
    for (int col = 0; col < extent.nx && topology.wrap_y == 0; ++col)
      arrays[1].data()[(extent.ny - 1) * extent.pitch + col] = 0;
    arrays[2].data()[0] = 0;  // a point outside of a shape
    return {topology,         arrays[0].data(), arrays[1].data(),
            arrays[2].data(), arrays[3].data(), damped ? arrays[4].data() : nullptr,
            by_mass};
  }
  Uniform<T> uniform;
};

template <class T, class Medium>
void solve(Fixture<T>& on, const Medium& medium, bool centred) {
  const auto steps = coefficients<T, K>(centred);
  const auto b = on.values(-1, 1), x = on.values(-1, 1), before = on.values(-1, 1);
  for (const int given : {0, 1, 2}) {  // nothing; x; x and the one before it
    const auto& order = orders[(given + centred) % 2];
    SCOPED_TRACE("given " + std::to_string(given) + (order.descending ? ", descending" : ""));
    auto to = on.zeros(), before_to = on.zeros(), lanes_to = on.zeros(), lanes_before_to = on.zeros();
    BlockedSolve<T> fields{b.data(), given > 0 ? x.data() : nullptr, given > 1 ? before.data() : nullptr,
                           to.data(), given == 1 ? nullptr : before_to.data()};
    const Norms norms = on_host(on.extent, medium, fields, steps);
    fields.x_to = lanes_to.data();
    if (fields.before_to) fields.before_to = lanes_before_to.data();
    for (const int rows : rows_of_threads<T, K, Medium>(on.extent, on.topology.wrap_y != 0)) {
      SCOPED_TRACE("rows of a thread " + std::to_string(rows));
      lanes_to.clear(), lanes_before_to.clear();
      expect_same(norms, on_lanes(on.extent, medium, fields, steps, order, 0, rows));
      EXPECT_TRUE(on.same_in_domain(to, lanes_to));
      EXPECT_TRUE(on.same_in_domain(before_to, lanes_before_to));
    }
  }
}

template <class T, class Medium>
void step(Fixture<T>& on, const Medium& medium) {
  const auto steps = coefficients<T, K>(true);
  const auto u = on.values(-1, 1), p = on.values(-1, 1), tried = on.values(-1, 1);
  for (const bool goes_on : {false, true}) {
    const auto& order = orders[goes_on];
    SCOPED_TRACE(std::string(goes_on ? "goes on" : "from zero") + (order.descending ? ", descending" : ""));
    auto u_to = on.zeros(), p_to = on.zeros(), lanes_u_to = on.zeros(), lanes_p_to = on.zeros();
    BlockedStep<T> fields{u.data(),    p.data(),    goes_on ? tried.data() : nullptr,
                          u_to.data(), p_to.data(), T(1.9),
                          T(1.8),      goes_on};
    const StepNorms norms = on_host(on.extent, medium, fields, steps);
    fields.u_to = lanes_u_to.data(), fields.p_to = lanes_p_to.data();
    for (const int rows : rows_of_threads<T, K, Medium>(on.extent, on.topology.wrap_y != 0)) {
      SCOPED_TRACE("rows of a thread " + std::to_string(rows));
      lanes_u_to.clear(), lanes_p_to.clear();
      expect_same(norms, on_lanes(on.extent, medium, fields, steps, order, 0, rows));
      EXPECT_TRUE(on.same_in_domain(u_to, lanes_u_to));
      EXPECT_TRUE(on.same_in_domain(p_to, lanes_p_to));
    }
  }
}

// Rows of a block, inner ones too, from 21 rows on, all of them at once from 25 or 28 on; two strips of doubles from 237
// columns on.
const Case cases[] = {{1, 1},
                      {2, 3, false, false, true},
                      {33, 25},
                      {20, 23, false, false, true},
                      {8, 4, true, true},
                      {36, 5, true, false},
                      {12, 5, false, true, true},
                      {530, 3},
                      {40, 30, false, false, true},
                      {24, 127},
                      {120, 5},
                      {152, 7, true},
                      {12, 31, true, true},
                      {240, 30, false, true}};

template <class T>
class LanesOfBlockedSweeps : public ::testing::Test {};
using Types = ::testing::Types<double, float>;
TYPED_TEST_SUITE(LanesOfBlockedSweeps, Types);

TYPED_TEST(LanesOfBlockedSweeps, SolveInAConstantMediumAsTheCpuDoes) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c);
    Fixture<TypeParam> on(c, 1);
    for (const bool centred : {true, false}) solve(on, on.uniform, centred);
  }
}

TYPED_TEST(LanesOfBlockedSweeps, SolveInAVaryingMediumAsTheCpuDoes) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c);
    Fixture<TypeParam> on(c, 2);
    std::vector<Field<Host, TypeParam>> arrays;
    for (const bool centred : {true, false}) solve(on, on.template varying<false>(arrays, false), centred);
  }
}

TYPED_TEST(LanesOfBlockedSweeps, StepInAConstantMediumAsTheCpuDoes) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c);
    Fixture<TypeParam> on(c, 3);
    step(on, on.uniform);
  }
}

TYPED_TEST(LanesOfBlockedSweeps, StepInAVaryingMediumAsTheCpuDoes) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c);
    Fixture<TypeParam> on(c, 4);
    std::vector<Field<Host, TypeParam>> arrays;
    for (const bool by_mass : {false, true}) {
      step(on, on.template varying<false>(arrays, by_mass));
      step(on, on.template varying<true>(arrays, by_mass));
    }
  }
}

/// The cut into chunks is no cut of the sums.
TYPED_TEST(LanesOfBlockedSweeps, HaveTheSameNormsHoweverChunksAreCut) {
  using T = TypeParam;
  Fixture<T> on({33, 100}, 5);
  std::vector<Field<Host, T>> arrays;
  const auto medium = on.template varying<true>(arrays, true);
  const auto u = on.values(-1, 1), p = on.values(-1, 1);
  auto u_to = on.zeros(), p_to = on.zeros();
  const BlockedStep<T> step{u.data(), p.data(), nullptr, u_to.data(), p_to.data(), T(1.9), T(1.8), true};
  const BlockedSolve<T> solve{u.data(), p.data(), nullptr, u_to.data(), nullptr};
  const auto steps = coefficients<T, K>(true);
  const SweepPlan plan = plan_sweeps<T>(on.extent, K);
  ASSERT_GT(plan.slices(), 5);
  ASSERT_EQ((rows_of_threads<T, K, Uniform<T>>(on.extent, false, 2).size()), 3u);
  for (const int slices : {1, 2, 5, plan.slices()}) {
    SCOPED_TRACE(slices);
    for (const int rows : rows_of_threads<T, K, Uniform<T>>(on.extent, false, slices))
      expect_same(on_host(on.extent, on.uniform, step, steps),
                  on_lanes(on.extent, on.uniform, step, steps, orders[0], slices, rows));
    expect_same(on_host(on.extent, medium, step, steps),
                on_lanes(on.extent, medium, step, steps, orders[0], slices));
    for (const int rows : rows_of_threads<T, K, Uniform<T>>(on.extent, false, slices))
      expect_same(on_host(on.extent, on.uniform, solve, steps),
                  on_lanes(on.extent, on.uniform, solve, steps, orders[0], slices, rows));
  }
}

}  // namespace
}  // namespace wavesim
