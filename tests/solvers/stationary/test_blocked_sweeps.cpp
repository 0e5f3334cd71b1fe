#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/stationary/chebyshev.hpp"
#include "tests/solvers/core/problems.hpp"
#include "tests/solvers/stationary/step_control.hpp"

namespace wavesim::test {
namespace {

template <class T>
UniformCoefficients<T> uniform(Extent e, const std::array<Side, 4>& sides, bool radiating) {
  UniformCoefficients<T> c;
  c.topology = {e.nx, e.ny, sides[0] == Side::periodic ? e.nx : 0,
                sides[2] == Side::periodic ? e.ny * e.pitch : 0};
  c.mass = T(1.5), c.damping = T(0.25), c.face_x = T(2), c.face_y = T(0.75);
  for (int k = 0; k < 4; ++k) {
    const T face = k < 2 ? c.face_x : c.face_y;
    c.edge[k] = sides[k] == Side::fixed ? -face : sides[k] == Side::free ? T(0) : face;
    c.half[k] = sides[k] == Side::free ? T(0.5) : T(1);
    if (radiating && sides[k] == Side::free) c.radiation[k] = T(3);
  }
  return c;
}

template <class T>
double largest_difference(const Field<Backend, T>& a, const Field<Backend, T>& b) {
  const auto x = a.memory().download(), y = b.memory().download();  // padding and ghosts too
  double most = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double d = std::abs(double(x[k]) - double(y[k]));
    if (!(d <= most)) most = d;
  }
  return most;
}

enum class Medium { constant, radiating, varying, undamped, with_holes };

struct Case {
  int nx, ny;
  std::array<Side, 4> sides;
  Medium medium = Medium::constant;
};
std::string name(const Case& c) {
  const char* of_medium[] = {"constant", "radiating", "varying", "undamped", "with holes"};
  return std::to_string(c.nx) + " x " + std::to_string(c.ny) + ", " + of_medium[int(c.medium)];
}
std::vector<Case> cases() {
  using enum Side;
  const std::vector<Case> constant{{1, 1, {fixed, fixed, fixed, fixed}},
                                   {2, 3, {fixed, free, free, fixed}},
                                   {1, 40, {free, free, fixed, fixed}},
                                   {45, 2, {fixed, fixed, free, free}},
                                   {33, 50, {fixed, fixed, fixed, fixed}},
                                   {64, 31, {free, free, free, free}},
                                   {64, 31, {free, free, free, fixed}, Medium::radiating},
                                   {7, 5, {periodic, periodic, periodic, periodic}},
                                   {101, 37, {periodic, periodic, fixed, free}},
                                   {50, 41, {fixed, free, periodic, periodic}},
                                   {517, 70, {fixed, free, free, fixed}},
                                   {300, 301, {periodic, periodic, periodic, periodic}},
                                   {8, 3, {periodic, periodic, periodic, periodic}},
                                   {1064, 30, {periodic, periodic, free, free}},
                                   {1200, 90, {free, fixed, fixed, free}, Medium::radiating}};
  std::vector<Case> all;
  for (const Case& c : constant) {
    all.push_back(c);
    for (const Medium medium : {Medium::varying, Medium::undamped, Medium::with_holes})
      if (medium != Medium::with_holes || (c.nx > 4 && c.ny > 3))
        all.push_back({c.nx, c.ny, c.sides, medium});
  }
  return all;
}

/// An operator with the media that it refers to: random ones, if they vary.
template <class T>
struct System {
  System(Backend& be, const Case& c, const char* format = "stencil") : e(make_extent(c.nx, c.ny)) {
    if (c.medium == Medium::constant || c.medium == Medium::radiating) {
      A = make_operator<Backend, T>(format, be, e, uniform<T>(e, c.sides, c.medium == Medium::radiating));
      return;
    }
    const HostProblem host(Shape{c.nx, c.ny, c.sides, c.medium == Medium::with_holes});
    media = std::make_unique<Problem<T>>(be, host);
    if (c.medium == Medium::undamped) media->coefficients.damping = media->coefficients.mass;
    A = make_operator<Backend, T>(format, be, e, media->coefficients);
  }
  Extent e;
  std::unique_ptr<Problem<T>> media;
  std::unique_ptr<WaveOperator<Backend, T>> A;
};

/// The next steps of a pass.
std::vector<ThreeTerm> eight(ChebyshevSeries& series) {
  std::vector<ThreeTerm> steps(8);
  for (ThreeTerm& s : steps) s = series.next();
  return steps;
}

template <class T>
class Streamed : public ::testing::Test {};
using Types = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Streamed, Types);

