// Sweeps of nine points in one pass over memory: those taken one by one, and steps in time that are their parts.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/stationary/blocked_sweeps.hpp"
#include "solvers/stationary/chebyshev.hpp"
#include "tests/solvers/core/problems.hpp"
#include "tests/solvers/stationary/step_control.hpp"
#include "tests/solvers/stationary/varying_nine_points.hpp"

namespace wavesim::test {
namespace {

template <class T>
using Vector = Field<Backend, T>;

struct Case {
  int nx, ny;
  std::array<Side, 4> sides;
  bool damped = false, radiating = false;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.nx << " x " << c.ny << (c.damped ? ", damped" : "") << (c.radiating ? ", radiating" : "");
}

std::vector<Case> cases() {
  using enum Side;
  return {{1, 1, {fixed, fixed, fixed, fixed}},
          {2, 3, {fixed, free, free, fixed}},
          {1, 40, {fixed, free, fixed, fixed}},
          {45, 2, {fixed, fixed, free, free}},
          {33, 50, {fixed, fixed, fixed, fixed}, true},
          {64, 31, {free, free, free, free}},
          {64, 31, {free, free, free, fixed}, false, true},
          {7, 5, {periodic, periodic, periodic, periodic}},
          {48, 37, {periodic, periodic, fixed, free}, true},
          {50, 41, {fixed, free, periodic, periodic}},
          {517, 70, {fixed, free, free, fixed}},
          {300, 301, {periodic, periodic, periodic, periodic}},
          {1200, 90, {free, fixed, fixed, free}, true, true}};
}

template <class T>
UniformNinePointCoefficients<T> coefficients(Extent e, const Case& c) {
  UniformNinePointCoefficients<T> n;
  n.topology = {e.nx, e.ny, c.sides[0] == Side::periodic ? e.nx : 0,
                c.sides[2] == Side::periodic ? e.ny * e.pitch : 0};
  n.mass = {T(0.17), T(0.021), T(0.018), T(0.002)};
  if (c.damped) n.damping = {T(0.03), T(0.004), T(0.003), T(0.0005)};
  n.stiffness = {T(0.8), T(-0.25), T(-0.3), T(-0.25)};
  for (int side = 0; side < 4; ++side) {
    n.cells_beyond[side] = c.sides[side] != Side::free;
    if (c.radiating && c.sides[side] == Side::free) n.radiation[side] = T(0.3);
  }
  return n;
}

constexpr CornerEntries<double> cell_mass{0.17, 0.021, 0.018, 0.002}, cell_stiffness{0.8, -0.25, -0.3, -0.25};

template <class T>
struct ConstantMedium {
  using Value = T;
  static constexpr bool fuses_damped = false;
  UniformNinePointCoefficients<T> view;
  ConstantMedium(Backend&, Extent e, const Case& c) : view(coefficients<T>(e, c)) {}
};
template <class T>
struct VaryingMedium {
  using Value = T;
  static constexpr bool fuses_damped = true;
  CellSum mass, stiffness;
  MatrixOnBackend<T> M, D, K;
  NinePointCoefficients<T> view;
  VaryingMedium(Backend& be, Extent e, const Case& c)
      : VaryingMedium(be, e, c, CellSum(e, c.sides, cell_mass, 1),
                      CellSum(e, c.sides, {0.03, 0.004, 0.003, 0.0005}, 3),
                      CellSum(e, c.sides, cell_stiffness, 2)) {}

