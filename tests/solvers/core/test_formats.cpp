#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "kernels/formats/csr.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/catalogue/make.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {
namespace {

template <class T>
class Formats : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(Formats, Precisions);

constexpr double a = 0.5, b = 0.75;

TYPED_TEST(Formats, EachGivesTheProductOfTheDenseMatrixBuiltByHand) {
  using T = TypeParam;
  Backend be;
  for (const Shape& shape : shapes()) {
    const HostProblem host(shape);
    const Problem<T> problem(be, host);
    const auto A = host.dense(a, b);
    const std::vector<double> x = random_values(A.size(), 3);
    for (const Format& format : formats_of_rows()) {
      const auto op = make_operator<Backend, T>(std::string(format.name), be, host.e, problem.coefficients);
      op->assemble(a, b);
      const auto xf = to_field<T>(be, host.e, x);
      Field<Backend, T> yf(be, host.e);
      op->apply(xf, yf);
      const std::vector<double> y = from_field(yf);
      for (std::size_t i = 0; i < A.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < A.size(); ++j) sum += A[i][j] * x[j];
        EXPECT_NEAR(y[i], sum, 30 * std::numeric_limits<T>::epsilon())
            << format.name << " " << shape.nx << " x " << shape.ny;
      }
    }
  }
}

TYPED_TEST(Formats, AllGiveTheSameBits) {
  using T = TypeParam;
  Backend be;
  for (const Shape& shape : shapes()) {
    const HostProblem host(shape);
    const Problem<T> problem(be, host);
    const auto x = to_field<T>(be, host.e, random_values(host.e.points(), 4));
    std::vector<double> first;
    for (const Format& format : formats_of_rows()) {
      const auto op = make_operator<Backend, T>(std::string(format.name), be, host.e, problem.coefficients);
      op->assemble(a, b);
      Field<Backend, T> y(be, host.e);
      op->apply(x, y);
      if (first.empty()) first = from_field(y);
      EXPECT_EQ(from_field(y), first) << format.name;
    }
  }
}

TYPED_TEST(Formats, AssembledMatrixIsSymmetricToTheBitForEveryMixOfEdgesAndShapes) {
  using T = TypeParam;
  Backend be;
  for (const Shape& shape : shapes()) {
    if (shape.nx * shape.ny > 200) continue;
    const HostProblem host(shape);
    const Problem<T> problem(be, host);
    for (const Format& format : formats_of_rows()) {
      const auto op = make_operator<Backend, T>(std::string(format.name), be, host.e, problem.coefficients);
      op->assemble(a, b);
      const std::size_t n = host.e.points();
      std::vector<std::vector<double>> columns;
      for (std::size_t j = 0; j < n; ++j) {
        std::vector<double> unit(n, 0);
        unit[j] = 1;
        Field<Backend, T> y(be, host.e);
        op->apply(to_field<T>(be, host.e, unit), y);
        columns.push_back(from_field(y));
      }
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(columns[i][j], columns[j][i]) << format.name;
    }
  }
}

TYPED_TEST(Formats, ResidualAndDotsAreThoseOfTheProduct) {
  using T = TypeParam;
  Backend be;
  const HostProblem host(shapes().back());
  const Problem<T> problem(be, host);
  const auto x = to_field<T>(be, host.e, random_values(host.e.points(), 5));
  const auto rhs = to_field<T>(be, host.e, random_values(host.e.points(), 6));
  for (const Format& format : formats_of_rows()) {
    const auto op = make_operator<Backend, T>(std::string(format.name), be, host.e, problem.coefficients);
    op->assemble(a, b);
    Field<Backend, T> y(be, host.e), r(be, host.e);
    Buffer<Backend, double> dots(be, 2);
    Buffer<Backend, Norms> norms(be, 1);
    op->apply(x, y, {rhs.data(), dots.data(), dots.data() + 1});
    op->residual(rhs, x, &r, norms.data());
    const auto ys = from_field(y), rs = from_field(r), bs = from_field(rhs);
    double wy = 0, yy = 0, rr = 0, largest = 0;
    for (std::size_t i = 0; i < ys.size(); ++i) {
      wy += bs[i] * ys[i];
      yy += ys[i] * ys[i];
      EXPECT_NEAR(rs[i], bs[i] - ys[i], 1e-12 + 10 * std::numeric_limits<T>::epsilon());
      rr += rs[i] * rs[i];
      largest = std::max(largest, std::abs(rs[i]));
    }
    EXPECT_NEAR(dots.download()[0], wy, 1e-11 * yy);
    EXPECT_NEAR(dots.download()[1], yy, 1e-11 * yy);
    EXPECT_NEAR(norms.download()[0].squares, rr, 1e-11 * rr);
    EXPECT_EQ(norms.download()[0].largest, largest);
  }
}

