// Other stencils than that of the wave system go through every format: a nine-point box, and a star that
// reaches four points far.

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

#include "kernels/backend/backend.hpp"
#include "kernels/formats/converted.hpp"
#include "kernels/formats/dia.hpp"
#include "kernels/formats/ell.hpp"
#include "kernels/formats/extract_csr.hpp"
#include "kernels/formats/hybrid.hpp"
#include "kernels/formats/sell_p.hpp"
#include "kernels/formats/stencil.hpp"
#include "solvers/formats/row_passes.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {

/// The point itself in the middle, as in a row of the matrix.
struct StarOfFour {
  static constexpr int points = 17;
  HD static constexpr Offset offset(int k) {
    if (k < 4) return {0, k - 4};
    if (k > 12) return {0, k - 12};
    return {k - 8, 0};
  }
};

/// A system whose entries are a formula of the point and of the place in its row; some inside the grid are
/// zero, and so is what leaves it.
template <class T, class S>
struct MadeUpSystem {
  using value = T;
  using Stencil = S;
  static constexpr bool uniform = false;
  static constexpr int words = 0;
  Topology grid;

  HD static int magnitude(int d) { return d < 0 ? -d : d; }
  HD T entry(int col, int row, int k) const {
    const Offset o = S::offset(k);
    const bool leaves_x = col + o.dx < 0 || col + o.dx >= grid.nx,
               leaves_y = row + o.dy < 0 || row + o.dy >= grid.ny;
    if ((leaves_x && grid.wrap_x == 0) || (leaves_y && grid.wrap_y == 0)) return 0;
    const int mixed = (col * 7 + row * 13 + k * 5) % 23;
    if (k != centre<S> && mixed == 4) return 0;
    return k == centre<S> ? T(3) + T(mixed) / 8 : T(mixed - 11) / 16;
  }
  HD StencilRow<T, S> row(Row r) const {
    StencilRow<T, S> a = {};
    for (int k = 0; k < S::points; ++k) a.at[k] = entry(r.col, r.row, k);
    return a;
  }
  HD const Topology& topology() const { return grid; }
  bool edges() const { return true; }
};

template <class T, class View>
void multiply(Backend& be, Extent e, const View& A, const Field<Backend, T>& x, Field<Backend, T>& y) {
  bool edges = false;
  if constexpr (requires { A.edges; }) edges = A.edges;
  const T* xs = x.data();
  be.rows(
      "y = A x", Rows{e, edges}, 0, [=] KERNEL(Row r, T & yi) { yi = A.row(r, Gather<T>{xs}); }, y.out());
}
template <class T, class View>
void diagonal_of(Backend& be, Extent e, const View& A, Field<Backend, T>& y) {
  be.rows(
      "y = diag A", e, A.bytes, [=] KERNEL(Row r, T & yi) { yi = diagonal<T>(A, r); }, y.out());
}

/// All that a format does with one system, beside the same matrix as a dense one.
template <class T, class S>
class OnGrid {
 public:
  OnGrid(int nx, int ny, bool periodic_x, bool periodic_y)
      : e_(make_extent(nx, ny)),
        system_{{nx, ny, periodic_x ? nx : 0, periodic_y ? ny * e_.pitch : 0}},
        dense_(std::size_t(nx * ny), std::vector<double>(std::size_t(nx * ny), 0)),
        x_(random_values(dense_.size(), 7)) {
    for (int row = 0; row < ny; ++row)
      for (int col = 0; col < nx; ++col)
        for (int k = 0; k < S::points; ++k)
          if (const double a = system_.entry(col, row, k); a != 0) {
            const Offset o = S::offset(k);
            const int c = (col + o.dx + nx) % nx, r = (row + o.dy + ny) % ny;
            dense_[std::size_t(row) * nx + col][std::size_t(r) * nx + c] += a;
          }
  }

  void check_all_formats() {
    const bool periodic = system_.grid.wrap_x != 0 || system_.grid.wrap_y != 0;
    StencilView<MadeUpSystem<T, S>> stencil;
    stencil.set(system_);
    check("stencil", stencil);
    if (periodic)
      check_transposed("dia", assembled<StencilDia<Backend, T, S, true>>());
    else
      check_transposed("dia", assembled<StencilDia<Backend, T, S, false>>());
    check("ellpack-r", assembled<StencilEllpackR<Backend, T, S>>().view());
    check("csr", assembled<Csr<Backend, T>>().view());
    check("ell", assembled<Converted<Backend, T, Ell<Backend, T>>>().view());
    check("sell-p", assembled<Converted<Backend, T, SellP<Backend, T>>>().view());
    check("hybrid", assembled<Converted<Backend, T, Hybrid<Backend, T>>>().view());
    // the same matrix as one of any kind: its rows are no longer in the stencil's order
    const auto csr = assembled<Csr<Backend, T>>();
    first_.clear();
    check_transposed("dia of any matrix", Dia<Backend, T>(be_, e_, csr));
    first_.clear();
    check("ellpack-r of any matrix", Converted<Backend, T, EllpackR<Backend, T>>(be_, e_, csr).view());
    first_.clear();
    check("csr out of stencil", extract_csr<T>(be_, e_, stencil).view());
  }

