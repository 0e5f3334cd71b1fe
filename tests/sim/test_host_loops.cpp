// The CPU's loops over points in a varying medium, by the time they take beside others that do as much: an
// innermost loop that is no vector, or reads where there is no memory, takes several times as long.

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "kernels/backend/host.hpp"
#include "kernels/formats/dia.hpp"
#include "kernels/formats/stencil.hpp"
#include "kernels/leapfrog/leapfrog_host.hpp"
#include "sim/time/terms.hpp"

namespace wavesim {
namespace {

/// Seconds of the quickest of many calls: short ones, so that some of them have the core for themselves.
template <class F>
double quickest(F f) {
  using clock = std::chrono::steady_clock;
  double least = std::numeric_limits<double>::max();
  for (int k = 0; k < 300; ++k) {
    const auto begin = clock::now();
    f();
    least = std::min(least, std::chrono::duration<double>(clock::now() - begin).count());
  }
  return least;
}

template <class T>
struct Loops {
  Host be;
  Extent e = make_extent(256, 24);  // one thread takes it, and the second cache holds it
  Field<Host, T> mass = filled(1), damping = filled(0.25), east = filled(0.5), north = filled(0.75);
  Field<Host, T> u = filled(0.5), p = filled(0.125), to = filled(0), p_to = filled(0);
  Buffer<Host, Norms> norms{be, 1};

  Field<Host, T> filled(double value) {
    Field<Host, T> f(be, e);
    f.memory().upload(std::vector<T>(f.memory().size(), T(value)));
    return f;
  }
  VariableCoefficients<T> varying(bool damped) const {
    return {{e.nx, e.ny, 0, 0}, mass.data(), damped ? damping.data() : nullptr, east.data(), north.data()};
  }
  UniformCoefficients<T> constant() const {
    UniformCoefficients<T> c;
    c.topology = {e.nx, e.ny, 0, 0};
    c.damping = T(0.25);
    c.face_x = T(0.5), c.face_y = T(0.75);
    for (int side = 0; side < 4; ++side) c.edge[side] = side < 2 ? -c.face_x : -c.face_y;
    return c;
  }

  double product(bool damped) {
    WaveStencilView<T, VariableCoefficients<T>> A;
    A.set({varying(damped), T(0.5), T(1)});
    const T* x = u.data();
    return quickest([&] {
      be.template rows_sum<A.matrix>(
          "A x", Rows{e, A.edges}, 0, norms.data(),
          [=](Row r, T& y) {
            y = A.row(r, [=](int j) { return x[j]; });
            return Norms::of(y);
          },
          [](const Norms&) {}, to.out());
    });
  }
  double assembly(bool damped) {
    const WaveSystem<T, VariableCoefficients<T>> system{varying(damped), T(0.5), T(1)};
    StencilDia<Host, T, FivePoint, false> dia(be, e, system);
    return quickest([&] { dia.assemble(be, e, system); });
  }
  template <int K, class Medium>
  double explicit_steps(const Medium& medium) {
    LeapfrogPass<Medium, false> pass;
    pass.extent = e, pass.columns = {0, e.nx}, pass.medium = medium;
    pass.u = u.data(), pass.p = p.data(), pass.u_to = to.data(), pass.p_to = p_to.data();
    return quickest([&] { be.leapfrog<K>("", pass); });
  }
  VaryingLeapfrog<T> varying_leapfrog(bool damped) const {
    return {varying(false).topology, east.data(), north.data(), mass.data(),
            damped ? damping.data() : nullptr};
  }
  UniformLeapfrog<T> uniform_leapfrog() const { return {constant(), {T(0.5), T(0.25)}}; }
  template <class Coefficients>
  double right_hand_side(const Coefficients& c) {
    const RightHandSide<T, Coefficients> at{c, u.data(), p.data(), T(0.5), T(0.25), T(0.25)};
    return quickest([&] {
      be.rows(
          "b", Rows{e, c.edges()}, 0, [=](Row r, T& b) { b = at(r); }, to.out());
    });
  }
};

template <class T>
class HostLoops : public ::testing::Test {};
using Precisions = ::testing::Types<double, float>;
TYPED_TEST_SUITE(HostLoops, Precisions);

TYPED_TEST(HostLoops, TakeNoLongerWhereAMediumHasNoDamping) {
  Loops<TypeParam> loops;
  EXPECT_LT(loops.product(false), 3 * loops.product(true));
  EXPECT_LT(loops.assembly(false), 3 * loops.assembly(true));
  EXPECT_LT(loops.template explicit_steps<1>(loops.varying_leapfrog(false)),
            3 * loops.template explicit_steps<1>(loops.varying_leapfrog(true)));
}

// It reads three or four times the words.
TYPED_TEST(HostLoops, AreVectorsInAVaryingMediumAsInAConstantOne) {
  Loops<TypeParam> loops;
  EXPECT_LT(loops.template explicit_steps<8>(loops.varying_leapfrog(true)),
            6 * loops.template explicit_steps<8>(loops.uniform_leapfrog()));
  EXPECT_LT(loops.right_hand_side(loops.varying(true)), 6 * loops.right_hand_side(loops.constant()));
}

}  // namespace
}  // namespace wavesim
