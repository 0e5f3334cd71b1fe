// Half a V-cycle in one pass over memory, against the passes one by one.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/multigrid/multigrid.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {
namespace {

/// The membrane: A = I + a (-laplacian), constant speed, each side fixed, free or periodic.
UniformCoefficients<double> membrane(Extent e, double a, const std::array<Side, 4>& sides) {
  UniformCoefficients<double> c;
  c.topology = {e.nx, e.ny, sides[0] == Side::periodic ? e.nx : 0,
                sides[2] == Side::periodic ? e.ny * e.pitch : 0};
  c.face_x = a;
  c.face_y = 0.7 * a;
  c.damping = 0.1;
  for (int k = 0; k < 4; ++k) {
    const double face = k < 2 ? c.face_x : c.face_y;
    c.edge[k] = sides[k] == Side::fixed ? -face : sides[k] == Side::periodic ? face : 0;
    c.half[k] = sides[k] == Side::free ? 0.5 : 1;
    c.radiation[k] = sides[k] == Side::free ? 0.3 : 0;
  }
  return c;
}

/// The same medium in arrays, with what `change` makes of it.
template <class F>
HostProblem in_arrays(Extent e, const UniformCoefficients<double>& c, const std::array<Side, 4>& sides,
                      F change) {
  HostProblem h({e.nx, e.ny, sides, false});
  for (int row = 0; row < e.ny; ++row)
    for (int col = 0; col < e.nx; ++col) {
      const Point<double> p = c.at({row * e.pitch + col, col, row, e.pitch, true});
      const auto at = h.at(col, row);
      h.mass[at] = p.mass;
      h.damping[at] = p.damping;
      h.east[at] = p.east;
      h.north[at] = p.north;
      if (col == 0) h.east[h.at(-1, row)] = p.west;
      if (row == 0) h.north[h.at(col, -1)] = p.south;
    }
  change(h);
  return h;
}

constexpr Side fixed = Side::fixed, open = Side::free, round = Side::periodic;
const std::array<Side, 4> all_edges[] = {{fixed, fixed, fixed, fixed}, {open, open, open, open},
                                         {round, round, round, round}, {fixed, open, round, round},
                                         {open, fixed, fixed, open},   {fixed, open, open, fixed}};

struct Applied {
  std::vector<double> z;
  double rz = 0;
};
template <class W>
Applied apply(Backend& be, const Operator<Backend, double>& A, bool in_wavefront) {
  Multigrid<Backend, double, W> M(be, A, in_wavefront);
  M.prepare(A);
  const auto r = to_field<double>(be, A.extent(), random_values(std::size_t(A.extent().points()), 5));
  Field<Backend, double> z(be, A.extent());
  Buffer<Backend, double> rz(be, 1);
  M.apply(r, z, rz.data(), {});
  return {from_field(z), rz.download()[0]};
}
double distance(const Applied& x, const Applied& y) {
  double d = std::abs(x.rz - y.rz) / std::abs(y.rz), most = 0;
  for (double v : y.z) most = std::max(most, std::abs(v));
  EXPECT_EQ(x.z.size(), y.z.size());
  for (std::size_t i = 0; i < x.z.size(); ++i) {
    const double off = std::abs(x.z[i] - y.z[i]) / most;
    if (!(off <= d)) d = off;  // what is no number stays
  }
  return d;
}

const std::array<int, 2> sizes[] = {{1, 1},   {2, 2},   {4, 6},    {31, 31},   {64, 64},
                                    {63, 20}, {65, 33}, {100, 57}, {127, 300}, {300, 126}};

TEST(MultigridPasses, FusedGiveWhatTheyGiveOneByOne) {
  Backend be;
  for (const auto& sides : all_edges)
    for (const auto [nx, ny] : sizes) {
      const Extent e = make_extent(nx, ny);
      const auto c = membrane(e, 50, sides);
      const auto A = make_operator<Backend, double>("stencil", be, e, c);
      const HostProblem host = in_arrays(e, c, sides, [&](HostProblem& h) {
        for (int row = 0; row < e.ny; ++row)  // another medium in one half, and a hole with a fixed rim
          for (int col = 0; col < e.nx; ++col)
            if (row > e.ny / 2) h.mass[h.at(col, row)] *= 5;
        if (e.nx < 20 || e.ny < 20) return;
        for (int row = 8; row < 14; ++row)
          for (int col = 5; col < 12; ++col)
            for (double* face : {&h.east[h.at(col, row)], &h.east[h.at(col - 1, row)],
                                 &h.north[h.at(col, row)], &h.north[h.at(col, row - 1)]})
              *face = -std::abs(*face);
      });
      const Problem<double> problem(be, host);
      const auto V = make_operator<Backend, double>("stencil", be, e, problem.coefficients);
      for (WaveOperator<Backend, double>* op : {A.get(), V.get()}) {
        op->assemble(0.5, 1.25);
        const Applied plain = apply<double>(be, *op, false);
        const char* medium = op == A.get() ? "constant" : "varying";
        EXPECT_LT(distance(apply<double>(be, *op, true), plain), 1e-12)
            << nx << " x " << ny << " " << medium << " " << int(sides[0]) << int(sides[1]) << int(sides[2]);
        EXPECT_LT(distance(apply<float>(be, *op, true), plain), 2e-5)
            << nx << " x " << ny << " " << medium << " in single";
      }
    }
}

TEST(MultigridPasses, OfAConstantMediumAreThoseOfTheSameInArrays) {
  Backend be;
  for (const auto& sides : all_edges)
    for (const auto [nx, ny] : sizes) {
      if (nx < 20) continue;  // what is coarsened at all is judged by the rows there are
      const Extent e = make_extent(nx, ny);
      const auto c = membrane(e, 50, sides);
      const auto A = make_operator<Backend, double>("stencil", be, e, c);
      const Problem<double> problem(be, in_arrays(e, c, sides, [](HostProblem&) {}));
      const auto V = make_operator<Backend, double>("stencil", be, e, problem.coefficients);
      A->assemble(0.5, 1.25);
      V->assemble(0.5, 1.25);
      EXPECT_LT(distance(apply<double>(be, *A, true), apply<double>(be, *V, true)), 1e-12)
          << nx << " x " << ny << " sides " << int(sides[0]) << int(sides[1]) << int(sides[2])
          << int(sides[3]);
    }
}

TEST(MultigridPasses, StoreNoCoefficientsWhereShapesAllow) {
  Backend be;
  struct Case {
    int n;
    std::array<Side, 4> sides;
  };
  for (const Case& k : {Case{255, all_edges[0]}, Case{257, all_edges[1]}, Case{256, all_edges[2]},
                        Case{256, all_edges[3]}, Case{256, all_edges[4]}}) {
    const Extent e = make_extent(k.n, k.n);
    const auto A = make_operator<Backend, double>("stencil", be, e, membrane(e, 50, k.sides));
    A->assemble(0.5, 1.25);
    Multigrid<Backend, double> M(be, *A);
    M.prepare(*A);
    ASSERT_GE(M.levels(), 4);
    for (int depth = 0; depth < M.levels(); ++depth)
      EXPECT_TRUE(M.constant(depth)) << k.n << " depth " << depth;
  }
}

TEST(MultigridPasses, ReadTheRightHandSideTwiceAndWriteTheSolutionOnce) {
  Backend be;
  const Extent e = make_extent(511, 511);
  const auto A = make_operator<Backend, double>("stencil", be, e, membrane(e, 50, all_edges[0]));
  A->assemble(0, 1);
  Multigrid<Backend, double> M(be, *A);
  Multigrid<Backend, double, float> in_single(be, *A);
  M.prepare(*A);
  in_single.prepare(*A);
  const auto r = to_field<double>(be, e, random_values(std::size_t(e.points()), 5));
  Field<Backend, double> z(be, e);
  Buffer<Backend, double> rz(be, 1);
  be.counts().clear();
  M.apply(r, z, rz.data(), {});
  // Down: b, and a quarter of a word to the coarse grid; up: b, x and a quarter; a third of that for all
  // coarser grids together, less what the last of them does not do.
  const double words = be.counts().bytes / (double(e.points()) * sizeof(double));
  EXPECT_LT(words, 3.5 * 4 / 3 + 0.02);
  EXPECT_GT(words, 3.5 * 1.25);
  EXPECT_EQ(be.counts().reductions, 1);
  EXPECT_EQ(be.counts().passes, 2 + 2 + 1 + 1);  // 511, 255, the small grids, <r, z>
  be.counts().clear();
  in_single.solve(r, z, nullptr);
  const double in_single_words = be.counts().bytes / (double(e.points()) * sizeof(double));
  EXPECT_LT(in_single_words, 3.25 + 3.5 / 6);
  EXPECT_EQ(be.counts().reductions, 0);
}

#ifndef __CUDACC__  // the lanes of a group are turns of a loop here
/// A medium that marks the points whose couplings are asked for by strips that lie inside.
struct Marking {
  char* mark;
  template <bool inside>
  HD Couplings<double> at(int i, int, int) const {
    if (inside) mark[i] = 1;
    return {};
  }
  template <bool inside>
  HD Weights<double> weights(int, const Cells&, int, int) const {
    return {};
  }
};

// A strip that takes itself for one inside reads without a look at the edges: the coupling of a point to the
// row below it lies a row before that of its own.
TEST(MultigridPasses, LookAtNoPointOfAnEdgeWhereTheyTakeThemselvesForInside) {
  constexpr int S = 2, rows_before = 16;
  for (int ny : {40, 41, 90, 799})
    for (int least = 2; least < 16; ++least) {  // the first coarse point: at even ones, then at odd ones
      const Extent e = make_extent(200, ny);
      const Coarsening x{e.nx, least % 2}, y{e.ny, least / 2 % 2};
      const Extent coarse = make_extent(x.coarse(), y.coarse());
      const Cells cells(e, x, y, coarse);
      const int offset = rows_before * e.pitch;
      const std::size_t size = std::size_t(e.count()) + 2 * std::size_t(offset);
      std::vector<char> mark(size);
      std::vector<double> b(size), to(size), from(size);
      const Marking media{mark.data() + offset};
      const CellRows all{0, cells.up, 0};
      const Strips down(cells, all, S, 31 - 2 * S, least / 2),
          up(cells, all, 2 * S - 1, 34 - 4 * S, least / 2);
      const Descend<S, double, double, Marking> descend{cells, media, b.data() + offset, to.data() + offset,
                                                        down};
      const Ascend<S, double, double, Marking> ascend{
          cells, media, b.data() + offset, from.data() + offset, to.data() + offset, {}, up};
      for (int n = 0; n < down.count; ++n) descend(HostGroup<32>(), n);
      for (int n = 0; n < up.count; ++n) ascend(HostGroup<32>(), n);
      int marked = 0;
      for (int row = -rows_before; row < ny + rows_before; ++row)
        for (int col = 0; col < e.pitch; ++col)
          if (mark.data()[offset + row * e.pitch + col]) {
            ++marked;
            ASSERT_TRUE(row >= 1 && row <= ny - 2 && col >= 1 && col <= e.nx - 2)
                << "column " << col << " of row " << row << " of " << ny << ", strips of " << least / 2;
          }
      EXPECT_GT(marked, 0);
    }
}
#endif

TEST(MultigridPasses, AnotherTimeStepTakesNoMoreMemory) {
  Backend be;
  const Extent e = make_extent(100, 75);
  const auto c = membrane(e, 50, all_edges[0]);
  const Problem<double> problem(be, in_arrays(e, c, all_edges[0], [](HostProblem&) {}));
  const auto A = make_operator<Backend, double>("stencil", be, e, problem.coefficients);
  A->assemble(0, 1);
  Multigrid<Backend, double> M(be, *A);
  M.prepare(*A);
  const int levels = M.levels();
  A->assemble(0, 0.125);
  be.counts().clear();
  M.prepare(*A);
  EXPECT_LT(M.levels(), levels);
  EXPECT_EQ(be.counts().allocated, 0);
  Multigrid<Backend, double> fresh(be, *A);
  fresh.prepare(*A);
  const auto r = to_field<double>(be, e, random_values(std::size_t(e.points()), 5));
  Field<Backend, double> z(be, e), z_fresh(be, e);
  M.solve(r, z, nullptr);
  fresh.solve(r, z_fresh, nullptr);
  EXPECT_EQ(from_field(z), from_field(z_fresh));
}

// A step so short that no coarser grid is needed has its cells elsewhere, and more of them.
TEST(MultigridPasses, GiveTheProductOfTheirSolutionAfterAnyOtherTimeStep) {
  Backend be;
  const std::array<Side, 4> sides{fixed, fixed, fixed, open};
  for (const int ny : {64, 66, 300}) {
    const Extent e = make_extent(40, ny);
    const Problem<double> problem(be, in_arrays(e, membrane(e, 50, sides), sides, [](HostProblem&) {}));
    const auto A = make_operator<Backend, double>("stencil", be, e, problem.coefficients);
    Multigrid<Backend, double> M(be, *A);
    const auto r = to_field<double>(be, e, random_values(std::size_t(e.points()), 5));
    Field<Backend, double> z(be, e);
    Buffer<Backend, double> rz(be, 1), product(be, 1);
    for (const double b : {1.0, 0.001, 1.0}) {
      A->assemble(0, b);
      M.prepare(*A);
      M.apply(r, z, rz.data(), {});
      inner_product(be, r, z, product.data(), {});
      const double expected = product.download()[0];
      EXPECT_NEAR(rz.download()[0], expected, 1e-12 * std::abs(expected))
          << ny << " " << b << " " << M.levels();
    }
  }
}

TEST(MultigridPasses, NeedAtMostSevenIterationsOfCgInDoubleOrSingleArithmetic) {
  Backend be;
  for (const auto& sides : all_edges)
    for (const int n : {63, 128})
      for (const char* arithmetic : {"double", "single"}) {
        const Extent e = make_extent(n, n);
        auto c = membrane(e, 50, sides);
        c.face_y = c.face_x;
        for (int k = 2; k < 4; ++k) c.edge[k] /= 0.7;
        const auto A = make_operator<Backend, double>("stencil", be, e, c);
        A->assemble(0, 1);
        SolverOptions o;
        o.method = "cg";
        o.preconditioner.type = "multigrid";
        o.preconditioner.choices.words["arithmetic"] = arithmetic;
        o.tolerance = 1e-8;
        o.norm = "relative-2";
        const auto M = make_preconditioner<Backend, double>(o.preconditioner, be, *A);
        const auto solver = make_solver<Backend, double>(o, be, *A);
        const auto b = to_field<double>(be, e, random_values(std::size_t(e.points()), 31));
        Field<Backend, double> x(be, e);
        const Report r = solver->solve(*A, M.get(), b, x, true);
        EXPECT_TRUE(r.converged()) << n << " " << arithmetic;
        EXPECT_LE(r.iterations, 7) << n << " " << arithmetic << " " << int(sides[0]) << int(sides[1]);
      }
}

}  // namespace
}  // namespace wavesim::test