 private:
  template <class Storage>
  Storage assembled() {
    Storage s(be_, e_, system_);
    s.assemble(be_, e_, system_);
    return s;
  }
  template <class View>
  void check(const char* name, const View& A) {
    SCOPED_TRACE(name);
    Field<Backend, T> y(be_, e_), d(be_, e_);
    multiply(be_, e_, A, to_field<T>(be_, e_, x_), y);
    near(from_field(y), false);
    if (first_.empty()) first_ = from_field(y);
    EXPECT_EQ(from_field(y), first_) << "not the bits of another format";
    diagonal_of(be_, e_, A, d);
    const std::vector<double> diagonals = from_field(d);
    for (int i = 0; i < int(diagonals.size()); ++i)
      EXPECT_EQ(diagonals[std::size_t(i)], system_.entry(i % e_.nx, i / e_.nx, centre<S>)) << i;
  }
  template <class Storage>
  void check_transposed(const char* name, const Storage& A) {
    check(name, A.view());
    SCOPED_TRACE(name);
    Field<Backend, T> y(be_, e_);
    multiply(be_, e_, A.view().transposed(), to_field<T>(be_, e_, x_), y);
    near(from_field(y), true);
  }
  void near(const std::vector<double>& y, bool transposed) const {
    for (std::size_t i = 0; i < dense_.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < dense_.size(); ++j)
        sum += (transposed ? dense_[j][i] : dense_[i][j]) * double(T(x_[j]));
      EXPECT_NEAR(y[i], sum, 60 * std::numeric_limits<T>::epsilon())
          << i << (transposed ? ", transposed" : "");
    }
  }

  Backend be_;
  Extent e_;
  MadeUpSystem<T, S> system_;
  std::vector<std::vector<double>> dense_;
  std::vector<double> x_, first_;
};

/// `least`: more points along an axis than a stencil reaches to both sides, so that round a periodic axis no
/// two of its points are the same.
template <class T, class S>
void check_on_all_grids(int least) {
  for (int axes = 0; axes < 4; ++axes)
    for (const auto& [nx, ny] : {std::array{least, least + 1}, {17, least}, {least + 1, 12}, {18, 15}}) {
      SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(ny) + ", periodic axes " +
                   std::to_string(axes));
      OnGrid<T, S>(nx, ny, (axes & 1) != 0, (axes & 2) != 0).check_all_formats();
    }
}

template <class T>
class Stencils : public testing::Test {};
using StencilPrecisions = testing::Types<double, float>;
TYPED_TEST_SUITE(Stencils, StencilPrecisions);

TYPED_TEST(Stencils, OfFivePointsInAnyFormatGiveTheProductOfTheDenseMatrix) {
  check_on_all_grids<TypeParam, FivePoint>(3);
}
TYPED_TEST(Stencils, OfANinePointBoxInAnyFormatGiveTheProductOfTheDenseMatrix) {
  check_on_all_grids<TypeParam, NinePoint>(3);
}
TYPED_TEST(Stencils, OfAStarOfRadiusFourInAnyFormatGiveTheProductOfTheDenseMatrix) {
  check_on_all_grids<TypeParam, StarOfFour>(9);
}

TEST(StencilFacts, KnowTheirWidthAndWhetherTheyLeaveTheGhostRows) {
  static_assert(radius<FivePoint> == 1 && next_door<FivePoint> && centre<FivePoint> == FivePoint::centre);
  static_assert(radius<NinePoint> == 1 && !next_door<NinePoint> && centre<NinePoint> == 4);
  static_assert(radius<StarOfFour> == 4 && !next_door<StarOfFour> && centre<StarOfFour> == 8);
  static_assert(StencilDiagonals<FivePoint, false>::count == 5);
  static_assert(StencilDiagonals<FivePoint, true>::count == 9);
  static_assert(StencilDiagonals<NinePoint, true>::count == 1 + 4 * 2 + 4 * 4);
  static_assert(StencilDiagonals<StarOfFour, true>::count == 1 + 16 * 2);
}

}  // namespace wavesim::test
