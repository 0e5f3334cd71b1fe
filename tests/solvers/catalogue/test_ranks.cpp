// Ranks share out the rows of fields: each method that does so gives the bits of one rank. Here ranks are threads. What a
// rank has not fetched is no number.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <mutex>
#include <string_view>

#include "kernels/backend/host.hpp"
#include "kernels/comm/rank_threads.hpp"
#include "kernels/comm/row_share.hpp"
#include "kernels/comm/shared_host_rows.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "tests/solvers/catalogue/solve_problem.hpp"

namespace wavesim::test {
namespace {

using Sides = std::array<Side, 4>;
constexpr Sides box{Side::fixed, Side::fixed, Side::free, Side::fixed},
    rings{Side::periodic, Side::periodic, Side::periodic, Side::periodic};

/// The solve as `count` ranks do it: x from their rows, what rank 0 reports and counts.
template <class T>
Solved<T> solve_on_ranks(int count, const HostProblem& whole, const SolverOptions& o,
                         const std::string& format, const std::vector<double>& b) {
  Solved<T> all;
  all.x.resize(b.size());
  std::mutex mutex;
  run_rank_threads(count, [&](Ranks& ranks) {
    SharedHostRows rows(ranks);
    Backend be;
    be.share(&rows);
    HostProblem host = whole;
    host.e.ring = host.topology.wrap_y != 0;
    host.e = share_of(host.e, ranks.rank(), ranks.count());
    const std::size_t first = std::size_t(host.e.first_own) * std::size_t(host.e.nx),
                      end = std::size_t(host.e.end_own()) * std::size_t(host.e.nx);
    std::vector<double> own(b.size(), NAN);
    std::copy(b.begin() + long(first), b.begin() + long(end), own.begin() + long(first));
    const Solved<T> mine = solve<T>(be, host, o, format, own);
    // A rank that thought its steps shorter would have more of them in a turn of a recorded loop: others would wait for ever.
    // But for the set-up: round a ring, one rank makes a coarse row more.
    const std::vector<long> passes = ranks.all_of(mine.counts.passes - mine.counts.count("coarsen"));
    EXPECT_EQ(std::count(passes.begin(), passes.end(), passes[0]), count)
        << o.method << " " << o.preconditioner.type;
    const std::lock_guard lock(mutex);
    std::copy(mine.x.begin() + long(first), mine.x.begin() + long(end), all.x.begin() + long(first));
    if (ranks.rank() > 0) return;
    all.report = mine.report, all.history = mine.history, all.counts = mine.counts;
  });
  return all;
}

template <class T>
void expect_same_bits(const std::string& method, const std::string& preconditioner, const std::string& format,
                      const Sides& sides, const std::function<void(SolverOptions&)>& also = {}) {
  SCOPED_TRACE(method + " " + preconditioner + " " + format + (sides == rings ? " rings" : ""));
  const HostProblem host({34, 330, sides, true});
  const std::vector<double> b = random_values(std::size_t(host.e.points()), 3);
  SolverOptions o;
  o.method = method;
  o.preconditioner.type = preconditioner;
  o.tolerance = sizeof(T) == 8 ? 1e-8 : 1e-4;
  if (also) also(o);
  Backend be;
  const Solved<T> one = solve<T>(be, host, o, format, b);
  EXPECT_TRUE(one.report.converged());
  for (int count = 1; count <= 4; ++count) {
    const Solved<T> several = solve_on_ranks<T>(count, host, o, format, b);
    EXPECT_EQ(one.report.iterations, several.report.iterations) << count << " ranks";
    EXPECT_EQ(one.history, several.history) << count << " ranks";
    EXPECT_EQ(one.x, several.x) << count << " ranks";
  }
}

template <class T>
class RanksThat : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(RanksThat, Precisions);

TYPED_TEST(RanksThat, ShareRowsGiveTheBitsOfOne) {
  for (const Method& m : solver_methods()) {
    if (!m.on_ranks || m.automatic || m.structure == Structure::rectangle ||
        (m.doubles && sizeof(TypeParam) == 4))
      continue;
    for (const char* format : {"stencil", "dia"})
      for (const Sides& sides : {box, rings})
        expect_same_bits<TypeParam>(std::string(m.name), "none", format, sides);
  }
}

/// With a method that takes any of them.
TYPED_TEST(RanksThat, PreconditionGiveTheBitsOfOne) {
  for (const PreconditionerEntry& p : solver_preconditioners()) {
    if (!p.on_ranks || (p.doubles && sizeof(TypeParam) == 4)) continue;
    for (const Sides& sides : {box, rings})
      expect_same_bits<TypeParam>("fcg", std::string(p.name), "stencil", sides);
  }
}
TEST(Ranks, PreconditionByStepsOfEachMethodAndGiveTheBitsOfOne) {
  for (const Method& m : solver_methods()) {
    if (m.steps.place == 0 || !m.on_ranks) continue;
    const auto take = [&](SolverOptions& o) {
      o.preconditioner.choices.words[std::string(option::steps_of.name)] = m.name;
    };
    expect_same_bits<double>("fgmres", "steps", "stencil", box, take);
  }
}

TEST(Ranks, RefuseAnOrderOfRowsThatIsNoneOfTwoColours) {
  const HostProblem host({34, 330, box, true});
  SolverOptions o;
  o.method = "gauss-seidel";
  for (const char* order : {"levels", "natural"}) {
    o.choices.words[std::string(option::order.name)] = order;
    try {
      solve_on_ranks<double>(2, host, o, "stencil", random_values(std::size_t(host.e.points()), 3));
      ADD_FAILURE() << order;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find("two colours"), std::string::npos) << e.what();
    }
  }
}

/// What is exchanged: counts, not seconds.
TEST(Ranks, FetchOneRowForAnIterationOfCgAndTenForAPassOfSweeps) {
  const HostProblem host({34, 330, box, true});
  const std::vector<double> b = random_values(std::size_t(host.e.points()), 3);
  SolverOptions o;
  o.tolerance = 1e-8;
  o.method = "cg";
  for (const char* format : {"stencil", "dia"}) {
    const Solved<double> cg = solve_on_ranks<double>(2, host, o, format, b);
    EXPECT_EQ(cg.counts.count("ghost rows"), cg.report.iterations + 1) << format;  // and the true residual
    const double row = 2.0 * host.e.pitch * sizeof(double);
    for (const OperationCounts::Line& line : cg.counts.lines) {
      const bool is_exchange = std::string_view(line.label) == "ghost rows";
      EXPECT_TRUE(!is_exchange || line.bytes == row * double(cg.report.iterations + 1)) << format;
    }
  }
  o.method = "chebyshev";
  const Solved<double> sweeps = solve_on_ranks<double>(2, host, o, "stencil", b);
  long passes = 0;
  for (const OperationCounts::Line& line : sweeps.counts.lines)
    if (std::string_view(line.label).starts_with("steps x += m")) passes += line.passes;
  EXPECT_GT(passes, 1);
  EXPECT_LE(sweeps.counts.count("ghost rows"), passes + 4);  // the medium of passes once, a residual
}

}  // namespace
}  // namespace wavesim::test
