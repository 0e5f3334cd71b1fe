#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/direct/tridiagonal_lines.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {
namespace {

using Sides = std::array<Side, 4>;

/// Every mix of edges: five for each axis.
std::vector<Sides> every_mix() {
  using enum Side;
  constexpr std::array<std::array<Side, 2>, 5> axis{
      {{fixed, fixed}, {free, free}, {fixed, free}, {free, fixed}, {periodic, periodic}}};
  std::vector<Sides> all;
  for (const auto& x : axis)
    for (const auto& y : axis) all.push_back({x[0], x[1], y[0], y[1]});
  return all;
}

/// A constant medium as sim/ makes it: half cells along free edges, unequal faces, damping.
struct Medium {
  double mass = 1.25, damping = 0.3, face_x = 1, face_y = 0.7;
};

HostProblem in_arrays(int nx, int ny, const Sides& sides, const Medium& m) {
  HostProblem h({nx, ny, sides, false});
  const auto share = [&](int k, int n, int low) {
    return (k == 0 && sides[low] == Side::free ? 0.5 : 1) *
           (k == n - 1 && sides[low + 1] == Side::free ? 0.5 : 1);
  };
  for (int row = 0; row < ny; ++row)
    for (int col = 0; col < nx; ++col) {
      const double wx = share(col, nx, 0), wy = share(row, ny, 2);
      h.mass[h.at(col, row)] = m.mass * wx * wy;
      h.damping[h.at(col, row)] = m.damping * wx * wy;
      h.east[h.at(col, row)] = col < nx - 1 ? m.face_x * wy : HostProblem::across(sides[1], m.face_x * wy);
      h.north[h.at(col, row)] = row < ny - 1 ? m.face_y * wx : HostProblem::across(sides[3], m.face_y * wx);
      if (col == 0) h.east[h.at(-1, row)] = HostProblem::across(sides[0], m.face_x * wy);
      if (row == 0) h.north[h.at(col, -1)] = HostProblem::across(sides[2], m.face_y * wx);
    }
  return h;
}

template <class T>
UniformCoefficients<T> constant(Extent e, const Sides& sides, const Medium& m) {
  UniformCoefficients<T> c;
  c.topology = {e.nx, e.ny, sides[0] == Side::periodic ? e.nx : 0,
                sides[2] == Side::periodic ? e.ny * e.pitch : 0};
  c.mass = T(m.mass), c.damping = T(m.damping);
  c.face_x = T(m.face_x), c.face_y = T(m.face_y);
  for (int k = 0; k < 4; ++k) {
    c.edge[k] = T(HostProblem::across(sides[k], k < 2 ? m.face_x : m.face_y));
    c.half[k] = sides[k] == Side::free ? T(0.5) : T(1);
  }
  return c;
}

template <class T>
std::vector<double> applied(Backend& be, const Operator<Backend, T>& A, const std::vector<double>& r) {
  const auto M = make_preconditioner<Backend, T>({"sine-transform", {}}, be, A);
  M->prepare(A);
  Field<Backend, T> z(be, A.extent());
  Buffer<Backend, double> rz(be, 1);
  const auto rf = to_field<T>(be, A.extent(), r);
  M->apply(rf, z, rz.data());
  std::vector<double> values = from_field(z);
  double product = 0, size = 0;
  for (std::size_t i = 0; i < r.size(); ++i) product += r[i] * values[i], size += std::abs(r[i] * values[i]);
  EXPECT_NEAR(rz.download()[0], product, (sizeof(T) == 8 ? 1e-12 : 1e-5) * size);
  return values;
}

double dense_residual(const HostProblem& h, double a, double b, const std::vector<double>& x,
                      const std::vector<double>& rhs) {
  const auto A = h.dense(a, b);
  double rr = 0, bb = 0;
  for (std::size_t i = 0; i < rhs.size(); ++i) {
    double r = rhs[i];
    for (std::size_t j = 0; j < rhs.size(); ++j) r -= A[i][j] * x[j];
    rr += r * r, bb += rhs[i] * rhs[i];
  }
  return std::sqrt(rr / bb);
}

std::string name(int nx, int ny, const Sides& s) {
  std::string text = std::to_string(nx) + " x " + std::to_string(ny);
  for (Side side : s) text += side == Side::fixed ? " fixed" : side == Side::free ? " free" : " periodic";
  return text;
}

/// Along x: one point, primes, and as many folds as there are, with little or nothing left. Along y: an odd
/// and an even number of rows, one chunk of 32 and several, the last of them full or of one row.
const std::vector<std::array<int, 2>> sizes{{1, 1},  {1, 7},  {8, 1},  {2, 2},  {2, 9},   {1, 40},
                                            {40, 1}, {3, 3},  {7, 5},  {8, 6},  {5, 33},  {4, 64},
                                            {9, 65}, {2, 97}, {13, 4}, {17, 3}, {16, 17}, {31, 12}};

template <class T>
class SineTransforms : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(SineTransforms, Precisions);

TYPED_TEST(SineTransforms, AreExactForEveryMixOfEdges) {
  using T = TypeParam;
  Backend be;
  const Medium m;
  for (const Sides& sides : every_mix())
    for (const auto [nx, ny] : sizes)
      for (const double b : {0.5, 50.0, 5000.0}) {
        const HostProblem h = in_arrays(nx, ny, sides, m);
        const auto A = make_operator<Backend, T>("stencil", be, h.e, constant<T>(h.e, sides, m));
        A->assemble(0.4, b);
        const std::vector<double> rhs = random_values(h.e.points(), 3);
        const double eps = sizeof(T) == 8 ? 1.1e-16 : 6e-8;
        // rounding, at most: eps times the condition number, which is about 1 + 8 b over the mass
        const double bound = sizeof(T) == 8 ? 1e-11 : 4 * eps * (5 + 8 * b);
        EXPECT_LE(dense_residual(h, 0.4, b, applied<T>(be, *A, rhs), rhs), bound)
            << name(nx, ny, sides) << " b = " << b;
      }
}

TYPED_TEST(SineTransforms, FindAConstantMediumInArrays) {
  using T = TypeParam;
  Backend be;
  const Medium m;
  for (const Sides& sides : every_mix())
    for (const auto [nx, ny] : sizes) {
      const HostProblem h = in_arrays(nx, ny, sides, m);
      const Problem<T> problem(be, h);
      const auto A = make_operator<Backend, T>("dia", be, h.e, problem.coefficients);
      A->assemble(0.4, 50);
      const std::vector<double> rhs = random_values(h.e.points(), 3);
      EXPECT_LE(dense_residual(h, 0.4, 50, applied<T>(be, *A, rhs), rhs), sizeof(T) == 8 ? 1e-11 : 1e-4)
          << name(nx, ny, sides);
    }
}

/// The same medium with nine points: a cell's share of B mass B and of K B + B K.
template <class T>
UniformNinePointCoefficients<T> nine_points(Extent e, const Sides& sides, const Medium& m) {
  UniformNinePointCoefficients<T> c;
  c.topology = constant<T>(e, sides, m).topology;
  const auto blended = [](double mass) {
    return CornerEntries<T>{T(mass * 25 / 144), T(mass * 5 / 144), T(mass * 5 / 144), T(mass / 144)};
  };
  c.mass = blended(m.mass), c.damping = blended(m.damping);
  c.stiffness = {T(5 * (m.face_x + m.face_y) / 12), T((m.face_y - 5 * m.face_x) / 12),
                 T((m.face_x - 5 * m.face_y) / 12), T(-(m.face_x + m.face_y) / 12)};
  for (int k = 0; k < 4; ++k) c.cells_beyond[k] = sides[k] != Side::free;
  return c;
}

/// |r - A z| / |r|
template <class T>
double relative_residual(Backend& be, const Operator<Backend, T>& A, const std::vector<double>& z,
                         const std::vector<double>& r) {
  Buffer<Backend, Norms> norms(be, 1);
  A.residual(to_field<T>(be, A.extent(), r), to_field<T>(be, A.extent(), z), nullptr, norms.data());
  double squares = 0;
  for (const double v : r) squares += v * v;
  return std::sqrt(norms.download()[0].squares / squares);
}

// Small b: what couples points along y is the mass, with another sign.
TYPED_TEST(SineTransforms, AreExactForNinePoints) {
  using T = TypeParam;
  Backend be;
  const Medium m;
  for (const Sides& sides : every_mix())
    for (const auto [nx, ny] : sizes)
      for (const double b : {0.02, 0.5, 50.0, 5000.0}) {
        const Extent e = make_extent(nx, ny);
        const bool nothing = (nx == 1 && sides[0] == Side::free && sides[1] == Side::free) ||
                             (ny == 1 && sides[2] == Side::free && sides[3] == Side::free);
        if (nothing) continue;  // no cell
        const auto A = make_operator<Backend, T>("stencil", be, e, nine_points<T>(e, sides, m));
        A->assemble(0.4, b);
        EXPECT_EQ(A->facts().structure, Structure::nine_points);
        EXPECT_TRUE(A->facts().rectangle);
        const std::vector<double> rhs = random_values(e.points(), 3);
        const double bound = sizeof(T) == 8 ? 1e-11 : 4 * 6e-8 * (5 + 8 * b);
        EXPECT_LE(relative_residual(be, *A, applied<T>(be, *A, rhs), rhs), bound)
            << name(nx, ny, sides) << " b = " << b;
      }
}

TEST(SineTransform, TakesDampingOfNinePointsAlongRowsExactly) {
  Backend be;
  for (const int ny : {2, 23, 70}) {
    const Extent e = make_extent(30, ny);
    auto c = nine_points<double>(e, {Side::free, Side::free, Side::free, Side::free}, {});
    c.radiation[2] = 2.5;
    c.radiation[3] = 0.75;
    const auto A = make_operator<Backend, double>("stencil", be, e, c);
    A->assemble(0.4, 5);
    EXPECT_FALSE(A->facts().rectangle);
    const std::vector<double> rhs = random_values(e.points(), 7);
    EXPECT_LE(relative_residual(be, *A, applied<double>(be, *A, rhs), rhs), 1e-12) << ny;
  }
}

template <class T, class C>
Report solve(Backend& be, Extent e, const C& c, double b, const std::string& method,
             const std::string& preconditioner, std::vector<double>* solution = nullptr) {
  const auto A = make_operator<Backend, T>("stencil", be, e, c);
  A->assemble(0.4, b);
  SolverOptions o;
  o.method = method;
  o.preconditioner.type = preconditioner;
  o.tolerance = sizeof(T) == 8 ? 1e-10 : 1e-5;
  o.norm = "relative-2";
  const auto M = make_preconditioner<Backend, T>(o.preconditioner, be, *A);
  const auto solver = make_solver<Backend, T>(o, be, *A);
  const auto rhs = to_field<T>(be, e, random_values(std::size_t(e.points()), 31));
  Field<Backend, T> x(be, e);
  Report r = solver->solve(*A, M.get(), rhs, x, true);
  if (solution) *solution = from_field(x);
  return r;
}

TYPED_TEST(SineTransforms, SolveInTwoIterationsWhateverTheTimeStepIs) {
  using T = TypeParam;
  Backend be;
  for (const Sides& sides : every_mix())
    for (const auto [nx, ny] : {std::array{100, 57}, {127, 64}, {64, 1000}})
      for (const double b : {0.5, 50.0, 5000.0}) {
        if (sizeof(T) == 4 && b > 50) continue;  // 1e-5 is below what single precision reaches there
        const Extent e = make_extent(nx, ny);
        for (const Report& r : {solve<T>(be, e, constant<T>(e, sides, {}), b, "sine-transform", "none"),
                                solve<T>(be, e, nine_points<T>(e, sides, {}), b, "sine-transform", "none")}) {
          EXPECT_TRUE(r.converged()) << name(nx, ny, sides) << " b = " << b << ": " << word(r.status);
          EXPECT_LE(r.iterations, 2) << name(nx, ny, sides) << " b = " << b;
        }
      }
}

TYPED_TEST(SineTransforms, AreAsAccurateAsTheirResultCanBeStored) {
  using T = TypeParam;
  Backend be;
  const double eps = sizeof(T) == 8 ? 1.1e-16 : 6e-8;
  for (const Sides& sides : every_mix())
    for (const auto [nx, ny] : {std::array{63, 97}, {61, 128}, {129, 33}, {24, 259}})
      for (const double a : {0.01, 1.0, 1e2, 1e4, 1e6}) {
        const Extent e = make_extent(nx, ny);
        const auto A = make_operator<Backend, T>("stencil", be, e, constant<T>(e, sides, {1, 0, 1, 1}));
        A->assemble(0, a);
        const std::vector<double> rhs = random_values(std::size_t(e.points()), 5);
        const auto b = to_field<T>(be, e, rhs);
        const auto x = to_field<T>(be, e, applied<T>(be, *A, rhs));
        Buffer<Backend, Norms> norms(be, 1);
        A->residual(b, x, nullptr, norms.data());
        double xx = 0, bb = 0;
        for (const double v : from_field(x)) xx += v * v;
        for (const double v : rhs) bb += v * v;
        // x rounded once has a residual of eps |A| |x|; transforms of a few hundred points lose a few times
        // that
        EXPECT_LE(std::sqrt(norms.download()[0].squares),
                  eps * (8 * std::sqrt(bb) + 4 * (1 + 8 * a) * std::sqrt(xx)))
            << name(nx, ny, sides) << " a = " << a;
      }
}

TEST(SineTransform, MovesThirteenWordsAPoint) {
  Backend be;
  const Extent e = make_extent(1023, 255);
  const auto A = make_operator<Backend, double>("stencil", be, e, constant<double>(e, every_mix()[0], {}));
  A->assemble(0, 50);
  const auto M = make_preconditioner<Backend, double>({"sine-transform", {}}, be, *A);
  M->prepare(*A);
  const auto r = to_field<double>(be, e, random_values(std::size_t(e.points()), 1));
  Field<Backend, double> z(be, e);
  be.counts().clear();
  M->solve(r, z, nullptr);
  EXPECT_LE(be.counts().bytes, 13.0 * sizeof(double) * double(e.points()));
}

TEST(SineTransform, WorksThroughManyRowsABatchAtATime) {
  Backend be;
  const Sides sides{Side::fixed, Side::free, Side::free, Side::fixed};
  const Extent e = make_extent(1500, 1501);  // five batches, the last of them not full
  std::vector<double> once, again;
  const Report r = solve<double>(be, e, constant<double>(e, sides, {}), 50, "sine-transform", "none", &once);
  EXPECT_TRUE(r.converged());
  EXPECT_LE(r.iterations, 2);
  solve<double>(be, e, constant<double>(e, sides, {}), 50, "sine-transform", "none", &again);
  EXPECT_EQ(once, again);
}

TEST(SineTransform, TakesRadiationThroughTheEdgesAcrossColumnsExactly) {
  Backend be;
  for (const int ny : {1, 2, 23}) {
    const Extent e = make_extent(30, ny);
    UniformCoefficients<double> c = constant<double>(e, {Side::free, Side::free, Side::free, Side::free}, {});
    c.radiation[2] = 2.5;
    c.radiation[3] = 0.75;
    const Report r = solve<double>(be, e, c, 50, "cg", "sine-transform");
    EXPECT_TRUE(r.converged());
    EXPECT_LE(r.iterations, 2) << ny;
    c.radiation[0] = 2;
    const Report side = solve<double>(be, e, c, 50, "cg", "sine-transform");
    EXPECT_TRUE(side.converged());
  }
}

/// Lines of random values through the three passes, `W` of them at a time: two rows to a pair.
struct Lines {
  static constexpr int pitch = 16;
  LineShape shape;
  std::vector<double> shift, scale, closing, off, added;
  std::vector<Settled<double>> settled;
  std::vector<RowPair<double>> inverse, gains, carries;
  PivotTable table;

