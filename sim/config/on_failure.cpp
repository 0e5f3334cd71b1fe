#include "sim/config/on_failure.hpp"

#include "sim/config/config.hpp"
#include "sim/config/names.hpp"

namespace wavesim {

namespace {

/// Another method of the same system, to the same tolerance. Options belong to a method, and a low limit of iterations is
/// a reason to have a fallback, so that it starts with the usual ones.
SolverOptions with_method(const SolverOptions& own, const std::string& method) {
  SolverOptions o = own;
  o.fallback.clear();
  o.preconditioner = {};
  o.choices = {};
  o.max_iterations = SolverOptions().max_iterations;
  o.method = method;
  return o;
}

/// bicgstab
struct BareMethod : FallbackSolver {
  std::string method;
  void fields(Section& s) override {
    s("value", method, {.text = "a method, without a preconditioner", .choices = names(solver_methods())});
  }
  SolverOptions after(const SolverOptions& own) const override { return with_method(own, method); }
};

/// {method: gmres, preconditioner: ilu0, restart: 60}
struct MethodSection : FallbackSolver {
  std::string method;
  PreconditionerConfig preconditioner;
  long max_iterations = SolverOptions().max_iterations;
  ChoicesConfig choices;

  void fields(Section& s) override {
    s("method", method,
      {.text = "that takes the system", .required = true, .choices = names(solver_methods())});
    s.section("preconditioner", preconditioner,
              {.text = "makes the system easier first", .shorthand = "type", .optional = true});
    s("max-iterations", max_iterations, {.text = "after which it has failed, too", .least = 1, .most = 1e9});
    for (const Option* o : options_of(solver_methods())) choices.field(s, *o);
  }
  SolverOptions after(const SolverOptions& own) const override {
    SolverOptions o = with_method(own, method);
    o.preconditioner = {preconditioner.type, preconditioner.choices.chosen()};
    o.max_iterations = int(max_iterations);
    o.choices = choices.chosen();
    return o;
  }
};

struct Stop : OnFailure {
  void fields(Section&) override {}
};

struct Continue : OnFailure {
  void fields(Section&) override {}
  bool goes_on() const override { return true; }
};

struct Fallback : OnFailure {
  std::vector<std::shared_ptr<FallbackSolver>> solvers;
  void fields(Section& s) override {
    s("fallback", solvers,
      {.text = "the solvers that take the system, in this order; the run stops where the last one fails",
       .required = true});
  }
  std::vector<SolverOptions> fallback(const SolverOptions& own) const override {
    std::vector<SolverOptions> all;
    for (const auto& solver : solvers) {
      all.push_back(solver->after(own));
      if (const std::string why = incompatibility(all.back()); !why.empty()) solver->where.fail(why);
    }
    return all;
  }
};

}  // namespace

std::shared_ptr<OnFailure> stop_on_failure() { return make_kind<OnFailure, Stop>(); }

template <>
const std::vector<Kind<FallbackSolver>>& kinds<FallbackSolver>() {
  static const std::vector<Kind<FallbackSolver>> all{
      {"name", "a method with its usual options and no preconditioner", Form::text,
       make_kind<FallbackSolver, BareMethod>},
      {"method", "one solver: method, preconditioner, max-iterations and options", Form::flat,
       make_kind<FallbackSolver, MethodSection>}};
  return all;
}
template <>
std::string_view family<FallbackSolver>() {
  return "fallback";
}

template <>
const std::vector<Kind<OnFailure>>& kinds<OnFailure>() {
  static const std::vector<Kind<OnFailure>> all{
      {"stop", "the run ends with exit status 3", Form::word, make_kind<OnFailure, Stop>},
      {"continue", "the run goes on, and the history records it", Form::word, make_kind<OnFailure, Continue>},
      {"fallback", "other solvers take the system, and the history records which", Form::flat,
       make_kind<OnFailure, Fallback>}};
  return all;
}
template <>
std::string_view family<OnFailure>() {
  return "on-failure";
}

}  // namespace wavesim
