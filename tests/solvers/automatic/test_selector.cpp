// method: auto without any solve: quotes, and what a choice makes of the iterations that solves take.

#include "solvers/automatic/selector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "kernels/backend/errors.hpp"

namespace wavesim::test {
namespace {

/// A membrane of n x n cells on a GPU at a Courant number of crank-nicolson.
SystemFacts membrane(double n, double courant, bool constant = true, bool gpu = true) {
  SystemFacts f;
  f.gpu = gpu;
  f.matrix = {constant ? Structure::rectangle : Structure::wave_system, true, false};
  f.nx = f.ny = n - 1;
  f.points = f.nx * f.ny;
  f.row_bytes = constant ? 0 : 32;
  f.blocked_sweeps = 8;
  f.fused_steps = true;
  f.on_chip = gpu && n <= 1024;
  f.transformed = n / 2;
  f.transforms_loaded = !gpu;
  f.bounds = {1, 1 + 2 * courant * courant};
  return f;
}

std::vector<MethodCandidate> candidates(const SystemFacts& f, double tolerance = 1e-6) {
  SolverOptions o;
  o.method = "auto";
  o.tolerance = tolerance;
  return candidates_for(o, f);
}

std::string name(const Selector& c) { return c.candidates()[std::size_t(c.now())].name; }

std::string first_choice(const SystemFacts& f, long expected = 1000) {
  return name(Selector(candidates(f), expected));
}

TEST(Selector, StartsWithWhatThePriceModelForesees) {
  EXPECT_EQ(first_choice(membrane(8192, 1)), "chebyshev");  // a step is one pass or two
  EXPECT_EQ(first_choice(membrane(8192, 0.5)), "chebyshev");
  EXPECT_EQ(first_choice(membrane(8192, 50, false)), "cg + multigrid");
  EXPECT_EQ(first_choice(membrane(400, 1, false)), "chebyshev");
  EXPECT_EQ(first_choice(membrane(400, 5, false)), "cg-onchip");
  EXPECT_EQ(first_choice(membrane(512, 5, false)), "chebyshev");
}

/// A direct method is dear to set up: not before it is known that the others take long, nor for a few solves.
TEST(Selector, TakesSineTransformsWhereTheirSetUpPays) {
  const auto soon = [](double courant, long expected) {
    Selector selector(candidates(membrane(8192, courant)), expected);
    EXPECT_NE(name(selector), "sine-transform");
    for (int n = 0; n < 5; ++n) {
      const CostEstimate& q = selector.candidates()[std::size_t(selector.now())].estimate;
      selector.solved(q.of_cg > 0 ? int(courant) * 4 : int(q.likely));
    }
    return name(selector);
  };
  EXPECT_EQ(soon(20, 1000), "sine-transform");
  EXPECT_NE(soon(20, 10), "sine-transform");
  EXPECT_NE(soon(1, 1000), "sine-transform");
}

/// By hand: whoever takes one away, or adds one, has to say so here.
TEST(Selector, IsAmongTheseMethods) {
  using Names = std::vector<std::string>;
  const auto names = [](const SystemFacts& facts) {
    SolverOptions o;
    o.method = "auto";
    o.tolerance = 1e-7;
    o.norm = "max";
    o.max_iterations = 77;
    Names all;
    for (const MethodCandidate& c : candidates_for(o, facts)) {
      all.push_back(c.name);
      EXPECT_EQ(c.options.tolerance, o.tolerance) << c.name;
      EXPECT_EQ(c.options.norm, o.norm) << c.name;
      EXPECT_EQ(c.options.max_iterations, o.max_iterations) << c.name;
    }
    return all;
  };
  const auto system = [](double n, bool constant, bool gpu, bool single) {
    SystemFacts f = membrane(n, 1, constant, gpu);
    f.matrix.single = single;
    f.word = single ? 4 : 8;
    return f;
  };
  for (const bool single : {false, true}) {
    const auto of = [&](double n, bool constant, bool gpu) {
      return names(system(n, constant, gpu, single));
    };
    EXPECT_EQ(of(512, true, true),
              (Names{"cg", "cg-onchip", "chebyshev", "cg + multigrid", "sine-transform"}));
    EXPECT_EQ(of(512, false, true), (Names{"cg", "cg-onchip", "cg + jacobi", "chebyshev", "cg + multigrid"}));
    EXPECT_EQ(of(4096, true, true), (Names{"cg", "chebyshev", "cg + multigrid", "sine-transform"}));
    EXPECT_EQ(of(4096, false, true), (Names{"cg", "cg + jacobi", "chebyshev", "cg + multigrid"}));
    EXPECT_EQ(of(512, true, false), (Names{"cg", "chebyshev", "cg + multigrid", "sine-transform"}));
    EXPECT_EQ(of(512, false, false), (Names{"cg", "cg + jacobi", "chebyshev", "cg + multigrid"}));
    SystemFacts any;
    any.matrix = {Structure::any, true, single};
    EXPECT_EQ(names(any),
              (Names{"cg + jacobi", "cg", "bicgstab + ilu0", "gmres + ilu0", "bicgstab", "gmres", "minres"}));
    any.matrix.symmetric = false;
    EXPECT_EQ(names(any), (Names{"bicgstab + ilu0", "gmres + ilu0", "bicgstab", "gmres"}));
  }
}

TEST(Selector, HasNoSineTransformsOffARectangleAndNothingOnAChipThatIsTooSmall) {
  for (const MethodCandidate& c : candidates(membrane(2048, 1, false))) {
    EXPECT_NE(c.name, "sine-transform");
    EXPECT_NE(c.name, "cg-onchip");
  }
  for (const MethodCandidate& c : candidates(membrane(256, 1, true, false))) EXPECT_NE(c.name, "cg-onchip");
}

TEST(Selector, KnowsThatTransformsOfPrimeLengthTakeLonger) {
  SystemFacts good = membrane(4096, 20), bad = good;
  bad.transformed = 2 * 4097;  // 17 x 241
  const auto estimate = [](const SystemFacts& f) {
    for (const MethodCandidate& c : candidates(f))
      if (c.name == "sine-transform") return c.estimate.each;
    return 0.0;
  };
  EXPECT_GT(estimate(bad), 3 * estimate(good));
}

/// Milliseconds of whole steps on an H200 (docs/notes/auto.md) for quotes with the iterations that they
/// took.
TEST(Selector, QuotesWhatWasMeasured) {
  struct Row {
    double cells, courant;
    bool constant;
    const char* method;
    double iterations, ms;
  };
  for (const Row& r : std::initializer_list<Row>{{512, 1, true, "cg", 2.8, 0.111},
                                                 {512, 1, true, "cg-onchip", 2.8, 0.0855},
                                                 {512, 1, true, "chebyshev", 8, 0.0421},
                                                 {1024, 1, false, "cg-onchip", 2.8, 0.172},
                                                 {4096, 1, true, "cg", 2.9, 1.341},
                                                 {2048, 1, true, "chebyshev", 8, 0.0964},
                                                 {2048, 1, false, "chebyshev", 8, 0.1356},
                                                 {4096, 1, false, "cg", 2.8, 2.04},
                                                 {4096, 1, false, "cg + jacobi", 7.7, 5.22},
                                                 {4096, 20, false, "cg + multigrid", 3, 7.45},
                                                 {512, 20, true, "cg-onchip", 152.8, 0.827},
                                                 {512, 20, false, "chebyshev", 208, 0.7328},
                                                 {2048, 20, false, "chebyshev", 208, 2.867},
                                                 {2048, 20, false, "cg + multigrid", 4, 3.54},
                                                 {1024, 20, true, "sine-transform", 1, 0.1153},
                                                 {2048, 20, true, "cg", 78, 7.85},
                                                 {2048, 20, true, "sine-transform", 1, 0.2516}}) {
    bool there = false;
    for (const MethodCandidate& c : candidates(membrane(r.cells, r.courant, r.constant)))
      if (c.name == r.method) {
        there = true;
        EXPECT_NEAR(1000 * c.estimate.cost(r.iterations) / r.ms, 1, 0.25)
            << r.method << ", " << r.cells << ", Courant number " << r.courant;
      }
    EXPECT_TRUE(there) << r.method;
  }
}

/// Solves that take iterations as `of` says: the share of all seconds, by the quotes, that auto takes more
/// than the best single method.
template <class Of>
double regret(Selector& selector, long solves, Of of) {
  std::vector<double> fixed(selector.candidates().size(), 0);
  double own = 0;
  std::set<int> made;
  for (long n = 0; n < solves; ++n) {
    const int k = selector.now();
    const CostEstimate& q = selector.candidates()[std::size_t(k)].estimate;
    std::erase_if(made, [&](int m) { return m != k && m != selector.chosen(); });
    if (made.insert(k).second) own += q.set_up;
    own += q.cost(of(k, n));
    for (int j = 0; j < int(fixed.size()); ++j) {
      const CostEstimate& other = selector.candidates()[std::size_t(j)].estimate;
      fixed[std::size_t(j)] += other.cost(of(j, n)) + (n == 0 ? other.set_up : 0);
    }
    selector.solved(int(of(k, n)));
  }
  return own / *std::min_element(fixed.begin(), fixed.end()) - 1;
}

/// Whatever the iterations turn out to be, as long as a method's own bound holds.
TEST(Selector, LosesLittleWhateverTheIterationsAre) {
  for (const double n : {256, 1024, 4096, 8192})
    for (const double courant : {0.5, 1.0, 5.0, 20.0})
      for (const bool constant : {true, false})
        for (const double ease : {0.3, 0.6, 1.0, 1.4}) {
          Selector selector(candidates(membrane(n, courant, constant)), 400);
          const auto& all = selector.candidates();
          const auto of = [&](int k, long) {
            const CostEstimate& q = all[std::size_t(k)].estimate;
            const double i = q.of_cg > 0 ? ease * q.likely : q.likely;
            return std::max(double(q.least), q.pass * std::ceil(i / q.pass));
          };
          EXPECT_LE(regret(selector, 400, of), 0.05)
              << n << ", Courant number " << courant << ", " << constant << ", " << ease << ": "
              << selector.decisions().back();
        }
}

TEST(Selector, FollowsAProblemThatChanges) {
  Selector selector(candidates(membrane(4096, 5, false)), 4000);
  const auto& all = selector.candidates();
  // smooth at first, so that cg takes three iterations; then rough
  const auto of = [&](int k, long n) {
    const CostEstimate& q = all[std::size_t(k)].estimate;
    if (q.of_cg > 0) return std::max(2.0, std::ceil(q.of_cg * (n < 1000 ? 3 : 45)));
    return q.pass * std::ceil(q.likely / q.pass);
  };
  for (long n = 0; n < 1000; ++n) selector.solved(int(of(selector.now(), n)));
  EXPECT_EQ(all[std::size_t(selector.chosen())].name.substr(0, 2), "cg") << selector.decisions().back();
  EXPECT_EQ(all[std::size_t(selector.chosen())].name.find("multigrid"), std::string::npos);
  for (long n = 1000; n < 2000; ++n) selector.solved(int(of(selector.now(), n)));
  EXPECT_EQ(all[std::size_t(selector.chosen())].name, "chebyshev") << selector.decisions().back();
  for (long n = 2000; n < 4000; ++n) selector.solved(int(of(selector.now(), 0)));
  EXPECT_NE(all[std::size_t(selector.chosen())].name, "chebyshev");
  EXPECT_LT(selector.regret(), 0.03);
}

TEST(Selector, LearnsNothingFromSolvesOfNothing) {
  Selector selector(candidates(membrane(4096, 1, false)), 1000);
  const std::string first = name(selector);
  for (int n = 0; n < 100; ++n) {
    selector.solved(0);
    EXPECT_EQ(name(selector), first);
  }
  EXPECT_EQ(selector.decisions().size(), 1u);
}

TEST(Selector, TakesTheNextMethodWhereOneFailsAndSaysSo) {
  Selector selector(candidates(membrane(512, 1)), 100);
  std::vector<std::string> names;
  while (selector.now() >= 0) {
    names.push_back(name(selector));
    selector.failed("max-iterations");
  }
  EXPECT_EQ(names.size(), selector.candidates().size());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
  EXPECT_EQ(selector.decisions().size(), names.size() + 1);
  EXPECT_NE(selector.decisions()[1].find("because "), std::string::npos);
  EXPECT_NE(selector.decisions()[1].find("ended with max-iterations"), std::string::npos);
}

TEST(Selector, GoesThroughAListForMatricesOfWhichLittleIsKnown) {
  SystemFacts f;
  SolverOptions o;
  f.matrix.symmetric = false;
  for (const MethodCandidate& c : candidates_for(o, f))
    EXPECT_EQ(c.name.substr(0, 2) == "cg", false) << c.name;
  EXPECT_EQ(name(Selector(candidates_for(o, f), 1)), "bicgstab + ilu0");
  f.matrix.symmetric = true;
  Selector selector(candidates_for(o, f), 1);
  EXPECT_EQ(name(selector), "cg + jacobi");
  EXPECT_EQ(selector.decisions().front(), "solve 1: cg + jacobi");
}

/// Whenever it is saved, the choices to come are those of a selector that was not.
TEST(Selector, GoesOnFromASavedStateAsIfNothingHadHappened) {
  const std::vector<MethodCandidate> all = candidates(membrane(2048, 4, false));
  const auto iterations = [&](const Selector& s, int n) {
    const int k = s.now();
    return n % 17 == 16 && k == s.chosen() ? -1 : 3 + (7 * n + 5 * k) % 11 + n / 3;
  };
  const auto advance = [&](Selector& s, int from, int to) {
    std::vector<int> who;
    for (int n = from; n < to && s.now() >= 0; ++n) {
      who.push_back(s.now());
      const int took = iterations(s, n);
      took<0 && s.left()> 2 ? s.failed("a breakdown") : s.solved(took < 0 ? 5 : took);
    }
    return who;
  };
  for (int middle = 0; middle < 200; middle += 7) {
    Selector whole(all, 300, 5), other(all, 300, 5);
    advance(whole, 0, middle);
    SavedState state;
    SaveInMemory to(state);
    whole.archive(to);
    LoadFromMemory from(state);
    other.archive(from);
    EXPECT_EQ(advance(other, middle, 250), advance(whole, middle, 250)) << middle;
    EXPECT_EQ(other.decisions(), whole.decisions());
    EXPECT_EQ(other.regret(), whole.regret());
  }
}

TEST(Selector, RefusesASavedChoiceThatIsNone) {
  const std::vector<MethodCandidate> all = candidates(membrane(2048, 4, false));
  Selector selector(all, 300, 5);
  SavedState state;
  SaveInMemory to(state);
  selector.archive(to);
  for (const int wrong : {-2, int(all.size())}) {
    std::memcpy(state.at("now").bytes.data(), &wrong, sizeof wrong);
    LoadFromMemory from(state);
    Selector other(all, 300, 5);
    EXPECT_THROW(other.archive(from), InputError) << wrong;
  }
}

}  // namespace
}  // namespace wavesim::test
