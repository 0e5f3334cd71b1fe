#pragma once
// Geometric multigrid for the five-point wave system (Brandt 1977; Trottenberg, Oosterlee & Schueller 2001):
// one V-cycle is a symmetric positive definite preconditioner. Red-black Gauss-Seidel before and, in the
// opposite order, after the coarse grid's correction; coarser grids as in coarsen.hpp. The mass term grows
// fourfold against the stiffness from grid to grid, so that after a few of them nothing is left to coarsen
// for.

#include <memory>
#include <string>
#include <vector>

#include "kernels/formats/stencil.hpp"
#include "solvers/multigrid/coarsen.hpp"
#include "solvers/preconditioner.hpp"
#include "solvers/preconditioners/inner_product.hpp"
#include "solvers/row_operator.hpp"

namespace wavesim {

/// The passes on one grid, whatever its coefficients.
template <class B, class T, class Coefficients>
struct GridPasses {
  using View = StencilView<T, Coefficients>;
  using Vector = Field<B, T>;
  B& be;
  Extent e;
  View A;

  /// One colour of a Gauss-Seidel sweep.
  void relax(int colour, const Vector& b, Vector& x) const {
    relax_one_colour<T>(be, e, A, b.data(), x.data(), 1, colour);
  }
  /// The first such sweep from x = 0, of the colour that goes first: the other colour is zero still.
  void relax_from_zero(int colour, const Vector& b, Vector& x) const {
    const View A = this->A;
    const T* bs = b.data();
    be.rows(
        "relax one colour from zero", e, View::bytes + sizeof(T),
        [=] HD(Row r, T & xi) { xi = ((r.col + r.row) & 1) == colour ? bs[r.i] / A.diag(r) : T(0); },
        x.out());
  }
  void residual(const Vector& b, const Vector& x, Vector& r) const {
    const View A = this->A;
    const T *bs = b.data(), *xs = x.data();
    be.rows(
        "r = b - A x", e, View::bytes + 2 * sizeof(T),
        [=] HD(Row w, T & ri) { ri = bs[w.i] - A.row(w, Gather<T>{xs}); }, r.out());
  }
  /// x += 0.8 D^-1 r: where two colours do not suffice, on a periodic axis of an odd number of points.
  void damped(const Vector& r, Vector& x) const {
    const View A = this->A;
    const T* rs = r.data();
    be.rows(
        "x += 0.8 D^-1 r", e, View::bytes + sizeof(T),
        [=] HD(Row w, T & xi) { xi += T(0.8) * (rs[w.i] / A.diag(w)); }, x.inout());
  }
  void restrict_to(const Transfer<T, Coefficients>& transfer, const Vector& r, Vector& coarse) const {
    const T* rs = r.data();
    be.rows(
        "b_coarse = P' r", coarse.extent(), 4 * View::bytes + 4 * sizeof(T),
        [=] HD(Row c, T & bi) {
          T sum = 0;
          transfer.each_fine(c.col, c.row, [&](Row f, T w) { sum = std::fma(w, rs[f.i], sum); });
          bi = sum;
        },
        coarse.out());
  }
  void correct_from(const Transfer<T, Coefficients>& transfer, const Vector& coarse, Vector& x) const {
    const T* es = coarse.data();
    be.rows(
        "x += P x_coarse", e, View::bytes + sizeof(T) / 4.0,
        [=] HD(Row r, T & xi) {
          T sum = 0;
          transfer.each_coarse(r, [&](int j, T w) { sum = std::fma(w, es[j], sum); });
          xi += sum;
        },
        x.inout());
  }
  void bounds(Bounds* to) const { gershgorin_bounds<T>(be, e, A, to); }
  void coarsen(const Transfer<T, Coefficients>& transfer, Extent to, T a, T b, T* mass, T* east,
               T* north) const {
    be.rows("coarsen", to, 4 * View::bytes,
            Coarsen<T, Coefficients>{transfer, a, b, mass, east, north, to.pitch});
  }
};

template <class B, class T>
class Multigrid final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  Multigrid(B& backend, const Operator<B, T>& A)
      : be_(backend), extent_(A.extent()), r_(backend, A.extent()) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    solve(r, z, rz);
    inner_product(be_, r, z, rz, after);
  }
  void solve(const Vector& r, Vector& z, double*) const override {
    if (finest_.uniform)
      cycle_on(0, passes(finest_.constant), r, z, r_);
    else
      cycle_on(0, passes(finest_.varying), r, z, r_);
  }
  int levels() const { return int(levels_.size()) + 1; }
  std::string describe() const override {
    std::string text = std::to_string(levels()) + " grids: " + size(extent_);
    if (!levels_.empty()) text += " down to " + size(levels_.back().e);
    return text;
  }
  static std::string size(const Extent& e) { return std::to_string(e.nx) + " x " + std::to_string(e.ny); }

 protected:
  void set_up(const Operator<B, T>& A) override {
    finest_ = *A.five_point();
    levels_.clear();
    Extent e = extent_;
    bool more = finest_.uniform ? add_level(passes(finest_.constant), e, T(finest_.a), T(finest_.b))
                                : add_level(passes(finest_.varying), e, T(finest_.a), T(finest_.b));
    while (more) {
      e = levels_.back().e;
      more = add_level(passes_of(levels_.back()), e, T(0), T(1));
    }
  }

 private:
  /// A coarser grid: its system, the vectors of the cycle there, and how it came from the one above.
  struct Level {
    Extent e;
    Coarsening x, y;
    Vector mass, east, north, solution, rhs, residual;
    VariableCoefficients<T> coefficients;
  };

  template <class C>
  GridPasses<B, T, C> passes(const C& c) const {
    StencilView<T, C> view;
    view.set({c, T(finest_.a), T(finest_.b)});
    return {be_, extent_, view};
  }
  GridPasses<B, T, VariableCoefficients<T>> passes_of(const Level& l) const {
    StencilView<T, VariableCoefficients<T>> view;
    view.set({l.coefficients, T(0), T(1)});
    return {be_, l.e, view};
  }
  template <class C>
  static Transfer<T, C> transfer(const C& c, Extent fine, const Level& to) {
    return {c, fine.nx, fine.ny, fine.pitch, to.x, to.y, to.e.nx, to.e.ny, to.e.pitch};
  }

  /// Adds the grid below `fine`, unless there is nothing to gain from one; says whether it did.
  template <class C>
  bool add_level(const GridPasses<B, T, C>& grid, Extent fine, T a, T b) {
    const Topology& t = grid.A.system.coefficients.topology;
    const auto axis = [](int n, bool wraps, bool wall) {
      Coarsening c{n, 0, wraps, n < (wraps ? 4 : 2)};
      if (!c.kept && !wraps && wall && n % 2 == 1 && n > 1) c.first = 1;
      return c;
    };
    if (!coupled(grid)) return false;
    Level l;
    l.x = axis(fine.nx, t.wrap_x != 0, held_at_first(grid.A.system.coefficients, fine, true));
    l.y = axis(fine.ny, t.wrap_y != 0, held_at_first(grid.A.system.coefficients, fine, false));
    if (l.x.kept && l.y.kept) return false;
    l.e = make_extent(l.x.coarse(), l.y.coarse());
    for (Vector* v : {&l.mass, &l.east, &l.north, &l.solution, &l.rhs, &l.residual}) *v = Vector(be_, l.e);
    l.coefficients = {{l.e.nx, l.e.ny, t.wrap_x != 0 ? l.e.nx : 0, t.wrap_y != 0 ? l.e.ny * l.e.pitch : 0},
                      l.mass.data(),
                      nullptr,
                      l.east.data(),
                      l.north.data()};
    grid.coarsen(transfer(grid.A.system.coefficients, fine, l), l.e, a, b, l.mass.data(), l.east.data(),
                 l.north.data());
    levels_.push_back(std::move(l));
    return true;
  }
  /// Whether couplings matter beside the masses: a few sweeps do the rest where they do not.
  template <class C>
  bool coupled(const GridPasses<B, T, C>& grid) const {
    Buffer<B, Bounds> bounds(be_, 1);
    grid.bounds(bounds.data());
    return !(bounds.download()[0].least > 0.5);
  }
  static bool held_at_first(const UniformCoefficients<T>& c, Extent, bool x) { return c.edge[x ? 0 : 2] < 0; }
  bool held_at_first(const VariableCoefficients<T>& c, Extent e, bool x) const {
    T face = 0;
    be_.download(&face, x ? c.east + std::ptrdiff_t(e.ny / 2) * e.pitch - 1 : c.north - e.pitch + e.nx / 2,
                 1);
    return face < 0;
  }

  static bool two_colours(const Topology& t) {
    return !(t.wrap_x != 0 && t.nx % 2 == 1) && !(t.wrap_y != 0 && t.ny % 2 == 1);
  }
  template <class C>
  void smooth(const GridPasses<B, T, C>& grid, int first, const Vector& b, Vector& x, Vector& r) const {
    if (two_colours(grid.A.system.coefficients.topology)) {
      grid.relax(first, b, x);
      grid.relax(1 - first, b, x);
    } else {
      for (int k = 0; k < 2; ++k) {
        grid.residual(b, x, r);
        grid.damped(r, x);
      }
    }
  }

  /// z = V(b) on the grid `depth` below the finest.
  template <class C>
  void cycle_on(std::size_t depth, const GridPasses<B, T, C>& grid, const Vector& b, Vector& z,
                Vector& r) const {
    if (two_colours(grid.A.system.coefficients.topology)) {
      grid.relax_from_zero(0, b, z);
      grid.relax(1, b, z);
    } else {
      be_.zero(z.memory().data(), z.memory().size());
      smooth(grid, 0, b, z, r);
    }
    if (depth == levels_.size()) {
      const int sweeps = grid.e.points() <= 256 ? 12 : 3;
      for (int k = 0; k < sweeps; ++k) smooth(grid, 0, b, z, r);
      for (int k = 0; k <= sweeps; ++k) smooth(grid, 1, b, z, r);
      return;
    }
    Level& l = levels_[depth];
    const Transfer<T, C> down = transfer(grid.A.system.coefficients, grid.e, l);
    grid.residual(b, z, r);
    grid.restrict_to(down, r, l.rhs);
    cycle_on(depth + 1, passes_of(l), l.rhs, l.solution, l.residual);
    grid.correct_from(down, l.solution, z);
    smooth(grid, 1, b, z, r);
  }

  B& be_;
  Extent extent_;
  mutable Vector r_;
  mutable std::vector<Level> levels_;
  FivePointSystemFacts<T> finest_;
};

}  // namespace wavesim
