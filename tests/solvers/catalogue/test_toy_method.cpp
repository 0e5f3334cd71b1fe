// A method that lives in tests only is added to the catalogue, and everything that goes by names knows it.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "solvers/automatic/cost_model.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "tests/solvers/catalogue/richardson.hpp"
#include "tests/solvers/core/list_fields.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {
namespace {

SolverOptions options(const char* method) {
  SolverOptions o;
  o.method = method;
  o.norm = "relative-2";
  o.tolerance = 1e-4;
  return o;
}

/// Eigenvalues between 2 and 10.
HostCsr easy(double wind = 0) { return five_point_matrix(9, {-1, -1 - wind, 6, -1, -1}); }

std::string refusal(const SolverOptions& o, const HostCsr& matrix) {
  Backend be;
  const auto A = make_operator<Backend, double>("csr", be, matrix);
  try {
    make_solver<Backend, double>(o, be, *A);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

template <class T>
Report solve(const SolverOptions& o) {
  Backend be;
  const HostCsr matrix = easy();
  const auto A = make_operator<Backend, T>("csr", be, matrix);
  const auto solver = make_solver<Backend, T>(o, be, *A);
  const auto M = make_outer_preconditioner<Backend, T>(o, be, *A);
  const auto b = to_list<T>(be, A->extent(), random_values(std::size_t(matrix.rows), 3));
  Field<Backend, T> x(be, A->extent());
  return solver->solve(*A, M.get(), b, x, true);
}

TEST(ToyMethod, IsInTheListsWhileItIsRegistered) {
  const std::size_t own = solver_methods().size(), words = option::steps_of.words.size();
  {
    const WithRichardson registered;
    EXPECT_EQ(solver_methods().size(), own + 1);
    EXPECT_EQ(solver_methods().back().name, "richardson");
    ASSERT_NE(find_method("richardson"), nullptr);
    EXPECT_EQ(work_of(options("richardson")).moved, 7);
    EXPECT_EQ(option::steps_of.words.size(), words + 1);
    EXPECT_EQ(option::steps_of.words.back(), "richardson");
    EXPECT_EQ(option::steps_of.words.front(), "jacobi");
  }
  EXPECT_EQ(find_method("richardson"), nullptr);
  EXPECT_EQ(solver_methods().size(), own);
  EXPECT_EQ(option::steps_of.words.size(), words);
  EXPECT_TRUE(contains(refusal(options("richardson"), easy()), "unknown method 'richardson'; one of: cg, "));
}

TEST(ToyMethod, IsCheckedAsItsRowSays) {
  const WithRichardson registered;
  EXPECT_EQ(refusal(options("richardson"), easy()), "");
  EXPECT_TRUE(
      contains(refusal(options("richardson"), easy(0.5)),
               "method: richardson needs a symmetric matrix, and this one is not; methods that fit: "));
  SolverOptions o = options("richardson");
  o.preconditioner.type = "jacobi";
  EXPECT_TRUE(contains(refusal(o, easy()), "method: richardson takes no preconditioner"));
  o = options("cg");
  o.choices.numbers["richardson-weight"] = 0.1;
  EXPECT_TRUE(contains(refusal(o, easy()), "remove it, or choose one of richardson"));
  o.method = "richardson";
  EXPECT_EQ(refusal(o, easy()), "");
}

TEST(ToyMethod, SolvesASystemInBothPrecisions) {
  const WithRichardson registered;
  const Report r = solve<double>(options("richardson")), single = solve<float>(options("richardson"));
  for (const Report& each : {r, single}) {
    EXPECT_EQ(each.status, Status::converged) << word(each.status);
    EXPECT_LE(each.relative_residual(), 1e-4);
    EXPECT_GT(each.iterations, 5);
    EXPECT_LT(each.iterations, 40);
  }
  SolverOptions slow = options("richardson"), mixed = options("richardson");
  slow.choices.numbers["richardson-weight"] = 0.04;
  EXPECT_GT(solve<double>(slow).iterations, 2 * r.iterations);
  mixed.mixed = true;
  mixed.tolerance = 1e-9;
  EXPECT_EQ(solve<double>(mixed).status, Status::converged);
}

TEST(ToyMethod, ServesAsStepsOfAPreconditioner) {
  const WithRichardson registered;
  SolverOptions with = options("cg");
  with.preconditioner.type = "steps";
  with.preconditioner.choices.words["method"] = "richardson";
  with.preconditioner.choices.numbers["steps"] = 3;
  const Report r = solve<double>(with);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LT(2 * r.iterations, solve<double>(options("cg")).iterations + 2);
}

TEST(ToyMethod, IsOneThatAutoConsidersIfItsRowSaysSo) {
  SystemFacts facts;
  facts.matrix.structure = Structure::wave_system;
  facts.points = 1e4, facts.nx = facts.ny = 100;
  facts.bounds = {1, 50};
  const auto last = [&] { return candidates_for(options("auto"), facts).back(); };
  EXPECT_NE(last().name, "richardson");
  const WithRichardson registered;
  EXPECT_EQ(last().name, "richardson");
  EXPECT_GT(last().estimate.each, 0);
  facts.matrix.structure = Structure::any;
  EXPECT_NE(last().name, "richardson");
}

TEST(ToyMethod, TakesNoNameThatIsTakenAndRemovesNoOther) {
  const WithRichardson registered;
  const auto refusal_of = [](const MethodOn<Backend, double>& in_double,
                             const MethodOn<Backend, float>& in_single) {
    try {
      register_method<Backend>(in_double, in_single);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  auto in_double = richardson<Backend, double>();
  auto in_single = richardson<Backend, float>();
  EXPECT_TRUE(contains(refusal_of(in_double, in_single), "'richardson' is in the catalogue already"));
  in_double.row.name = in_single.row.name = "cg";
  EXPECT_TRUE(contains(refusal_of(in_double, in_single), "'cg' is in the catalogue already"));
  in_double.row.name = in_single.row.name = "other";
  in_single.make = nullptr;
  EXPECT_TRUE(contains(refusal_of(in_double, in_single), "'other' has no maker"));
  EXPECT_EQ(find_method("other"), nullptr);
  EXPECT_THROW(unregister_method<Backend>("cg"), InputError);
  EXPECT_THROW(unregister_method<Backend>("other"), InputError);
  EXPECT_NE(find_method("cg"), nullptr);
}

}  // namespace
}  // namespace wavesim::test