TYPED_TEST(Streamed, StepsAreThoseTakenOneByOne) {
  using T = TypeParam;
  for (const double largest : {1.8, 1.7})  // around 1, where x drops out of the steps, and not
    for (const Case& c : cases()) {
      SCOPED_TRACE(name(c) + ", eigenvalues up to " + std::to_string(largest));
      Backend be;
      const System<T> system(be, c);
      const auto& A = system.A;
      const Extent e = system.e;
      A->assemble(0.5, 1.75);
      const int K = A->blocked_sweep_count();
      if (c.sides[0] == Side::periodic && c.nx % (16 / sizeof(T)) != 0) {  // packs of 16 bytes go round
        EXPECT_EQ(K, 0);
        continue;
      }
      ASSERT_EQ(K, 8);
      const auto b = to_field<T>(be, e, random_values(e.points(), 1));
      ChebyshevSeries series(Bounds{0.2, largest});
      std::vector<ThreeTerm> steps = eight(series);
      const double eps = sizeof(T) == 4 ? 2e-6 : 4e-15;

      Buffer<Backend, Norms> norms(be, 2);
      // from zero, then on from there
      Field<Backend, T> x(be, e), before(be, e), to(be, e), to_before(be, e), none;
      A->sweeps(b, x, before, steps, nullptr, {});
      A->blocked_sweeps(b, {}, {&to, &to_before}, steps, norms.data(), {});
      EXPECT_LE(largest_difference(x, to), eps);
      EXPECT_LE(largest_difference(before, to_before), eps);
      A->residual(b, x, nullptr, norms.data() + 1);
      const auto n = norms.download();
      EXPECT_NEAR(std::sqrt(n[0].squares), std::sqrt(n[1].squares), 40 * eps * std::sqrt(double(e.points())));
      EXPECT_NEAR(n[0].largest, n[1].largest, 40 * eps);

      steps = eight(series);
      Field<Backend, T> on(be, e), on_before(be, e);
      A->sweeps(b, x, before, steps, nullptr, {});
      A->blocked_sweeps(b, {&to, &to_before}, {&on, &on_before}, steps, norms.data(), {});
      EXPECT_LE(largest_difference(x, on), 2 * eps);
      EXPECT_LE(largest_difference(before, on_before), 2 * eps);
      A->blocked_sweeps(b, {&to, &to_before}, {&on_before}, steps, norms.data(), {});
      EXPECT_EQ(largest_difference(on, on_before), 0);

      // other coefficients, and an x without the one before it
      A->assemble(0.25, 0.75);
      const auto guess = to_field<T>(be, e, random_values(e.points(), 2));
      Field<Backend, T> y(be, e), other(be, e);
      y.memory().upload(guess.memory().download());
      ChebyshevSeries anew(Bounds{0.2, largest});
      steps = eight(anew);
      A->sweeps(b, y, other, steps, nullptr, {});
      A->blocked_sweeps(b, {&guess}, {&on}, steps, norms.data(), {});
      EXPECT_LE(largest_difference(y, on), 2 * eps);
      A->residual(b, y, nullptr, norms.data() + 1);
      const auto m = norms.download();
      EXPECT_NEAR(std::sqrt(m[0].squares), std::sqrt(m[1].squares), 40 * eps * std::sqrt(double(e.points())));
      EXPECT_NEAR(m[0].largest, m[1].largest, 40 * eps);
    }
}

