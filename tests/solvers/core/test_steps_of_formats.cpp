// Steps and products of each format on grids of all small sizes: vectors are taken in packs, rows in tiles, and these have none, a part
// of one, one and a rest. The rows are those of the dense matrix that is put together by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/catalogue/make.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {
namespace {

using Dense = std::vector<std::vector<double>>;
using Values = std::vector<double>;
constexpr double a = 0.5, b = 0.75;

double row_times(const Dense& A, std::size_t i, const Values& x) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += A[i][j] * x[j];
  return sum;
}

/// Shapes with 1 to 19 points along one axis and a few along the other, with edges of every kind.
std::vector<Shape> small_shapes() {
  using enum Side;
  std::vector<Shape> all;
  for (int n = 1; n <= 19; ++n) {
    all.push_back({n, 6, {fixed, free, fixed, fixed}, false});
    all.push_back({5, n, {free, fixed, free, fixed}, false});
    if (n > 2) all.push_back({n, 4, {periodic, periodic, fixed, free}, false});
    if (n > 2) all.push_back({7, n, {fixed, free, periodic, periodic}, false});
  }
  return all;
}

/// f(host, A, format, operator) for each shape and each format.
template <class F>
void for_all(Backend& be, const std::vector<Shape>& shapes, F f) {
  for (const Shape& shape : shapes) {
    const HostProblem host(shape);
    const Problem<double> problem(be, host);
    const Dense A = host.dense(a, b);
    for (const Format& format : formats_of_rows()) {
      SCOPED_TRACE(std::string(format.name) + ", " + std::to_string(shape.nx) + " x " +
                   std::to_string(shape.ny));
      const auto op =
          make_operator<Backend, double>(std::string(format.name), be, host.e, problem.coefficients);
      op->assemble(a, b);
      f(host, A, *op);
    }
  }
}

void expect_near(const Field<Backend, double>& field, const Values& expected) {
  const Values found = from_field(field);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-13 * (1 + std::abs(expected[i]))) << i;
}

void expect_norms(const Norms& found, const Dense& A, const Values& rhs, const Values& x) {
  double squares = 0, largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double r = rhs[i] - row_times(A, i, x);
    squares += r * r;
    largest = std::max(largest, std::abs(r));
  }
  EXPECT_NEAR(found.squares, squares, 1e-12 * squares);
  EXPECT_NEAR(found.largest, largest, 1e-12 * largest);
}

TEST(StepsOfFormats, AThreeTermRecurrenceIsWhatTheRowsSayAndItsNormsAreOfTheLastStep) {
  Backend be;
  for_all(be, small_shapes(),
          [&](const HostProblem& host, const Dense& A, const Operator<Backend, double>& op) {
            const std::size_t n = A.size();
            const Values rhs = random_values(n, 1), first = random_values(n, 2), second = random_values(n, 3);
            const auto rhs_there = to_field<double>(be, host.e, rhs);
            Buffer<Backend, Norms> norms(be, 1);
            for (const int count : {2, 4}) {
              std::vector<ThreeTerm> steps;
              for (int k = 0; k < count; ++k) steps.push_back({0.125 * (k + 1), 0.75 - 0.125 * k});
              auto x = to_field<double>(be, host.e, first), before = to_field<double>(be, host.e, second);
              op.sweeps(rhs_there, x, before, steps, norms.data(), {});
              Values now = first, then = second, next(n);
              for (int k = 0; k < count; ++k) {
                for (std::size_t i = 0; i < n; ++i)
                  next[i] = now[i] + steps[k].momentum * (now[i] - then[i]) +
                            steps[k].weight * (rhs[i] - row_times(A, i, now)) / A[i][i];
                then = now;
                now = next;
              }
              expect_near(x, now);
              expect_near(before, then);
              expect_norms(norms.download()[0], A, rhs, then);  // that the last step started from
            }
          });
}

TEST(StepsOfFormats, ProductsResidualsAndJacobiStepsAreWhatTheRowsSay) {
  Backend be;
  for_all(
      be, small_shapes(), [&](const HostProblem& host, const Dense& A, const Operator<Backend, double>& op) {
        const std::size_t n = A.size();
        const Values rhs = random_values(n, 1), x = random_values(n, 2);
        const auto rhs_there = to_field<double>(be, host.e, rhs), x_there = to_field<double>(be, host.e, x);
        Field<Backend, double> y(be, host.e), r(be, host.e), after(be, host.e);
        Buffer<Backend, Norms> norms(be, 1);
        op.apply(x_there, y);
        op.residual(rhs_there, x_there, &r, norms.data());
        expect_norms(norms.download()[0], A, rhs, x);
        op.relax(rhs_there, x_there, after, 0.625, norms.data(), {});
        expect_norms(norms.download()[0], A, rhs, x);
        Values product(n), residual(n), relaxed(n);
        for (std::size_t i = 0; i < n; ++i) {
          product[i] = row_times(A, i, x);
          residual[i] = rhs[i] - product[i];
          relaxed[i] = x[i] + 0.625 * residual[i] / A[i][i];
        }
        expect_near(y, product);
        expect_near(r, residual);
        expect_near(after, relaxed);
      });
}

/// One sweep of Gauss and Seidel over the points in an order.
Values swept(const Dense& A, const Values& rhs, Values x, const std::vector<int>& order) {
  for (const int i : order) x[i] += (rhs[i] - row_times(A, i, x)) / A[i][i];
  return x;
}

TEST(StepsOfFormats, SweepsInNaturalOrderAndRedBeforeBlackAreWhatTheRowsSay) {
  Backend be;
  for_all(be, small_shapes(),
          [&](const HostProblem& host, const Dense& A, const Operator<Backend, double>& op) {
            const std::size_t n = A.size();
            const Values rhs = random_values(n, 1), x = random_values(n, 2);
            const auto rhs_there = to_field<double>(be, host.e, rhs);
            std::vector<int> natural, coloured;
            for (int i = 0; i < int(n); ++i) natural.push_back(i);
            for (const int colour : {0, 1})
              for (const int i : natural)
                if ((i / host.e.nx + i % host.e.nx) % 2 == colour) coloured.push_back(i);

            const auto solved = [&](const char* order) {
              SolverOptions o;
              o.method = "gauss-seidel";
              o.choices.words["order"] = order;
              o.tolerance = 1e-300;
              o.max_iterations = 1;
              auto there = to_field<double>(be, host.e, x);
              make_solver<Backend, double>(o, be, op)->solve(op, nullptr, rhs_there, there, false);
              return there;
            };
            expect_near(solved("natural"), swept(A, rhs, x, natural));
            const bool wraps_oddly =
                (host.topology.wrap_x && host.e.nx % 2) || (host.topology.wrap_y && host.e.ny % 2);
            EXPECT_EQ(red_black(host.topology), !wraps_oddly);
            if (wraps_oddly) return;
            expect_near(solved("colours"), swept(A, rhs, x, coloured));
            auto there = to_field<double>(be, host.e, x);
            for (const int colour : {0, 1}) op.relax_colour(rhs_there, there, 1, colour);
            expect_near(there, swept(A, rhs, x, coloured));
          });
}

}  // namespace
}  // namespace wavesim::test
