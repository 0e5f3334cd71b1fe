// A GPU's blocked sweeps, lane by lane on the CPU: the same bits as the CPU's own.

#include "tests/kernels/temporal/lanes_on_host.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "kernels/memory/field.hpp"
#include "kernels/temporal/blocked_sweeps_host.hpp"
#include "kernels/temporal/cuda_block.hpp"

namespace wavesim {
namespace {

constexpr int K = 8;

template <class T>
using Uniform = WaveSystem<T, UniformCoefficients<T>>;

/// As Cuda::blocked_sweeps (blocked_sweeps_cuda.hpp), with its sums in the order of the CPU.
template <class Shape, bool centred>
typename Shape::Fields::Result blocks_on_lanes(Extent e, const typename Shape::Medium& medium,
                                               const typename Shape::Fields& fields,
                                               const SweepCoefficients<typename Shape::Value, K>& steps,
                                               LanesOnHost::Order order) {
  using T = typename Shape::Value;
  using Result = typename Shape::Fields::Result;
  constexpr int lanes = temporal::lanes;
  const BlockPlan plan = plan_blocks<T>(e, K);
  const typename cuda::LaneRows<Shape>::Inside inside(medium, steps);
  struct alignas(128) Line {
    unsigned char bytes[128];
  };
  std::vector<Line> shared(Shape::bytes / sizeof(Line) + 1);
  LanesOnHost threads(lanes, order);
  Result sum[32];
  for (int block = 0; block < plan.blocks(); ++block) {
    blockIdx.x = block;
    std::memset(shared.data(), 0xff, shared.size() * sizeof(Line));  // NaN
    Result of_lane[lanes];
    threads.run([&](int lane) {
      of_lane[lane] = cuda::blocked_norms<Shape, centred>(plan, e.pitch, medium, fields, steps, inside,
                                                          shared.data()->bytes);
    });
    for (int w = 0; w < lanes; w += 32) tree(of_lane + w);
    for (int w = 32; w < lanes; w += 32) of_lane[0].join(of_lane[w]);
    sum[block % 32].join(of_lane[0]);
  }
  tree(sum);
  return sum[0];
}

template <class T, class Medium, class Fields>
typename Fields::Result on_lanes(Extent e, const Medium& medium, const Fields& fields,
                                 const SweepCoefficients<T, K>& steps, LanesOnHost::Order order) {
  const auto from = [&](auto zero) {
    using Shape = cuda::SharedMemoryPlan<T, Medium, Fields, K, decltype(zero)::value>;
    if constexpr (!Fields::is_step)
      if (!steps.centred()) return blocks_on_lanes<Shape, false>(e, medium, fields, steps, order);
    return blocks_on_lanes<Shape, true>(e, medium, fields, steps, order);
  };
  return fields.from_zero() ? from(std::true_type{}) : from(std::false_type{});
}

template <class T, class Fields>
typename Fields::Result on_host(Extent e, const Uniform<T>& medium, const Fields& fields,
                                const SweepCoefficients<T, K>& steps) {
  Host be;
  typename Fields::Result norms;
  be.blocked_sweeps("", e, medium, fields, steps, &norms, NoEpilogue{});
  return norms;
}
template <class T, bool damped, class Fields>
typename Fields::Result on_host(Extent e, const ScaledMedium<T, damped>& medium, const Fields& fields,
                                const SweepCoefficients<T, K>& steps) {
  Host be;
  typename Fields::Result norms;
  Uniform<T> place;
  place.coefficients.topology = medium.topology();
  be.blocked_sweeps("", e, place, InMedium<Fields, ScaledMedium<T, damped>>{medium, fields}, steps, &norms,
                    NoEpilogue{});
  return norms;
}

struct Case {
  int nx, ny;
  bool periodic_x = false, periodic_y = false, free = false;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.nx << " x " << c.ny << (c.periodic_x ? ", periodic in x" : "")
             << (c.periodic_y ? ", periodic in y" : "") << (c.free ? ", free edges" : "");
}

/// Fields and media of random numbers; what lies beyond the domain is zero.
template <class T>
class Fixture {
 public:
  Fixture(const Case& c, std::uint64_t seed)
      : extent(make_extent(c.nx, c.ny)),
        topology{c.nx, c.ny, c.periodic_x ? c.nx : 0, c.periodic_y ? c.ny * extent.pitch : 0},
        random_(seed) {
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
  Field<Host, T> zeros() { return Field<Host, T>(be_, extent); }
  Field<Host, T> values(double from, double to) {
    Field<Host, T> f = zeros();
    std::uniform_real_distribution<double> any(from, to);
    for (int row = 0; row < extent.ny; ++row)
      for (int col = 0; col < extent.nx; ++col) f.data()[row * extent.pitch + col] = T(any(random_));
    return f;
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
  bool same_in_domain(const Field<Host, T>& a, const Field<Host, T>& b) const {
    for (int row = 0; row < extent.ny; ++row)
      if (std::memcmp(a.data() + row * extent.pitch, b.data() + row * extent.pitch,
                      std::size_t(extent.nx) * sizeof(T)) != 0)
        return false;
    return true;
  }

  Extent extent;
  Topology topology;
  Uniform<T> uniform;

 private:
  Host be_;
  std::mt19937_64 random_;
};

void expect_same(const Norms& a, const Norms& b) {
  EXPECT_EQ(a.squares, b.squares);
  EXPECT_EQ(a.largest, b.largest);
}
void expect_same(const StepNorms& a, const StepNorms& b) {
  expect_same(a.residual, b.residual);
  expect_same(a.reference, b.reference);
}

template <class T>
SweepCoefficients<T, K> coefficients(bool centred) {
  SweepCoefficients<T, K> steps;
  for (int k = 0; k < K; ++k) {
    const double m = k < 2 ? 0.25 * k : 0.1 + 0.03 * k;
    steps.set(k, m, k >= 2 && centred ? 1 + m : 0.9 + 0.05 * k);
  }
  return steps;
}

constexpr LanesOnHost::Order orders[] = {{false, false}, {true, true}};

template <class T, class Medium>
void solve(Fixture<T>& on, const Medium& medium, bool centred) {
  const auto steps = coefficients<T>(centred);
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
    expect_same(norms, on_lanes(on.extent, medium, fields, steps, order));
    EXPECT_TRUE(on.same_in_domain(to, lanes_to));
    EXPECT_TRUE(on.same_in_domain(before_to, lanes_before_to));
  }
}

template <class T, class Medium>
void step(Fixture<T>& on, const Medium& medium) {
  const auto steps = coefficients<T>(true);
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
    expect_same(norms, on_lanes(on.extent, medium, fields, steps, order));
    EXPECT_TRUE(on.same_in_domain(u_to, lanes_u_to));
    EXPECT_TRUE(on.same_in_domain(p_to, lanes_p_to));
  }
}

// Rows of a block, inner ones too, from 21 rows on; two strips of doubles from 237 columns on.
const Case cases[] = {{1, 1},
                      {2, 3, false, false, true},
                      {33, 25},
                      {20, 23, false, false, true},
                      {8, 4, true, true},
                      {36, 5, true, false},
                      {12, 5, false, true, true},
                      {530, 3}};

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

}  // namespace
}  // namespace wavesim
