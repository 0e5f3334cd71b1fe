// Ranks share out the rows of the finer grids of a cycle: it gives the bits that it gives on one. Here ranks are threads.
#include <gtest/gtest.h>

#include <cmath>
#include <mutex>

#include "kernels/backend/errors.hpp"
#include "kernels/backend/host.hpp"
#include "kernels/comm/rank_threads.hpp"
#include "kernels/comm/row_share.hpp"
#include "kernels/comm/shared_host_rows.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/multigrid/multigrid.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {
namespace {

using Sides = std::array<Side, 4>;
constexpr Side fixed = Side::fixed, open = Side::free, round = Side::periodic;
const Sides all_edges[] = {{fixed, fixed, fixed, fixed}, {open, open, open, open},
                           {round, round, round, round}, {fixed, open, round, round},
                           {round, round, open, fixed},  {open, fixed, fixed, open}};

UniformCoefficients<double> constant(const Extent& e, const Sides& sides) {
  UniformCoefficients<double> c;
  c.topology = {e.nx, e.ny, sides[0] == round ? e.nx : 0, sides[2] == round ? e.ny * e.pitch : 0};
  c.face_x = 60, c.face_y = 45, c.damping = 0.1;
  for (int k = 0; k < 4; ++k) {
    const double face = k < 2 ? c.face_x : c.face_y;
    c.edge[k] = sides[k] == fixed ? -face : sides[k] == round ? face : 0;
    c.half[k] = sides[k] == open ? 0.5 : 1;
    c.radiation[k] = sides[k] == open ? 0.3 : 0;
  }
  return c;
}

struct Cycle {
  std::vector<double> z;
  double rz = 0;
  int levels = 0;
  long exchanges = 0;
};

/// One cycle on this rank's rows, of a medium in arrays or of a constant one. `r` is no number where rows are others'.
template <class W>
Cycle cycle(Backend& be, const HostProblem& host, const Sides& sides, bool varies, std::vector<double> r,
            long whole_below) {
  const Extent e = host.e;
  for (int row = 0; row < e.ny; ++row)
    if (row < e.first_own || row >= e.end_own())
      std::fill_n(r.begin() + long(row) * e.nx, e.nx, std::nan(""));
  const Problem<double> problem(be, host);
  const auto A = varies ? make_operator<Backend, double>("stencil", be, e, problem.coefficients)
                        : make_operator<Backend, double>("stencil", be, e, constant(e, sides));
  A->assemble(0.5, 40);
  Multigrid<Backend, double, W> M(be, *A, true, whole_below);
  M.prepare(*A);
  const auto rhs = to_field<double>(be, e, r);
  Field<Backend, double> z(be, e);
  Buffer<Backend, double> rz(be, 1);
  be.counts().clear();
  M.apply(rhs, z, rz.data(), {});
  return {from_field(z), rz.download()[0], M.levels(), be.counts().count("ghost rows")};
}

template <class W>
void expect_bits_of_one(int nx, int ny, const Sides& sides, bool varies) {
  SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(ny) + (varies ? " varying" : "") + " sides " +
               std::to_string(int(sides[0])) + std::to_string(int(sides[1])) + std::to_string(int(sides[2])) +
               std::to_string(int(sides[3])));
  const HostProblem host({nx, ny, sides, true});
  const std::vector<double> r = random_values(std::size_t(host.e.points()), 5);
  Backend alone;
  const Cycle one = cycle<W>(alone, host, sides, varies, r, 1);
  EXPECT_EQ(one.exchanges, 0);
  EXPECT_TRUE(std::isfinite(one.rz));
  for (const int count : {2, 3, 5})
    for (const long whole_below : {1L, long(nx) * ny / 8, 1L << 20}) {
      std::vector<Cycle> of_rank(static_cast<std::size_t>(count));
      std::vector<Extent> rows(static_cast<std::size_t>(count));
      run_rank_threads(count, [&](Ranks& ranks) {
        SharedHostRows shared(ranks);
        Backend be;
        be.share(&shared);
        HostProblem share = host;
        share.e.ring = sides[2] == round;
        share.e = share_of(share.e, ranks.rank(), ranks.count());
        rows[std::size_t(ranks.rank())] = share.e;
        of_rank[std::size_t(ranks.rank())] = cycle<W>(be, share, sides, varies, r, whole_below);
      });
      SCOPED_TRACE(std::to_string(count) + " ranks, whole below " + std::to_string(whole_below));
      for (int k = 0; k < count; ++k) {
        const Cycle& own = of_rank[std::size_t(k)];
        EXPECT_EQ(own.levels, one.levels);
        EXPECT_EQ(own.rz, one.rz);
        EXPECT_GE(own.exchanges,
                  whole_below == 1 ? 3 : 1);  // of b on each shared grid, and of x on the coarser
        const long first = long(rows[std::size_t(k)].first_own) * nx,
                   end = long(rows[std::size_t(k)].end_own()) * nx;
        long others = 0;
        for (long i = first; i < end; ++i) others += own.z[std::size_t(i)] != one.z[std::size_t(i)];
        EXPECT_EQ(others, 0) << "rank " << k;
      }
    }
}

TEST(MultigridOnRanks, GivesTheBitsOfOne) {
  for (const Sides& sides : all_edges)
    for (const bool varies : {false, true}) {
      expect_bits_of_one<double>(40, 640, sides, varies);
      expect_bits_of_one<float>(40, 640, sides, varies);
      if (sides[2] == round) continue;  // an odd number of points
      expect_bits_of_one<double>(sides[0] == round ? 36 : 37, 701, sides, varies);
    }
}

TEST(MultigridOnRanks, SharesOutGridsThatAreLargeEnough) {
  const HostProblem host({64, 1024, all_edges[0], false});
  const auto exchanges = [&](long whole_below) {
    long count = 0;
    run_rank_threads(2, [&](Ranks& ranks) {
      SharedHostRows shared(ranks);
      Backend be;
      be.share(&shared);
      HostProblem share = host;
      share.e = share_of(share.e, ranks.rank(), ranks.count());
      const Cycle own = cycle<double>(be, share, all_edges[0], false,
                                      random_values(std::size_t(host.e.points()), 5), whole_below);
      if (ranks.rank() == 0) count = own.exchanges;
    });
    return count;
  };
  EXPECT_EQ(exchanges(1L << 20), 1);   // of b
  EXPECT_EQ(exchanges(32L * 512), 3);  // and of b and x of a coarser grid
  EXPECT_EQ(exchanges(16L * 256), 5);
}

TEST(MultigridOnRanks, RefusesAnOddRing) {
  const HostProblem host({40, 641, all_edges[2], true});
  try {
    run_rank_threads(2, [&](Ranks& ranks) {
      SharedHostRows shared(ranks);
      Backend be;
      be.share(&shared);
      HostProblem share = host;
      share.e.ring = true;
      share.e = share_of(share.e, ranks.rank(), ranks.count());
      cycle<double>(be, share, all_edges[2], true, random_values(std::size_t(host.e.points()), 5), 1);
    });
    ADD_FAILURE() << "no refusal";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("along a periodic one an even number"), std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace wavesim::test
