// The section `study`: how candidates are written, and what they become.

#include "sim/study/candidate.hpp"
#include "tests/config/configs.hpp"

namespace wavesim {
namespace {

constexpr MatrixFacts rectangle{Structure::rectangle, true, false},
    shape{Structure::wave_system, true, false};

std::vector<Candidate> candidates(const std::string& written, const std::string& solver = "{method: cg}",
                                  const MatrixFacts& matrix = rectangle) {
  return expand_candidates(with("solver: " + solver + "\nstudy: {at: [1], candidates: " + written + "}\n"),
                           matrix);
}

std::vector<std::string> names_in(const std::vector<Candidate>& all) {
  std::vector<std::string> names;
  for (const Candidate& c : all) names.push_back(c.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(Study, IsNotThereUnlessItIsWritten) {
  EXPECT_FALSE(with("").study);
  const Config config = with("study: {every: 5, candidates: all}\n");
  ASSERT_TRUE(config.study);
  EXPECT_EQ(config.study->every, 5);
  EXPECT_EQ(config.study->repetitions, 5);
  EXPECT_EQ(config.study->warm_up, 1);
}

TEST(Study, TakesWhatACandidateDoesNotSayFromTheRun) {
  const auto all = candidates(
      "[{method: cg, tolerance: 1e-8}, {method: gmres, preconditioner: ic0}, {method: gmres, restart: 7}]",
      "{method: gmres, restart: 20, format: csr, preconditioner: jacobi, norm: max}");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].solver.method, "cg");
  EXPECT_EQ(all[0].solver.tolerance, 1e-8);
  EXPECT_EQ(all[0].solver.format, "csr");
  EXPECT_EQ(all[0].solver.norm, "max");
  EXPECT_EQ(all[0].solver.preconditioner.type, "jacobi");
  EXPECT_TRUE(all[0].options().choices.numbers.empty()) << "restart is no option of cg";
  EXPECT_EQ(all[1].solver.preconditioner.type, "ic0");
  EXPECT_EQ(all[1].options().choices.numbers.at("restart"), 20);
  EXPECT_EQ(all[2].options().choices.numbers.at("restart"), 7);
  EXPECT_EQ(names_in(all),
            (Names{"cg+jacobi tolerance=1e-08", "gmres restart=20+ic0", "gmres restart=7+jacobi"}));
}

TEST(Study, MultipliesWhatAProductLists) {
  const auto all =
      candidates("{methods: [cg, bicgstab], formats: [stencil, csr], precisions: [double, mixed]}");
  EXPECT_EQ(names_in(all), (Names{"cg", "cg mixed", "cg csr", "cg csr mixed", "bicgstab", "bicgstab mixed",
                                  "bicgstab csr", "bicgstab csr mixed"}));
  EXPECT_TRUE(all[1].options().mixed);
  EXPECT_FALSE(all[0].options().mixed);
  const auto more = candidates("{methods: [cg], tolerances: [1e-4, 1e-8], guesses: [previous, extrapolate]}");
  ASSERT_EQ(more.size(), 4u);
  EXPECT_EQ(more[3].name, "cg tolerance=1e-08 guess=extrapolate-0");
}

TEST(Study, MeansByAllEveryMethodThatFits) {
  const Names on_rectangle = names_in(candidates("all")), on_shape = names_in(candidates("all", "{}", shape));
  const auto has = [](const Names& n, const char* name) { return std::count(n.begin(), n.end(), name); };
  EXPECT_EQ(has(on_rectangle, "sine-transform"), 1);
  EXPECT_EQ(has(on_shape, "sine-transform"), 0);
  EXPECT_EQ(on_rectangle.size(), solver_methods().size() - 1);  // no wave system is triangular
  for (const Method& m : solver_methods())
    if (m.structure <= Structure::wave_system && !m.triangular) {
      EXPECT_EQ(has(on_shape, std::string(m.name).c_str()), 1);
    }
}

TEST(Study, GivesEachCandidateANameOfItsOwn) {
  EXPECT_EQ(names_in(candidates("[{method: cg}, {method: cg}, {method: cg, name: mine}, {method: cg}]")),
            (Names{"cg", "cg (2)", "mine", "cg (3)"}));
}

TEST(Study, PrintsACandidateAsAConfigThatReadsBackAsIt) {
  const Config run = with("study: {at: [1], candidates: {method: gmres, restart: 9, precision: mixed}}\n");
  const Candidate c = expand_candidates(run, rectangle).front();
  const Config again = with(candidate_yaml(c, run));
  EXPECT_EQ(again.solver.method, "gmres");
  EXPECT_EQ(again.solver.options().choices.numbers.at("restart"), 9);
  EXPECT_EQ(again.precision, "mixed");
}

TEST(Study, IsRefusedInOneSentenceWithPlaceAndRemedy) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"study: {candidates: all}\n",
       "small.yaml:5:1: 'study' does not say which steps to look at; add 'at: [1, 10]' or 'every: count'"},
      {"study: {at: [1], every: 2, candidates: all}\n",
       "small.yaml:5:1: 'at' and 'every' both say which steps 'study' looks at; remove one of them"},
      {"study: {at: [1]}\n",
       "small.yaml:5:1: 'candidates' is missing in study; add 'candidates: ...' (solvers to compare; a list "
       "takes them together)"},
      {"study: {at: [3, 3], candidates: all}\n",
       "small.yaml:5:1: 'study.at' lists a step twice; remove one of them"},
      {"study: {at: [0], candidates: all}\n",
       "small.yaml:5:14: 'study.at.0' must be a whole number not less than 1, but '0' is too small"},
      {"study: {at: [1.5], candidates: all}\n",
       "small.yaml:5:14: 'study.at.0' must be a whole number not less than 1, but '1.5' is not whole"},
      {"study: {at: [], candidates: all}\n",
       "small.yaml:5:9: 'study.at' must be a list of whole numbers not less than 1, but this is empty"},
      {"study: {at: [1], candidates: most}\n",
       "small.yaml:5:18: unknown candidate 'most' in study.candidates; it is one of all, method and methods"},
      {"study: {at: [1], candidates: {metod: cg}}\n",
       "small.yaml:5:31: unknown candidate 'metod' in study.candidates; did you mean 'method'?"},
      {"study: {at: [1], candidates: {method: gc}}\n",
       "small.yaml:5:31: unknown value 'gc' for 'study.candidates.method'; did you mean 'cg'?"},
      {"study: {at: [1], candidates: [{method: cg, format: scr}]}\n",
       "small.yaml:5:44: unknown value 'scr' for 'study.candidates.0.format'; did you mean 'csr'?"},
      {"study: {at: [1], candidates: {methods: [cg, cg]}}\n",
       "small.yaml:5:45: 'study.candidates.methods' lists 'cg' twice; remove one of them"},
      {"study: {at: [1], candidates: {method: cg, methods: [cg]}}\n",
       "small.yaml:5:43: several kinds of candidate are given at once: method and methods; keep one of them"},
      {"study: {at: [1], candidates: all, repetitions: 0}\n",
       "small.yaml:5:35: 'study.repetitions' must be a whole number not less than 1 and not greater than "
       "10000, but '0' is too small"},
      {"study: {at: [1], candidates: all, sweep: {}}\n",
       "small.yaml:5:35: 'study.sweep' goes through nothing; add courant: [1, 4, 16] or cells: [200, 400]"},
      {"study: {at: [1], candidates: all, sweep: {courant: [1, 1]}}\n",
       "small.yaml:5:35: 'study.sweep.courant' lists a number twice; remove one of them"},
      {"study: {at: [1], candidates: all, sweep: {curant: [1]}}\n",
       "small.yaml:5:43: unknown key 'curant' in study.sweep; did you mean 'courant'?"},
  };
  for (const auto& [text, sentence] : mistakes) EXPECT_EQ(refusal_of(text), sentence) << text;
}

TEST(Study, RefusesAGuessThatItsOptionDoesNotBelongTo) {
  const std::string why = [] {
    try {
      candidates("[{method: cg, guess-degree: 1}]");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  }();
  EXPECT_EQ(why,
            "small.yaml:6:31: 'guess-degree' belongs to guess: extrapolate; write that, or leave it out");
}

}  // namespace
}  // namespace wavesim