  Lines(int ny, double least, double step, double off)
      : shape{ny, pitch},
        scale(pitch, 0.7),
        closing(pitch),
        off(pitch, off),
        added(pitch, 1),
        settled(pitch) {
    for (int k = 0; k < pitch; ++k) shift.push_back(least + step * k);
    carries.resize(std::size_t(shape.chunks()) * pitch);
  }
  void factor() {
    FactorLines<double> f{
        nullptr, settled.data(), shift.data(), off.data(), added.data(), 0.5, 1, 0, 1, 0.25, 0, shape, {}};
    f(Width<pitch>{}, 0, 0);
    for (const auto& s : settled) table.unsettled = std::max(table.unsettled, std::min(s.from, shape.last()));
    inverse.resize(std::size_t(table.unsettled + 1) * chunk_pairs * pitch);
    f.inverse = inverse.data();
    f.table = table;
    f(Width<pitch>{}, 0, 0);
    gain();
  }
  void factor_cycles() {
    inverse.resize(std::size_t(chunk_pairs) * pitch);
    FactorCycles<double>{inverse.data(), settled.data(), closing.data(), shift.data(), off.data(), shape}(
        Width<pitch>{}, 0, 0);
    gain();
  }
  void gain() {
    gains.resize(std::size_t(table.unsettled + 2) * pitch);
    const ChunkGains<double> g{gains.data(), inverse.data(), settled.data(), off.data(), shape, table};
    for (int slot = 0; slot < table.unsettled + 2; ++slot) g(Width<pitch>{}, 0, slot);
  }
  template <int W>
  std::vector<RowPair<double>> solved(std::vector<RowPair<double>> x, bool cyclic) {
    const SolveChunks<double, false> down{x.data(),     carries.data(), inverse.data(), settled.data(),
                                          scale.data(), off.data(),     shape,          table};
    const CarryLines<double> carry{
        carries.data(), gains.data(), settled.data(), cyclic ? closing.data() : nullptr, shape, table};
    const SolveChunks<double, true> up{x.data(),     carries.data(), inverse.data(), settled.data(),
                                       scale.data(), off.data(),     shape,          table};
    for (int c = 0; c < shape.chunks(); ++c)
      for (int k = 0; k < pitch; k += W) down(Width<W>{}, k, c);
    for (int k = 0; k < pitch; k += W) carry(Width<W>{}, k, 0);
    for (int c = 0; c < shape.chunks(); ++c)
      for (int k = 0; k < pitch; k += W) up(Width<W>{}, k, c);
    return x;
  }
};

double row_of(const std::vector<RowPair<double>>& v, int row, int k) {
  const RowPair<double>& p = v[std::size_t(row / 2) * Lines::pitch + k];
  return row % 2 == 0 ? p.a : p.b;
}

/// Shifts that settle at once, after some chunks, and never.
TEST(Lines, AreSolvedWithTheSameBitsOneAtATimeAsOnAGpuAndSixteenAtATimeAsOnACpu) {
  for (const int ny : {1, 2, 7, 31, 32, 33, 64, 65, 200, 1001})
    for (const double least : {10.0, 0.3, 1e-3, 1e-7})
      for (const bool cyclic : {false, true}) {
        const double off = 3;
        Lines lines(ny, least, cyclic ? 0.01 : 0.05, off);
        cyclic ? lines.factor_cycles() : lines.factor();
        std::vector<RowPair<double>> b(std::size_t(lines.shape.chunks()) * chunk_pairs * Lines::pitch);
        const std::vector<double> values = random_values(2 * b.size(), 5);
        for (std::size_t i = 0; i < b.size(); ++i) b[i] = {values[2 * i], values[2 * i + 1]};
        const std::vector<RowPair<double>> x = lines.solved<1>(b, cyclic),
                                           same = lines.solved<Lines::pitch>(b, cyclic);
        for (int k = 0; k < Lines::pitch; ++k) {
          double largest = 0;
          for (int j = 0; j < ny; ++j) {
            EXPECT_EQ(row_of(x, j, k), row_of(same, j, k)) << ny;
            largest = std::max(largest, std::abs(row_of(x, j, k)));
          }
          const auto at = [&](int j) {
            return cyclic ? row_of(x, (j + ny) % ny, k) : j < 0 || j >= ny ? 0.0 : row_of(x, j, k);
          };
          for (int j = 0; j < ny; ++j) {
            const bool low = !cyclic && j == 0;
            const double faces = low ? 1 : 2, share = low ? 0.5 : 1, added = low ? 0.25 : 0,
                         shift = lines.shift[k] * share + added;
            EXPECT_NEAR((shift + off * faces) * at(j) - off * at(j - 1) - off * at(j + 1),
                        0.7 * row_of(b, j, k), 1e-15 * (4 * off + shift) * largest + 1e-15)
                << ny << " rows, shift " << lines.shift[k] << (cyclic ? ", cyclic" : "");
          }
        }
      }
}

/// A medium that varies smoothly by a factor of four in mass and in tension.
HostProblem varying(int nx, int ny, const Sides& sides) {
  HostProblem h = in_arrays(nx, ny, sides, {});
  const auto factor = [&](double x, double y) { return std::exp2(std::sin(3 * x) * std::cos(5 * y)); };
  for (int row = 0; row < ny; ++row)
    for (int col = 0; col < nx; ++col) {
      const double x = 2.0 * col / nx, y = 2.0 * row / ny;
      h.mass[h.at(col, row)] *= factor(y, x);
      if (col < nx - 1) h.east[h.at(col, row)] *= factor(x, y);
      if (row < ny - 1) h.north[h.at(col, row)] *= factor(x, y);
    }
  return h;
}

constexpr Sides fixed{Side::fixed, Side::fixed, Side::fixed, Side::fixed},
    mixed{Side::fixed, Side::free, Side::periodic, Side::periodic},
    turned{Side::periodic, Side::periodic, Side::free, Side::fixed};

TEST(SineTransform, TakesCgThroughAMediumOfContrastFourInFewIterationsAtAnySize) {
  Backend be;
  for (const Sides& sides : {fixed, mixed, turned})
    for (const int n : {32, 64, 128, 256})
      for (const double b : {50.0, 5000.0}) {
        const HostProblem h = varying(n, n - 3, sides);
        const Problem<double> problem(be, h);
        const Report r = solve<double>(be, h.e, problem.coefficients, b, "cg", "sine-transform");
        EXPECT_TRUE(r.converged()) << n << " b = " << b;
        // The medium lies between a half and twice its middle: a condition number of about 4, and an error
        // that falls to a third in each iteration.
        EXPECT_LE(r.iterations, 23) << n << " b = " << b;
      }
}

TEST(SineTransform, IsSymmetricAndPositive) {
  Backend be;
  for (const Sides& sides : every_mix()) {
    const HostProblem h = varying(37, 24, sides);
    const Problem<double> problem(be, h);
    const auto A = make_operator<Backend, double>("stencil", be, h.e, problem.coefficients);
    A->assemble(0.4, 50);
    const std::vector<double> x = random_values(h.e.points(), 1), y = random_values(h.e.points(), 2);
    const std::vector<double> mx = applied<double>(be, *A, x), my = applied<double>(be, *A, y);
    double xmy = 0, ymx = 0, xmx = 0;
    for (std::size_t i = 0; i < x.size(); ++i) xmy += x[i] * my[i], ymx += y[i] * mx[i], xmx += x[i] * mx[i];
    EXPECT_NEAR(xmy, ymx, 1e-12 * xmx) << name(37, 24, sides);
    EXPECT_GT(xmx, 0);
  }
}

TEST(SineTransform, IsSetUpAgainForAnotherTimeStep) {
  Backend be;
  const HostProblem h = in_arrays(12, 9, mixed, {});
  const auto A = make_operator<Backend, double>("stencil", be, h.e, constant<double>(h.e, mixed, {}));
  const auto M = make_preconditioner<Backend, double>({"sine-transform", {}}, be, *A);
  const std::vector<double> rhs = random_values(h.e.points(), 4);
  const auto r = to_field<double>(be, h.e, rhs);
  Field<Backend, double> z(be, h.e);
  Buffer<Backend, double> rz(be, 1);
  for (const double b : {0.5, 70.0}) {
    A->assemble(0.4, b);
    M->prepare(*A);
    M->apply(r, z, rz.data());
    EXPECT_LE(dense_residual(h, 0.4, b, from_field(z), rhs), 1e-11);
  }
}

TEST(SineTransform, IsRefusedWhereItDoesNotFitWithTheNamesThatDo) {
  Backend be;
  const auto refusal = [](const auto& make) -> std::string {
    try {
      make();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  SolverOptions with, by;
  with.preconditioner.type = "sine-transform";
  by.method = "sine-transform";

  const auto matrix = make_operator<Backend, double>("csr", be, HostCsr{2, {0, 1, 2}, {0, 1}, {1, 1}});
  const std::string general = refusal([&] { make_solver<Backend, double>(with, be, *matrix); });
  EXPECT_NE(general.find("preconditioners that fit here: none, jacobi"), std::string::npos) << general;
  EXPECT_EQ(general.find("sine-transform,"), std::string::npos) << general;

  const HostProblem h = varying(8, 8, fixed);
  const Problem<double> problem(be, h);
  const auto A = make_operator<Backend, double>("stencil", be, h.e, problem.coefficients);
  const std::string medium = refusal([&] { make_solver<Backend, double>(by, be, *A); });
  EXPECT_NE(medium.find("rectangle with a constant medium"), std::string::npos) << medium;
  EXPECT_NE(medium.find("methods that fit here: cg"), std::string::npos) << medium;
  EXPECT_EQ(refusal([&] { make_solver<Backend, double>(with, be, *A); }), "");
}

}  // namespace
}  // namespace wavesim::test