TEST(UniformCoefficients, GiveTheSameMatrixAsTheSameMediumInArrays) {
  Backend be;
  const Extent e = make_extent(9, 7);
  UniformCoefficients<double> uniform;
  uniform.topology = {9, 7, 0, 0};
  uniform.mass = 1;
  uniform.damping = 0.25;
  uniform.face_x = 2;
  uniform.face_y = 3;
  uniform.edge[0] = -2;  // left fixed, right free and radiating, bottom free, top fixed
  uniform.edge[3] = -3;
  uniform.half[1] = uniform.half[2] = 0.5;
  uniform.radiation[1] = 0.125;
  HostProblem host({9, 7, {Side::fixed, Side::free, Side::free, Side::fixed}, false});
  for (int row = 0; row < 7; ++row)
    for (int col = 0; col < 9; ++col) {
      const double width = col == 8 ? 0.5 : 1, height = row == 0 ? 0.5 : 1;
      host.mass[host.at(col, row)] = width * height;
      host.damping[host.at(col, row)] = 0.25 * width * height + (col == 8 ? 0.125 * height : 0);
      host.east[host.at(col, row)] = col == 8 ? 0 : 2 * height;
      host.north[host.at(col, row)] = (row == 6 ? -3 : 3) * width;
      if (col == 0) host.east[host.at(-1, row)] = -2 * height;
      if (row == 0) host.north[host.at(col, -1)] = 0;
    }
  const Problem<double> arrays(be, host);
  const auto x = to_field<double>(be, e, random_values(63, 9));
  for (const Format& format : formats_of_rows()) {
    const auto A = make_operator<Backend, double>(std::string(format.name), be, e, uniform);
    const auto B = make_operator<Backend, double>(std::string(format.name), be, e, arrays.coefficients);
    A->assemble(a, b);
    B->assemble(a, b);
    Field<Backend, double> y(be, e), z(be, e);
    A->apply(x, y);
    B->apply(x, z);
    EXPECT_EQ(from_field(y), from_field(z)) << format.name;
  }
}

TEST(UniformCoefficients, NeedNoCareOfEdgesThatAreAllFixed) {
  Backend be;
  const Extent e = make_extent(300, 37);
  UniformCoefficients<double> fixed;
  fixed.topology = {300, 37, 0, 0};
  fixed.face_x = 2;
  fixed.face_y = 3;
  for (int side = 0; side < 4; ++side) fixed.edge[side] = side < 2 ? -2 : -3;
  EXPECT_FALSE(fixed.edges());
  for (int side = 0; side < 4; ++side) {
    UniformCoefficients<double> other = fixed;
    other.radiation[side] = 0.5;
    EXPECT_TRUE(other.edges());
    other = fixed;
    other.half[side] = 0.5;
    EXPECT_TRUE(other.edges());
    other = fixed;
    other.edge[side] = 0;
    EXPECT_TRUE(other.edges());
    (side < 2 ? fixed.topology.wrap_x : fixed.topology.wrap_y) = 1;
    EXPECT_TRUE(fixed.edges());
    fixed.topology = {300, 37, 0, 0};
  }
  // `stencil` then takes all rows for inner ones; stored formats have rows of their own at the edges
  const auto x = to_field<double>(be, e, random_values(300 * 37, 9)),
             z = to_field<double>(be, e, random_values(300 * 37, 10));
  std::vector<double> products, directions;
  double square = 0;
  for (const Format& format : formats_of_rows()) {
    const auto A = make_operator<Backend, double>(std::string(format.name), be, e, fixed);
    A->assemble(a, b);
    Field<Backend, double> y(be, e), p(be, e), q(be, e);
    Buffer<Backend, double> beta(be, 1), pq(be, 1);
    beta.upload({0.75});
    A->apply(x, y);
    A->direction(z, beta.data(), x, p, q, pq.data(), {});
    if (products.empty()) products = from_field(y), directions = from_field(p), square = pq.download()[0];
    EXPECT_EQ(from_field(y), products) << format.name;
    EXPECT_EQ(from_field(p), directions) << format.name;
    EXPECT_EQ(pq.download()[0], square) << format.name;
    A->direction(z, nullptr, x, p, q, pq.data(), {});
    EXPECT_EQ(from_field(p), from_field(z)) << format.name;
  }
}

TEST(Csr, RefusesMoreEntriesThanAnIntCounts) {
  Backend be;
  Buffer<Backend, int> counts(be, 3);
  counts.upload({2000000000, 2000000000, 0});
  EXPECT_THROW((Csr<Backend, double>(be, std::move(counts))), InputError);
}

}  // namespace
}  // namespace wavesim::test
