#include <algorithm>

#include "sim/config/names.hpp"
#include "sim/config/tree.hpp"
#include "sim/study/candidate.hpp"

namespace wavesim {

namespace {

constexpr std::array<std::string_view, 3> precisions{"double", "single", "mixed"};
constexpr std::array<std::string_view, 3> guesses{"previous", "extrapolate", "projection"};
template <std::size_t n>
std::vector<std::string_view> words(const std::array<std::string_view, n>& list) {
  return {list.begin(), list.end()};
}

/// What a candidate is made from before anything of its own is said.
Candidate of_the_run(const Config& run) {
  Candidate c;
  c.solver = run.solver;
  c.precision = run.precision;
  return c;
}

/// Options belong to a method: another one starts with its usual ones.
void take_method(Candidate& c, const std::string& method) {
  if (c.solver.method != method) c.solver.choices = {};
  c.solver.method = method;
}

void take_guess(Candidate& c, const std::string& guess) {
  if (c.solver.guess == guess) return;
  c.solver.guess = guess;
  c.solver.guess_degree.reset();
  c.solver.guess_solutions.reset();
}

/// candidates: all
struct AllMethods : Candidates {
  void fields(Section&) override {}
  void add(const Config& run, const MatrixFacts& matrix, std::vector<Candidate>& to) const override {
    for (const Method& m : solver_methods()) {
      Candidate c = of_the_run(run);
      c.solver.method = m.name;
      c.solver.choices = {};
      c.solver.preconditioner = {};
      MatrixFacts facts = matrix;
      facts.single = c.precision == "single";
      facts.readable = find_format(c.solver.format)->readable;
      if (incompatibility(c.options(), facts).empty()) to.push_back(std::move(c));
    }
  }
};

/// A solver section: {method: cg, preconditioner: jacobi}
struct OneSolver : Candidates {
  std::string method;
  std::optional<std::string> name, format, precision, norm, guess;
  std::optional<double> tolerance;
  std::optional<long> max_iterations, guess_degree, guess_solutions;
  PreconditionerConfig preconditioner;
  std::optional<bool> accurate;
  ChoicesConfig choices;

  void fields(Section& s) override {
    s("method", method,
      {.text = "of this candidate; keys that are not given are those of solver, options of another method "
               "are the usual ones",
       .required = true,
       .choices = names(solver_methods())});
    s("name", name, {.text = "in tables; default made of what is given"});
    s("format", format, {.text = about_formats(), .choices = names(solver_formats())});
    s("precision", precision, {.text = "of this candidate's solve", .choices = words(precisions)});
    s.section("preconditioner", preconditioner,
              {.text = "makes the system easier first", .shorthand = "type", .optional = true});
    s("tolerance", tolerance, {.text = "of the true residual, in the norm below", .above = 0, .most = 0.5});
    s("norm", norm, {.text = "what the residual is compared with", .choices = names(stop_norms())});
    s("max-iterations", max_iterations, {.text = "after which a solve has failed", .least = 1, .most = 1e9});
    s("guess", guess, {.text = "where the solve starts", .choices = words(guesses)});
    s("guess-degree", guess_degree, {.text = "for guess: extrapolate", .least = 0, .most = 2});
    s("guess-solutions", guess_solutions,
      {.text = "for guess: projection", .least = 1, .most = most_solutions});
    s("accurate", accurate, {.text = "whether sums are compensated"});
    for (const Option* o : options_of(solver_methods())) choices.field(s, *o);
  }

  void verify() const override {
    if (name && std::any_of(name->begin(), name->end(), [](unsigned char c) { return c < ' '; }))
      where.fail("'name' stands in tables, and this one has a tab or a line end in it; write a plain word");
  }

  void add(const Config& run, const MatrixFacts&, std::vector<Candidate>& to) const override {
    Candidate c = of_the_run(run);
    take_method(c, method);
    if (format) c.solver.format = *format;
    if (precision) c.precision = *precision;
    if (preconditioner.stated) c.solver.preconditioner = preconditioner;
    if (tolerance) c.solver.tolerance = *tolerance;
    if (norm) c.solver.norm = *norm;
    if (max_iterations) c.solver.max_iterations = *max_iterations;
    if (guess) take_guess(c, *guess);
    if (guess_degree) c.solver.guess_degree = guess_degree;
    if (guess_solutions) c.solver.guess_solutions = guess_solutions;
    if (c.solver.guess_degree && c.solver.guess != "extrapolate")
      where.fail("'guess-degree' belongs to guess: extrapolate; write that, or leave it out");
    if (c.solver.guess_solutions && c.solver.guess != "projection")
      where.fail("'guess-solutions' belongs to guess: projection; write that, or leave it out");
    if (accurate) c.solver.accurate = *accurate;
    const auto take = [](auto& all, const auto& given) {
      for (const auto& [key, v] : given)
        if (v) all[key] = v;
    };
    take(c.solver.choices.numbers, choices.numbers);
    take(c.solver.choices.counts, choices.counts);
    take(c.solver.choices.words, choices.words);
    if (name) c.name = *name;
    to.push_back(std::move(c));
  }
};

/// A product: {methods: [cg, bicgstab], formats: [stencil, csr]}
struct Product : Candidates {
  std::vector<std::string> methods, formats, preconditioners, precisions_, guesses_;
  std::vector<double> tolerances;