/// Whatever the number of threads.
TYPED_TEST(Streamed, PassesRepeatToTheBit) {
  using T = TypeParam;
  using enum Side;
  for (const Medium medium : {Medium::constant, Medium::varying}) {
    std::vector<T> first;
    Norms norms_before;
    for (int run = 0; run < 2; ++run) {
#ifdef _OPENMP
      omp_set_num_threads(run == 0 ? 1 : 3);
#endif
      Backend be;
      const Extent e = make_extent(1023, 257);
      const System<T> system(be, {1023, 257, {fixed, free, fixed, fixed}, medium});
      system.A->assemble(0.5, 1.75);
      const auto b = to_field<T>(be, e, random_values(e.points(), 1));
      ChebyshevSeries series(Bounds{0.2, 1.8});
      const std::vector<ThreeTerm> steps = eight(series);
      Buffer<Backend, Norms> norms(be, 1);
      Field<Backend, T> x(be, e);
      system.A->blocked_sweeps(b, {}, {&x}, steps, norms.data(), {});
      if (run == 0) {
        first = x.memory().download();
        norms_before = norms.download()[0];
      } else {
        EXPECT_EQ(first, x.memory().download());
        EXPECT_EQ(norms_before.squares, norms.download()[0].squares);
        EXPECT_EQ(norms_before.largest, norms.download()[0].largest);
      }
    }
#ifdef _OPENMP
    omp_set_num_threads(omp_get_num_procs());
#endif
  }
}

SolverOptions options(const char* method, double tolerance, int most) {
  SolverOptions o;
  o.method = method;
  o.norm = "relative-2";
  o.tolerance = tolerance;
  o.max_iterations = most;
  return o;
}

/// A step in time, in one pass and in two, beside the same from its parts.
TYPED_TEST(Streamed, AStepInTimeIsItsParts) {
  using T = TypeParam;
  for (const Case& c : cases()) {
    SCOPED_TRACE(name(c));
    Backend be;
    const double weight = 0.5, delta = 0.75, carry = 2;
    const System<T> system(be, c);
    const auto& A = system.A;
    const Extent e = system.e;
    const auto u = to_field<T>(be, e, random_values(e.points(), 1)),
               p = to_field<T>(be, e, random_values(e.points(), 2));
    Field<Backend, T> Mp(be, e), Mu(be, e), MKu(be, e), Au(be, e), none(be, e);
    A->assemble(0, 0);
    A->apply(p, Mp);
    A->apply(u, Mu);
    A->assemble(0, 1);
    A->apply(u, MKu);
    A->assemble(0.5, weight);
    A->apply(u, Au);
    const auto sum = [&](const Field<Backend, T>& x, const Field<Backend, T>& y, double times) {
      auto a = x.memory().download();
      const auto b = y.memory().download();
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = T(double(a[i]) + times * double(b[i]));
      Field<Backend, T> f(be, e);
      f.memory().upload(a);
      return f;
    };
    const auto b = sum(sum(Mp, MKu, -delta), Mu, delta);
    if (A->blocked_sweep_count() == 0) continue;
    ChebyshevSeries series(Bounds{0.2, 1.8});
    const std::vector<ThreeTerm> steps = eight(series);
    const double eps = sizeof(T) == 4 ? 4e-6 : 8e-15;

    Field<Backend, T> d(be, e), before(be, e), u_to(be, e), p_to(be, e), again(be, e);
    Buffer<Backend, StepNorms> norms(be, 1);
    Buffer<Backend, Norms> parts(be, 2);
    StepControl control(be);
    FusedStep<Backend, T> step{&u, &p, &u_to, &p_to, delta, carry, true};
    Epilogue then = control.first();
    then.iterations = 8;
    const auto check = [&](const Field<Backend, T>& result, const Norms& reference, const char* what) {
      SCOPED_TRACE(what);
      EXPECT_LE(largest_difference(result, sum(u, d, 1)), eps);
      EXPECT_LE(largest_difference(p_to, sum(sum(d, none, 0), sum(d, p, -1), 1)), 2 * eps);
      A->residual(b, d, nullptr, parts.data());
      const Norms expected = parts.download()[0], r = norms.download()[0].residual,
                  from = norms.download()[0].reference;
      EXPECT_NEAR(std::sqrt(r.squares), std::sqrt(expected.squares),
                  40 * eps * std::sqrt(double(e.points())));
      EXPECT_NEAR(r.largest, expected.largest, 40 * eps);
      EXPECT_NEAR(from.squares, reference.squares, 40 * eps * reference.squares);
      EXPECT_NEAR(from.largest, reference.largest, 40 * eps * reference.largest);
    };
    const auto norms_of = [&](const Field<Backend, T>& f) {
      A->residual(f, none, nullptr, parts.data());
      return parts.download()[0];
    };
    A->sweeps(b, d, before, steps, nullptr, {});
    A->fused_step(step, steps, norms.data(), then);
    check(u_to, norms_of(sum(b, Au, 1)), "relative to b + A u");
    EXPECT_EQ(control.state.download()[0].iteration, 8);

    // on from there, relative to b
    step.tried = &u_to, step.u_to = &again, step.whole = false, then.call = Epilogue::conclude;
    A->sweeps(b, d, before, steps, nullptr, {});
    A->fused_step(step, steps, norms.data(), then);
    check(again, norms_of(b), "second pass, relative to b");
    EXPECT_EQ(control.state.download()[0].iteration, 16);
  }
}

