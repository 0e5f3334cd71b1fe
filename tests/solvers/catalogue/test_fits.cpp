// Every method with every preconditioner on every kind of matrix: taken or refused as the table by hand
// (fits.hpp) says.
#include "tests/solvers/catalogue/fits.hpp"

#include <gtest/gtest.h>

#include <set>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "solvers/catalogue/make.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {
namespace {

using fits::Matrix;

constexpr Matrix matrices[]{fits::unsymmetric, fits::symmetric, fits::wave, fits::rectangle};
const char* word(Matrix m) {
  return std::array{"an unsymmetric matrix", "a symmetric matrix", "a wave system", "a rectangle"}[m];
}

/// One matrix of each kind, small and dominated by its diagonal.
template <class T>
class Kinds {
 public:
  explicit Kinds(Backend& be)
      : host_({7, 6, {Side::fixed, Side::fixed, Side::free, Side::fixed}, false}), problem_(be, host_) {
    all_[fits::unsymmetric] =
        make_operator<Backend, T>("csr", be, five_point_matrix(6, {-1.2, -1.1, 4.5, -0.9, -0.8}));
    all_[fits::symmetric] = make_operator<Backend, T>("csr", be, five_point_matrix(6, {-1, -1, 4.5, -1, -1}));
    auto varying = make_operator<Backend, T>("stencil", be, host_.e, problem_.coefficients);
    varying->assemble(0.5, 0.5);
    all_[fits::wave] = std::move(varying);
    UniformCoefficients<T> c;
    c.topology = {7, 6, 0, 0};
    c.mass = c.face_x = c.face_y = 1;
    for (T& edge : c.edge) edge = -1;
    auto constant = make_operator<Backend, T>("stencil", be, make_extent(7, 6), c);
    constant->assemble(0.5, 0.5);
    all_[fits::rectangle] = std::move(constant);
  }
  const Operator<Backend, T>& operator[](Matrix m) const { return *all_[m]; }

 private:
  HostProblem host_;
  Problem<T> problem_;
  std::array<std::unique_ptr<Operator<Backend, T>>, 4> all_;
};

/// Why the pair is refused, in its making, its set-up or its first solve; empty if it is taken.
template <class T>
std::string refusal(Backend& be, const Operator<Backend, T>& A, const SolverOptions& o) {
  try {
    const auto solver = make_solver<Backend, T>(o, be, A);
    const auto M = make_outer_preconditioner<Backend, T>(o, be, A);
    const auto b = to_field<T>(be, A.extent(), random_values(std::size_t(A.extent().points()), 3));
    Field<Backend, T> x(be, A.extent());
    solver->solve(A, M.get(), b, x, true);
  } catch (const InputError& e) {
    return e.what()[0] ? e.what() : "refused without a word";
  }
  return "";
}

SolverOptions options(std::string_view method, std::string_view preconditioner) {
  SolverOptions o;
  o.method = method;
  o.preconditioner.type = preconditioner;
  o.tolerance = 1e-3;
  o.max_iterations = 20;
  return o;
}

template <class T>
void expect_solves(Backend& be, const Operator<Backend, T>& A, const SolverOptions& o, bool taken,
                   const std::string& what) {
  const std::string why = refusal(be, A, o);
  EXPECT_EQ(why.empty(), taken) << what << ": " << (why.empty() ? "is taken" : why);
  // The catalogue knows it before anything is made, but for factors of symmetric matrices.
  const std::string& M = o.preconditioner.type;
  if (!A.facts().symmetric && (M == "ic0" || M == "parict")) return;
  EXPECT_EQ(incompatibility(o, A.facts()).empty(), taken) << what << ": " << incompatibility(o, A.facts());
}

TEST(Fits, TheTableHasARowOrAColumnForEveryNameOfTheCatalogue) {
  std::set<std::string_view> rows;
  for (const fits::Row& row : fits::with_preconditioners) {
    rows.insert(row.method);
    EXPECT_EQ(fits::width(row), fits::preconditioners.size()) << row.method;
  }
  for (const fits::Row& row : fits::with_steps) EXPECT_EQ(fits::width(row), fits::methods_of_steps.size());
  EXPECT_EQ(rows.size(), fits::with_preconditioners.size());
  for (const Method& m : solver_methods()) EXPECT_TRUE(rows.count(m.name)) << m.name;
  EXPECT_EQ(solver_methods().size(), rows.size());
  for (const PreconditionerEntry& p : solver_preconditioners())
    EXPECT_LT(fits::column(fits::preconditioners, p.name), fits::preconditioners.size()) << p.name;
  EXPECT_EQ(solver_preconditioners().size(), fits::preconditioners.size());
}

template <class T>
class Fits : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(Fits, Precisions);

TYPED_TEST(Fits, EachMethodTakesTheFullListOfPreconditionersForEachKindOfMatrix) {
  using T = TypeParam;
  Backend be;
  const Kinds<T> kinds(be);
  for (const fits::Row& row : fits::with_preconditioners)
    for (const std::string_view preconditioner : fits::preconditioners)
      for (const Matrix matrix : matrices)
        expect_solves<T>(
            be, kinds[matrix], options(row.method, preconditioner),
            fits::taken(row.method, preconditioner, matrix, sizeof(T) == 4),
            std::string(row.method) + " with " + std::string(preconditioner) + " on " + word(matrix));
}

TYPED_TEST(Fits, EachMethodTakesStepsOfEachOtherForEachKindOfMatrix) {
  using T = TypeParam;
  Backend be;
  const Kinds<T> kinds(be);
  for (const fits::Row& row : fits::with_preconditioners)
    for (std::size_t k = 0; k < fits::methods_of_steps.size(); ++k)
      for (const Matrix matrix : matrices) {
        SolverOptions o = options(row.method, "steps");
        o.preconditioner.choices.words["method"] = fits::methods_of_steps[k];
        expect_solves<T>(be, kinds[matrix], o,
                         fits::taken(fits::cell(fits::with_steps, row.method, k), matrix, sizeof(T) == 4),
                         std::string(row.method) + " with steps of " +
                             std::string(fits::methods_of_steps[k]) + " on " + word(matrix));
      }
}

/// A solve in single precision within one in double: not for what holds one itself, nor in single precision.
TYPED_TEST(Fits, MixedPrecisionIsForMethodsThatHaveNoneOfTheirOwn) {
  using T = TypeParam;
  Backend be;
  const Kinds<T> kinds(be);
  for (const fits::Row& row : fits::with_preconditioners)
    for (const std::string_view preconditioner : fits::preconditioners) {
      SolverOptions o = options(row.method, preconditioner);
      o.mixed = true;
      const char cell = fits::cell(fits::with_preconditioners, row.method,
                                   fits::column(fits::preconditioners, preconditioner));
      const bool own = cell >= 'A' && cell <= 'Z';
      EXPECT_EQ(refusal<T>(be, kinds[fits::rectangle], o).empty(), sizeof(T) == 8 && cell != '.' && !own)
          << row.method << " with " << preconditioner;
    }
}

}  // namespace
}  // namespace wavesim::test