  void fields(Section& s) override {
    s("methods", methods,
      {.text = "each of these with each of the words below; a list that is left out is the run's own choice",
       .required = true,
       .choices = names(solver_methods())});
    s("formats", formats, {.text = "of the matrix", .choices = names(solver_formats())});
    s("preconditioners", preconditioners,
      {.text = "with their usual options", .choices = names(solver_preconditioners())});
    s("tolerances", tolerances, {.text = "of the true residual", .above = 0, .most = 0.5});
    s("precisions", precisions_, {.text = "of the solve", .choices = words(precisions)});
    s("guesses", guesses_, {.text = "where the solve starts", .choices = words(guesses)});
  }

  void add(const Config& run, const MatrixFacts&, std::vector<Candidate>& to) const override {
    std::vector<Candidate> all{of_the_run(run)};
    multiply(all, methods, [](Candidate& c, const std::string& v) { take_method(c, v); });
    multiply(all, preconditioners, [](Candidate& c, const std::string& v) {
      if (c.solver.preconditioner.type != v) c.solver.preconditioner = {};
      c.solver.preconditioner.type = v;
    });
    multiply(all, formats, [](Candidate& c, const std::string& v) { c.solver.format = v; });
    multiply(all, precisions_, [](Candidate& c, const std::string& v) { c.precision = v; });
    multiply(all, tolerances, [](Candidate& c, double v) { c.solver.tolerance = v; });
    multiply(all, guesses_, [](Candidate& c, const std::string& v) { take_guess(c, v); });
    to.insert(to.end(), all.begin(), all.end());
  }

  /// Each candidate once with each value; none given: as they are.
  template <class V, class F>
  static void multiply(std::vector<Candidate>& all, const std::vector<V>& values, const F& take) {
    if (values.empty()) return;
    std::vector<Candidate> product;
    for (const Candidate& c : all)
      for (const V& v : values) take(product.emplace_back(c), v);
    all = std::move(product);
  }
};

/// " restart=20" for what was chosen.
std::string chosen(const Choices& c) {
  std::string text;
  for (const auto& [name, v] : c.numbers) text += " " + name + "=" + shortest(v);
  for (const auto& [name, v] : c.words) text += " " + name + "=" + v;
  return text;
}

/// Method and preconditioner, and what else is not as in the run.
std::string made_name(const Candidate& c, const Config& run) {
  const SolverConfig &s = c.solver, &own = run.solver;
  std::string text = s.method + chosen(s.choices.chosen());
  const SolverOptions o = c.options();
  if (o.preconditioned()) {
    text += "+" + short_name(o.preconditioner);
    if (!find_preconditioner(o.preconditioner.type)->of_method) text += chosen(o.preconditioner.choices);
  }
  if (s.format != own.format) text += " " + s.format;
  if (c.precision != run.precision) text += " " + c.precision;
  if (s.tolerance != own.tolerance) text += " tolerance=" + shortest(s.tolerance);
  if (s.norm != own.norm) text += " norm=" + s.norm;
  if (s.max_iterations != own.max_iterations) text += " max-iterations=" + std::to_string(s.max_iterations);
  if (c.guess() != Candidate{"", own, ""}.guess()) text += " guess=" + c.guess();
  if (s.accurate != own.accurate) text += s.accurate ? " accurate" : " accurate=false";
  return text;
}

}  // namespace

SolverOptions Candidate::options() const {
  SolverOptions o = solver.options();
  o.mixed = precision == "mixed";
  o.fallback.clear();  // a candidate is compared as it is
  return o;
}

std::string Candidate::guess() const {
  const GuessOptions g = solver.guess_options();
  if (g.kind == "extrapolate") return g.kind + "-" + std::to_string(g.degree);
  if (g.kind == "projection") return g.kind + "-" + std::to_string(g.solutions);
  return g.kind;
}

std::vector<Candidate> expand_candidates(const Config& run, const MatrixFacts& matrix) {
  std::vector<Candidate> all;
  for (const auto& entry : run.study->candidates) {
    const std::size_t before = all.size();
    entry->add(run, matrix, all);
    for (std::size_t k = before; k < all.size(); ++k) {
      std::string& name = all[k].name;
      if (name.empty()) name = made_name(all[k], run);
      const std::string own = name;
      const auto taken = [&] {
        return std::any_of(all.begin(), all.begin() + long(k), [&](const auto& c) { return c.name == name; });
      };
      for (int n = 2; taken(); ++n) name = own + " (" + std::to_string(n) + ")";
    }
  }
  return all;
}

std::string candidate_yaml(const Candidate& c, const Config& run) {
  SolverConfig solver = c.solver;
  return (c.precision == run.precision ? "" : "precision: " + c.precision + "\n") +
         dump_section("solver", solver);
}

template <>
const std::vector<Kind<Candidates>>& kinds<Candidates>() {
  static const std::vector<Kind<Candidates>> all{
      {"all", "every method that fits the systems of the run, with its usual options and no preconditioner",
       Form::word, make_kind<Candidates, AllMethods>},
      {"method", "one solver: the keys of `solver`, and `precision` and `name`", Form::flat,
       make_kind<Candidates, OneSolver>},
      {"methods", "a product of methods and other choices", Form::flat, make_kind<Candidates, Product>}};
  return all;
}

template <>
std::string_view family<Candidates>() {
  return "candidate";
}

}  // namespace wavesim