/// CG's answer to a tight tolerance, and Chebyshev's on `format`, odd and even numbers of passes, from zero
/// and from a guess.
TEST(StreamedChebyshev, SolvesWhatCgSolves) {
  for (double weight : {0.05, 0.5, 30.0})  // one pass; a few that begin anew; many that go on
    for (const auto& [guess, medium] :
         {std::pair{false, Medium::constant}, std::pair{true, Medium::constant},
          std::pair{false, Medium::with_holes}, std::pair{true, Medium::with_holes}}) {
      const Case c{150, 77, {Side::fixed, Side::free, Side::fixed, Side::free}, medium};
      SCOPED_TRACE("weight " + std::to_string(weight) + (guess ? ", from a guess, " : ", from zero, ") +
                   name(c));
      Backend be;
      const System<double> system(be, c);
      const auto& A = system.A;
      const Extent e = system.e;
      A->assemble(0.5, weight);
      const auto b = to_field<double>(be, e, random_values(e.points(), 1));
      const bool from_guess = guess;
      const auto start = [&] {
        return from_guess ? to_field<double>(be, e, random_values(e.points(), 2))
                          : Field<Backend, double>(be, e);
      };
      SolverOptions o = options("cg", 1e-10, 1000);
      auto expected = start();
      const Report of_cg = make_solver<Backend, double>(o, be, *A)->solve(*A, nullptr, b, expected, !guess);
      ASSERT_EQ(of_cg.status, Status::converged);
      o.method = "chebyshev";
      auto solver = make_solver<Backend, double>(o, be, *A);
      for (int again = 0; again < 2; ++again) {
        auto x = start();
        const Report r = solver->solve(*A, nullptr, b, x, !guess);
        ASSERT_EQ(r.status, Status::converged);
        EXPECT_EQ(r.iterations % 8, 0);
        EXPECT_LE(largest_difference(x, expected), 1e-8);
        Buffer<Backend, Norms> norms(be, 1);
        A->residual(b, x, nullptr, norms.data());
        EXPECT_LE(std::sqrt(norms.download()[0].squares), 1.001e-10 * std::sqrt(r.reference.squares));
        EXPECT_NEAR(r.final.squares, norms.download()[0].squares, 1e-6 * r.reference.squares * 1e-20);
      }
    }
}

/// What Lanczos finds is used as it is where sweeps are taken one by one.
TEST(StreamedChebyshev, TakesTheBoundsOfLanczos) {
  const Case c{150, 77, {Side::fixed, Side::fixed, Side::fixed, Side::fixed}, Medium::varying};
  SolverOptions o = options("chebyshev", 1e-8, 4000);
  o.choices.words["bounds"] = "lanczos";
  int iterations[2] = {};
  for (const char* format : {"stencil", "dia"}) {
    Backend be;
    const System<double> system(be, c, format);
    const auto& A = system.A;
    A->assemble(0.5, 30);
    const auto b = to_field<double>(be, system.e, random_values(system.e.points(), 1));
    Field<Backend, double> x(be, system.e);
    const Report r = make_solver<Backend, double>(o, be, *A)->solve(*A, nullptr, b, x, true);
    ASSERT_EQ(r.status, Status::converged) << format;
    iterations[A->blocked_sweep_count() == 0] = r.iterations;
  }
  EXPECT_GT(iterations[1], 16);
  EXPECT_LE(iterations[0], iterations[1] + 8);  // whole passes
}

