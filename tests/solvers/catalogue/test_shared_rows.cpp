// A reduction and its epilogue are two things: what other ranks contribute comes between them, and no method
// knows.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "kernels/comm/shared_rows.hpp"
#include "kernels/reduce/sum_order.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "tests/solvers/catalogue/solve_problem.hpp"

namespace wavesim::test {

/// Moves leaves from one place to others, and leaves none behind.
struct MoveLeaves {
  double *from, *to, *twin;
  int doubles;
  HD void operator()() const {
    for (int k = 0; k < doubles; ++k) {
      to[k] = from[k];
      if (twin) twin[k] = from[k];
      from[k] = NAN;  // whoever reads it before the leaves are joined has no number
    }
  }
};

namespace {

/// Doubles of all leaves: a lane has at most 16.
constexpr std::size_t most_leaves = std::size_t(sum_order::lanes) * 16;

/// One rank. A method that used a result before the others' have come would fail.
class OneRank final : public SharedRows {
 public:
  explicit OneRank(Backend& be) : be_(be), away_(be, most_leaves) {}
  void gather(double* leaves, const Bands& bands, int doubles) override {
    const int all = bands.count * doubles;
    be_.once("gather", MoveLeaves{leaves, away_.data(), nullptr, all});
    be_.once("gather", MoveLeaves{away_.data(), leaves, nullptr, all});
    ++gathered;
  }
  void fetch_ghosts(const Extent&, int, std::span<const RowsInMemory>) override {}
  void fetch_all(std::span<const int>, std::span<const RowsInMemory>) override {}
  int ranks() const override { return 1; }
  long gathered = 0;

 private:
  Backend& be_;
  Buffer<Backend, double> away_;
};

/// Those whose reductions are launches of the backend: not what keeps its vectors on one chip.
bool shares_reductions(const Method& method) {
  return method.name != "cg-onchip" && method.structure != Structure::rectangle && !method.triangular &&
         method.repeatable;
}

template <class T>
class SharedReductions : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(SharedReductions, Precisions);

TYPED_TEST(SharedReductions, GiveEveryMethodTheSameBits) {
  using T = TypeParam;
  const HostProblem host({33, 21, {Side::fixed, Side::fixed, Side::free, Side::fixed}, true});
  HostProblem shared_host = host;
  shared_host.e.shared = true;
  const std::vector<double> b = random_values(std::size_t(host.e.points()), 3);
  for (const Method& method : solver_methods()) {
    if (!shares_reductions(method) || (method.doubles && sizeof(T) == 4)) continue;
    SCOPED_TRACE(method.name);
    SolverOptions o;
    o.method = method.name;
    o.tolerance = sizeof(T) == 8 ? 1e-8 : 1e-4;
    Backend alone, shared;
    OneRank rank(shared);
    shared.share(&rank);
    const auto one = solve<T>(alone, host, o, "dia", b), other = solve<T>(shared, shared_host, o, "dia", b);
    EXPECT_TRUE(one.report.converged());
    EXPECT_EQ(one.report.iterations, other.report.iterations);
    EXPECT_EQ(one.history, other.history);
    EXPECT_EQ(one.x, other.x);
    EXPECT_GT(rank.gathered, 0);
  }
}

/// Another rank with the second band, which holds what the first one holds.
class Twin final : public SharedRows {
 public:
  explicit Twin(Backend& be) : be_(be), away_(be, most_leaves) {}
  void gather(double* leaves, const Bands& bands, int doubles) override {
    EXPECT_EQ(bands.count, 2);
    be_.once("gather", MoveLeaves{leaves, away_.data(), nullptr, doubles});
    be_.once("gather", MoveLeaves{away_.data(), leaves, leaves + doubles, doubles});
  }
  void fetch_ghosts(const Extent&, int, std::span<const RowsInMemory>) override {}
  void fetch_all(std::span<const int>, std::span<const RowsInMemory>) override {}
  int ranks() const override { return 2; }

 private:
  Backend& be_;
  Buffer<Backend, double> away_;
};

struct Double {
  double* to;
  HD void operator()(const Norms& n) const { *to = 2 * n.squares; }
};

TEST(Reductions, JoinTheResultsOfAllRanksBeforeTheirEpilogue) {
  Backend be;
  const Extent e = make_extent(5, 200);
  const int rows = bands_of(e).first_row(1);
  ASSERT_LT(rows, 100);
  const auto v = to_field<double>(be, e, std::vector<double>(1000, 2.0));
  Buffer<Backend, Norms> norms(be, 1);
  Buffer<Backend, double> doubled(be, 1);
  Twin twin(be);
  be.share(&twin);
  for (const bool shared : {false, true, false}) {
    Extent own = e;
    own.shared = shared;
    be.map_sum("|v|", own, norms.data(), NormsOf{}, Double{doubled.data()}, v.in());
    const double squares = 4 * 5 * (shared ? 2 * rows : 200);
    EXPECT_EQ(norms.download()[0].squares, squares);
    EXPECT_EQ(norms.download()[0].largest, 2);
    EXPECT_EQ(doubled.download()[0], 2 * squares);
  }
}

}  // namespace
}  // namespace wavesim::test