 protected:
  VaryingMedium(Backend& be, Extent e, const Case& c, const CellSum& mass, const CellSum& damping,
                const CellSum& stiffness)
      : mass(mass), stiffness(stiffness), M(be, e, mass), D(be, e, damping), K(be, e, stiffness) {
    const NinePointMatrix<T> view_of_damping = D.view();
    view = {{e.nx, e.ny, c.sides[0] == Side::periodic ? e.nx : 0,
             c.sides[2] == Side::periodic ? e.ny * e.pitch : 0},
            M.view(),
            c.damped || c.radiating ? &view_of_damping : nullptr,
            K.view()};
  }
};
/// Masses vary by point, and the cells of a small patch are stiffer; two columns of cells damp.
template <class T>
struct VaryingMasses : VaryingMedium<T> {
  VaryingMasses(Backend& be, Extent e, const Case& c)
      : VaryingMedium<T>(be, e, c,
                         CellSum(e, c.sides, {25.0 / 144, 5.0 / 144, 5.0 / 144, 1.0 / 144},
                                 [e](int col, int row, int a, int b) {
                                   const auto mass = [&](int corner) {
                                     const int x = (col + corner % 2 + e.nx) % e.nx,
                                               y = (row + corner / 2 + e.ny) % e.ny;
                                     return 1 + 0.4 * std::sin(12.9 * x + 78.2 * y + 0.7 * x * y);
                                   };
                                   return (mass(a) + mass(b)) / 2;
                                 }),
                         CellSum(e, c.sides, {0.03, 0.004, 0.003, 0.0005},
                                 [](int col, int, int, int) { return col == 3 || col == 4; }),
                         CellSum(e, c.sides, cell_stiffness, [](int col, int row, int, int) {
                           return col >= 20 && col < 23 && row >= 10 && row < 13 ? 1.3 : 1;
                         })) {}
};

template <class T>
double largest_difference(const Vector<T>& a, const Vector<T>& b) {
  const auto x = a.memory().download(), y = b.memory().download();  // padding and ghosts too
  double most = 0;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (const double d = std::abs(double(x[k]) - double(y[k])); !(d <= most)) most = d;
  return most;
}

template <class T>
Vector<T> sum(Backend& be, const Vector<T>& x, const Vector<T>& y, double times) {
  auto a = x.memory().download();
  const auto b = y.memory().download();
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = T(double(a[i]) + times * double(b[i]));
  Vector<T> f(be, x.extent());
  f.memory().upload(a);
  return f;
}

std::vector<ThreeTerm> next(ChebyshevSeries& series, int n) {
  std::vector<ThreeTerm> steps(static_cast<std::size_t>(n));
  for (ThreeTerm& s : steps) s = series.next();
  return steps;
}

template <class T, int K>
SweepCoefficients<T, K> coefficients_of(const std::vector<ThreeTerm>& steps) {
  SweepCoefficients<T, K> s;
  for (int k = 0; k < K; ++k) s.set(k, steps[std::size_t(k)].momentum, steps[std::size_t(k)].weight);
  return s;
}

template <class Medium>
class NinePointSweeps : public ::testing::Test {};
using Types = ::testing::Types<ConstantMedium<double>, ConstantMedium<float>, VaryingMedium<double>,
                               VaryingMedium<float>, VaryingMasses<double>, VaryingMasses<float>>;
TYPED_TEST_SUITE(NinePointSweeps, Types);

TYPED_TEST(NinePointSweeps, AreThoseTakenOneByOne) {
  using T = typename TypeParam::Value;
  for (const double largest : {1.6, 1.5})  // around 1, where x drops out of the steps, and not
    for (const Case& c : cases()) {
      SCOPED_TRACE(testing::Message() << c << ", eigenvalues up to " << largest);
      Backend be;
      const Extent e = make_extent(c.nx, c.ny);
      const TypeParam medium(be, e, c);
      const auto A = make_operator<Backend, T>("stencil", be, e, medium.view);
      A->assemble(0.5, 0.1);
      const int K = A->blocked_sweep_count();
      if (c.sides[0] == Side::periodic && c.nx % (16 / sizeof(T)) != 0) {  // packs of 16 bytes go round
        EXPECT_EQ(K, 0);
        continue;
      }
      ASSERT_EQ(K, 6);
      const auto b = to_field<T>(be, e, random_values(e.points(), 1));
      ChebyshevSeries series(Bounds{0.4, largest});
      std::vector<ThreeTerm> steps = next(series, K);
      const double eps = sizeof(T) == 4 ? 4e-6 : 8e-15;
      Buffer<Backend, Norms> norms(be, 2);
      const auto expect_norms_of = [&](const Vector<T>& x) {
        A->residual(b, x, nullptr, norms.data() + 1);
        const auto n = norms.download();
        EXPECT_NEAR(std::sqrt(n[0].squares), std::sqrt(n[1].squares),
                    40 * eps * std::sqrt(double(e.points())));
        EXPECT_NEAR(n[0].largest, n[1].largest, 40 * eps);
      };
      // from zero, then on from there
      Vector<T> x(be, e), before(be, e), to(be, e), to_before(be, e), on(be, e), on_before(be, e);
      A->sweeps(b, x, before, steps, nullptr, {});
      A->blocked_sweeps(b, {}, {&to, &to_before}, steps, norms.data(), {});
      EXPECT_LE(largest_difference(x, to), eps);
      EXPECT_LE(largest_difference(before, to_before), eps);
      expect_norms_of(x);
      steps = next(series, K);
      A->sweeps(b, x, before, steps, nullptr, {});
      A->blocked_sweeps(b, {&to, &to_before}, {&on, &on_before}, steps, norms.data(), {});
      EXPECT_LE(largest_difference(x, on), 2 * eps);
      EXPECT_LE(largest_difference(before, on_before), 2 * eps);
      expect_norms_of(x);

      // an x without the one before it
      const auto guess = to_field<T>(be, e, random_values(e.points(), 2));
      Vector<T> y(be, e), other(be, e);
      y.memory().upload(guess.memory().download());
      ChebyshevSeries anew(Bounds{0.4, largest});
      steps = next(anew, K);
      A->sweeps(b, y, other, steps, nullptr, {});
      A->blocked_sweeps(b, {&guess}, {&on}, steps, norms.data(), {});
      EXPECT_LE(largest_difference(y, on), 2 * eps);
      expect_norms_of(y);
    }
}

/// A step over three levels, in one pass and in two, with a force and without, beside the same from its parts.
TYPED_TEST(NinePointSweeps, AStepInTimeIsItsParts) {
  using T = typename TypeParam::Value;
  for (const Case& c : cases()) {
    SCOPED_TRACE(testing::Message() << c);
    Backend be;
    const Extent e = make_extent(c.nx, c.ny);
    const TypeParam medium(be, e, c);
    const auto A = make_operator<Backend, T>("stencil", be, e, medium.view);
    const double delta = 0.75;
    A->assemble(0.5, 0.1);
    EXPECT_FALSE(A->fuses(FusedForm::first_order));
    const bool damped = c.damped || c.radiating;
    ASSERT_EQ(A->fuses(FusedForm::three_levels), !damped || TypeParam::fuses_damped);
    if ((damped && !TypeParam::fuses_damped) || A->blocked_sweep_count() == 0) continue;
    const auto u = to_field<T>(be, e, random_values(e.points(), 1)),
               p = to_field<T>(be, e, random_values(e.points(), 2)),
               force = to_field<T>(be, e, random_values(e.points(), 3));
    Vector<T> Mu(be, e), MKu(be, e), Ap(be, e), Au(be, e), none(be, e);
    A->assemble(0, 0);
    A->apply(u, Mu);
    A->assemble(0, 1);
    A->apply(u, MKu);
    Vector<T> Mp(be, e), MDp(be, e);
    A->assemble(0, 0);
    A->apply(p, Mp);
    A->assemble(1, 0);
    A->apply(p, MDp);
    A->assemble(0.5, 0.1);
    A->apply(p, Ap);
    A->apply(u, Au);
    ChebyshevSeries series(Bounds{0.4, 1.6});
    const std::vector<ThreeTerm> steps = next(series, A->blocked_sweep_count());
    const double eps = sizeof(T) == 4 ? 4e-6 : 8e-15;
    for (const bool forced : {false, true})
      for (const bool whole : {false, true}) {
        SCOPED_TRACE(std::string(forced ? "forced" : "free") + (whole ? ", relative to b + A u" : ""));
        const auto b = sum(be, sum(be, Mu, MKu, -1), Mu, 0);  // -K u
        auto right = sum(be, none, b, delta);
        if (damped) right = sum(be, right, sum(be, MDp, Mp, -1), -1);  // 2 a D p
        if (forced) right = sum(be, right, force, 1);
        Vector<T> d(be, e), before(be, e), u_to(be, e), p_to(be, e), again(be, e);
        Buffer<Backend, StepNorms> norms(be, 1);
        Buffer<Backend, Norms> parts(be, 1);
        StepControl control(be);
        Epilogue then = control.first();
        FusedStep<Backend, T> step{&u, &p, &u_to, &p_to, delta, 1, whole};
        if (forced) step.force = &force;
        const auto check = [&](const Vector<T>& result, const char* what) {
          SCOPED_TRACE(what);
          EXPECT_LE(largest_difference(p_to, sum(be, p, d, 1)), eps);
          EXPECT_LE(largest_difference(result, sum(be, sum(be, u, p, 1), d, 1)), eps);
          A->residual(right, d, nullptr, parts.data());
          const Norms expected = parts.download()[0], r = norms.download()[0].residual;
          EXPECT_NEAR(std::sqrt(r.squares), std::sqrt(expected.squares),
                      40 * eps * std::sqrt(double(e.points())));
          EXPECT_NEAR(r.largest, expected.largest, 40 * eps);
        };
        A->sweeps(right, d, before, steps, nullptr, {});
        A->fused_step(step, steps, norms.data(), then);
        check(u_to, "first pass");
        const auto reference = sum(be, sum(be, right, Ap, 1), Au, whole ? 1 : 0);
        A->residual(reference, none, nullptr, parts.data());
        const Norms expected = parts.download()[0], from = norms.download()[0].reference;
        EXPECT_NEAR(from.squares, expected.squares, 40 * eps * expected.squares);
        EXPECT_NEAR(from.largest, expected.largest, 40 * eps * expected.largest);

        step.tried = &u_to, step.u_to = &again, then.call = Epilogue::conclude;
        A->sweeps(right, d, before, steps, nullptr, {});
        A->fused_step(step, steps, norms.data(), then);
        check(again, "second pass");
      }
  }
}

/// Columns of a row where K is constant: those beside edges that hold belong to them, those beside free ones do not.
TEST(ConstantStiffnessOfNinePoints, IsFoundInTheLongestRunOfARow) {
  using enum Side;
  using Columns = std::array<int, 2>;
  const auto columns = [](const Case& c, auto medium_of, int row) -> Columns {
    Backend be;
    const Extent e = make_extent(c.nx, c.ny);
    const auto medium = medium_of(be, e, c);
    const MatrixOnBackend<double> A(be, e, medium.mass);
    BlockedSystem<Backend, double, NinePointCoefficients<double>> system;
    system.prepare(be, e, {medium.view, A.view(), 0, 0}, 1);
    if (!system.medium().constant) return {};
    std::vector<ConstantStiffness<double>> rows(std::size_t(c.ny));
    be.download(rows.data(), system.medium().constant, rows.size());
    return {rows[std::size_t(row)].from, rows[std::size_t(row)].to};
  };
  const auto masses = [](Backend& be, Extent e, const Case& c) { return VaryingMasses<double>(be, e, c); };
  const Case held{80, 40, {fixed, fixed, fixed, fixed}}, open{80, 40, {fixed, free, free, fixed}},
      round{80, 40, {periodic, periodic, periodic, periodic}},
      damped{80, 40, {fixed, fixed, fixed, fixed}, true};
  for (const int row : {0, 5, 39}) EXPECT_EQ(columns(held, masses, row), (Columns{0, 80})) << row;
  EXPECT_EQ(columns(held, masses, 12), (Columns{24, 80}));  // beyond the patch
  EXPECT_EQ(columns(open, masses, 0), (Columns{0, 0}));     // half cells
  EXPECT_EQ(columns(open, masses, 5), (Columns{0, 78}));
  EXPECT_EQ(columns(round, masses, 0), (Columns{0, 80}));
  EXPECT_EQ(columns(round, masses, 12), (Columns{0, 0}));  // all or none
  EXPECT_EQ(columns(damped, masses, 5), (Columns{6, 80}));
  const auto varying = [](Backend& be, Extent e, const Case& c) { return VaryingMedium<double>(be, e, c); };
  EXPECT_EQ(columns(held, varying, 5), (Columns{0, 0}));
  EXPECT_EQ(columns({20, 40, held.sides}, masses, 30), (Columns{0, 0}));  // too few
}

/// What a GPU does in a varying medium, sweep by sweep: the bits of the pass, with weights by mass and without.
template <class Medium>
class ComposedNinePointSweeps : public ::testing::Test {};
using VaryingTypes = ::testing::Types<VaryingMedium<double>, VaryingMedium<float>, VaryingMasses<double>,
                                      VaryingMasses<float>>;
TYPED_TEST_SUITE(ComposedNinePointSweeps, VaryingTypes);

TYPED_TEST(ComposedNinePointSweeps, HaveTheBitsOfThePass) {
  using T = typename TypeParam::Value;
  constexpr int K = sweeps_of_a_pass<NinePoint>;
  for (const Case& c : cases()) {
    SCOPED_TRACE(testing::Message() << c);
    Backend be;
    const Extent e = make_extent(c.nx, c.ny);
    const TypeParam medium(be, e, c);
    if (!temporal::fits<T>(medium.view.topology)) continue;
    const MatrixOnBackend<T> A(be, e, CellSum(medium.mass).add(medium.stiffness, 0.1));
    BlockedSystem<Backend, T, NinePointCoefficients<T>> system;
    system.prepare_fused_steps(be, e, {medium.view, A.view(), 0.3, 0.1}, 1);
    ComposedSweeps<Backend, T> composed(be, e);
    const auto u = to_field<T>(be, e, random_values(e.points(), 1)),
               p = to_field<T>(be, e, random_values(e.points(), 2)),
               force = to_field<T>(be, e, random_values(e.points(), 3)),
               tried = to_field<T>(be, e, random_values(e.points(), 4));
    Vector<T> at_once(be, e), p_at_once(be, e), one_by_one(be, e), p_one_by_one(be, e);
    Buffer<Backend, StepNorms> norms(be, 1);
    StepControl control(be);
    const Epilogue then = control.first();
    const auto same_norms = [](const Norms& a, const Norms& b) {
      EXPECT_NEAR(a.squares, b.squares, 1e-12 * b.squares);  // in another order
      EXPECT_EQ(a.largest, b.largest);
    };
    for (const bool by_mass : {false, true})
      for (const bool goes_on : {false, true}) {
        const auto steps = fused_step_sweeps({0.4, 1.6}, K, by_mass ? 1.0 : 0.0);
        const auto s = coefficients_of<T, K>(steps);
        FusedStep<Backend, T> step{
            &u, &p, &at_once, &p_at_once, 0.75, 1, by_mass, goes_on ? &tried : nullptr, &force};
        run_fused_step(be, e, system, step, steps, norms.data(), then);
        const StepNorms of_pass = norms.download()[0];
        NinePointMedium<T> m = system.medium();
        m.by_mass = by_mass;
        composed.step(m,
                      BlockedThreeLevelStep<T>{u.data(), p.data(), force.data(),
                                               goes_on ? tried.data() : nullptr, one_by_one.data(),
                                               p_one_by_one.data(), T(0.75), by_mass, T(system.damping())},
                      s, norms.data(), then);
        EXPECT_EQ(from_field(at_once), from_field(one_by_one)) << by_mass << goes_on;
        EXPECT_EQ(from_field(p_at_once), from_field(p_one_by_one)) << by_mass << goes_on;
        same_norms(of_pass.residual, norms.download()[0].residual);
        if (!goes_on) same_norms(of_pass.reference, norms.download()[0].reference);
      }
    Buffer<Backend, Norms> solve_norms(be, 1);
    ChebyshevSeries series(Bounds{0.4, 1.5});
    const std::vector<ThreeTerm> steps = next(series, K);
    const auto s = coefficients_of<T, K>(steps);
    for (const bool from_zero : {true, false}) {
      From<Backend, T> from;
      if (!from_zero) from = {&u, &p};
      run_blocked_sweeps(be, e, system, force, from, {&at_once, &p_at_once}, steps, solve_norms.data(), {});
      const Norms of_pass = solve_norms.download()[0];
      composed.solve(system.medium(),
                     BlockedSolve<T>{force.data(), from_zero ? nullptr : u.data(),
                                     from_zero ? nullptr : p.data(), one_by_one.data(), p_one_by_one.data()},
                     s, solve_norms.data(), {});
      EXPECT_EQ(from_field(at_once), from_field(one_by_one)) << from_zero;
      EXPECT_EQ(from_field(p_at_once), from_field(p_one_by_one)) << from_zero;
      same_norms(of_pass, solve_norms.download()[0]);
    }
  }
}

/// Slowly varying fields lie at one eigenvalue, which need not be the least: elements off the diagonal may be positive.
TEST(NinePointEigenvalue, OfSmoothFieldsIsThatOfAConstantOne) {
  Backend be;
  const Case c{40, 30, {Side::periodic, Side::periodic, Side::periodic, Side::periodic}};
  const Extent e = make_extent(c.nx, c.ny);
  const auto A = make_operator<Backend, double>("stencil", be, e, coefficients<double>(e, c));
  A->assemble(0.5, 0.01);
  std::vector<double> ones(std::size_t(e.points()), 1.0);
  const auto x = to_field<double>(be, e, ones);
  Vector<double> y(be, e), inverse(be, e);
  A->apply(x, y);
  A->inverse_diagonal(inverse);
  const std::size_t at = std::size_t(e.pitch) * 4 + 7;
  Buffer<Backend, Bounds> bounds(be, 1);
  A->gershgorin(bounds.data());
  const double smooth = A->eigenvalue_of_smooth(bounds.download()[0]);
  EXPECT_NEAR(smooth, y.memory().download()[at] * inverse.memory().download()[at], 1e-14);
  EXPECT_GT(smooth, 1.1);
}

}  // namespace
}  // namespace wavesim::test