TEST(StreamedChebyshev, TakesOnePassForEightIterations) {
  Backend be;
  const Extent e = make_extent(200, 100);
  auto A = make_operator<Backend, double>(
      "stencil", be, e, uniform<double>(e, {Side::fixed, Side::fixed, Side::fixed, Side::fixed}, false));
  A->assemble(0.5, 0.2);
  const auto b = to_field<double>(be, e, random_values(e.points(), 1));
  Field<Backend, double> x(be, e);
  const SolverOptions o = options("chebyshev", 1e-6, 1000);
  auto solver = make_solver<Backend, double>(o, be, *A);
  solver->solve(*A, nullptr, b, x, true);
  be.counts().clear();
  Field<Backend, double> y(be, e);
  const Report r = solver->solve(*A, nullptr, b, y, true);
  ASSERT_EQ(r.status, Status::converged);
  // the norm of b, and the passes: nothing asks for the residual again
  if constexpr (!Backend::asynchronous) {
    EXPECT_EQ(be.counts().passes, 1 + r.iterations / 8);
  }
}

/// The same polynomial of any degree, in one pass on `stencil` and step by step on `dia`.
TEST(StreamedPolynomial, IsThatOfStepsTakenOneByOne) {
  for (const auto& [degree, medium] :
       {std::pair{2.0, Medium::constant}, std::pair{4.0, Medium::constant}, std::pair{8.0, Medium::constant},
        std::pair{10.0, Medium::constant}, std::pair{4.0, Medium::varying}}) {
    Backend be;
    const Case c{140, 90, {Side::fixed, Side::free, Side::fixed, Side::free}, medium};
    const System<double> on_stencil(be, c), on_dia(be, c, "dia");
    const auto &stencil = on_stencil.A, &dia = on_dia.A;
    const Extent e = on_stencil.e;
    stencil->assemble(0.5, 20);
    dia->assemble(0.5, 20);
    const auto r = to_field<double>(be, e, random_values(e.points(), 1));
    PreconditionerOptions o{"polynomial", {}};
    o.choices.numbers["degree"] = degree;
    Field<Backend, double> z[2] = {{be, e}, {be, e}};
    Buffer<Backend, double> rz(be, 2);
    be.counts().clear();
    for (int k = 0; k < 2; ++k) {
      const WaveOperator<Backend, double>& A = k == 0 ? *stencil : *dia;
      const auto M = make_preconditioner<Backend, double>(o, be, A);
      M->prepare(A);
      M->apply(r, z[k], rz.data() + k);
    }
    EXPECT_LE(largest_difference(z[0], z[1]), 1e-14);
    const auto products = rz.download();
    EXPECT_NEAR(products[0], products[1], 1e-12 * products[1]);
    EXPECT_EQ(be.counts().count("steps x += m (x - x_before) + w D^-1 (b - A x), |b - A x|"),
              degree <= 8 ? 1 : 0);
  }
}

TEST(StreamedChebyshev, EndsAtTheGivenNumberOfIterations) {
  Backend be;
  const Extent e = make_extent(120, 64);
  auto A = make_operator<Backend, double>(
      "stencil", be, e, uniform<double>(e, {Side::fixed, Side::fixed, Side::fixed, Side::fixed}, false));
  A->assemble(0.5, 300);
  const auto b = to_field<double>(be, e, random_values(e.points(), 1));
  Field<Backend, double> x(be, e);
  SolverOptions o = options("chebyshev", 1e-12, 20);
  const Report r = make_solver<Backend, double>(o, be, *A)->solve(*A, nullptr, b, x, true);
  EXPECT_EQ(r.status, Status::max_iterations);
  EXPECT_EQ(r.iterations, 20);
  Buffer<Backend, Norms> norms(be, 1);
  A->residual(b, x, nullptr, norms.data());
  EXPECT_EQ(norms.download()[0].squares, r.final.squares);
  // as many as that were taken, one by one or in passes: 20 is no multiple of 8
  Field<Backend, double> y(be, e);
  o.choices.numbers["sweeps"] = 4;
  const Report one_by_one = make_solver<Backend, double>(o, be, *A)->solve(*A, nullptr, b, y, true);
  EXPECT_EQ(one_by_one.iterations, 20);
  EXPECT_LE(largest_difference(x, y), 1e-12);
}

}  // namespace
}  // namespace wavesim::test
