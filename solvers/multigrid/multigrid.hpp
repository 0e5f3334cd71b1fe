#pragma once
// Geometric multigrid for the five-point wave system (Brandt 1977; Trottenberg, Oosterlee & Schueller 2001):
// one V-cycle is a symmetric positive definite preconditioner. Red-black Gauss-Seidel before and, in the
// opposite order, after the coarse grid's correction; coarser grids as in coarsen.hpp. The mass term grows
// fourfold against the stiffness from grid to grid, so that after a few of them nothing is left to coarsen
// for. Each half of the cycle is one pass on each grid (march.hpp): b is read twice and x written once.

#include <deque>
#include <memory>
#include <string>

#include "solvers/core/preconditioner.hpp"
#include "solvers/multigrid/level.hpp"
#include "solvers/multigrid/small_levels.hpp"
#include "solvers/preconditioners/inner_product.hpp"

namespace wavesim {

/// T: of the vectors that go in and out; W: of everything within.
template <class B, class T, class W = T>
class Multigrid final : public Preconditioner<B, T> {
 public:
  static constexpr int S = 2;  // sweeps before and after
  using Vector = Field<B, T>;
  /// `marches`: whether passes are fused where they can be; if not, they are taken one by one.
  Multigrid(B& backend, const Operator<B, T>& A, bool in_wavefront = true)
      : be_(backend), extent_(A.extent()), in_wavefront_(in_wavefront) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    if (!finest_.in_wavefront) {
      solve(r, z, rz);
      return inner_product(be_, r, z, rz, after);
    }
    from_finest(r, z, parts_.data());
    be_.map_sum(
        "<r, z>", int(parts_.size()), reinterpret_cast<Sum<1>*>(rz),
        [] HD(const double& part) { return Sum<1>{{part}}; }, [=] HD(const Sum<1>&) { after(); },
        In<double>{parts_.data()});
  }
  void solve(const Vector& r, Vector& z, double*) const override { from_finest(r, z, nullptr); }
  int levels() const { return used_ + 1; }
  std::string describe() const override {
    std::string text = std::to_string(levels()) + " grids: " + size(extent_);
    if (used_ > 0) text += " down to " + size(grids_[used_ - 1].e);
    return text;
  }
  /// Whether the grid so many levels below the finest stores no coefficients.
  bool constant(int depth) const { return depth == 0 ? system_.uniform : grids_[depth - 1].uniform; }

  void set_up(const Operator<B, T>& A) override {
    system_ = *A.five_point();
    used_ = 0;
    if (system_.uniform)
      lay_out(system_.constant, system_.a, system_.b, extent_, finest_, level_couplings_);
    else
      lay_out(system_.varying, system_.a, system_.b, extent_, finest_, level_couplings_);
    for (const Coarsened<S>* above = &finest_; above->coarser;) {
      MultigridLevel<B, W, S>& grid = grids_[used_++];
      if (grid.uniform)
        lay_out(grid.constant, grid.a, grid.b, grid.e, grid.below, grid.level_couplings);
      else
        lay_out(grid.varying, grid.a, grid.b, grid.e, grid.below, grid.level_couplings);
      if (!grid.below.in_wavefront) vector(grid.residual, grid.e);
      above = &grid.below;
    }
    if (!finest_.in_wavefront) vector(residual_, extent_);
    if (finest_.in_wavefront && parts_.size() == 0)
      parts_ = Buffer<B, double>(be_, std::size_t(finest_.up.count + 15) / 16 * 16);
    join_small_levels();
  }

 private:
  static std::string size(const Extent& e) { return std::to_string(e.nx) + " x " + std::to_string(e.ny); }

  // Set-up.

  /// Decides how a grid is coarsened, and makes the next one if it is.
  template <class C>
  void lay_out(const C& c, double a, double b, Extent e, Coarsened<S>& how,
               LevelCouplings<B, W>& level_couplings) {
    const auto passes = plain_passes(c, a, b, e, Coarsened<S>{});
    const Topology& t = c.topology;
    how.enough = !coupled(passes);
    how.coarser = false;
    if (!how.enough) {
      how.x = axis(e.nx, t.wrap_x != 0, held(c, e, 0), held(c, e, 1));
      how.y = axis(e.ny, t.wrap_y != 0, held(c, e, 2), held(c, e, 3));
      how.coarser = !(how.x.kept && how.y.kept);
    }
    if (!how.coarser) {
      how.x = {e.nx, 0, t.wrap_x != 0, false};
      how.y = {e.ny, 0, t.wrap_y != 0, false};
    }
    how.to = make_extent(how.x.coarse(), how.y.coarse());
    how.cells = Cells(e, how.x, how.y, how.to);
    how.in_wavefront = in_wavefront_ && Cells::fit(how.x, how.y) && (how.coarser || how.enough);
    how.tile(2);
    if (how.in_wavefront) bond(c, a, b, e, how, level_couplings);
    if (how.coarser) coarsen(c, a, b, e, how);
  }
  /// Every second point. Where a wall is next to the first point, coarse ones start with the second, so that
  /// the wall is a coarse distance away, unless that leaves the last point short of a wall of its own.
  static Coarsening axis(int n, bool wraps, bool wall_before, bool wall_after) {
    Coarsening c{n, 0, wraps, n < (wraps ? 4 : 2)};
    if (!c.kept && !wraps && wall_before && n > 1 && (n % 2 == 1 || !wall_after)) c.first = 1;
    return c;
  }
  /// Whether couplings matter beside the masses: a few sweeps do the rest where they do not.
  template <class P>
  bool coupled(const P& grid) const {
    const auto& system = grid.A.system;
    if constexpr (std::remove_cvref_t<decltype(system.coefficients)>::uniform) {
      const auto inner = system.row_of(system.coefficients.inside());
      return !(inner.centre + inner.west + inner.east + inner.south + inner.north > 0.5 * inner.centre);
    } else {
      Buffer<B, Bounds> bounds(be_, 1);
      grid.bounds(bounds.data());
      return !(bounds.download()[0].least > 0.5);
    }
  }
  /// Whether the edge (left, right, bottom, top) is fixed; of a varying medium, in its middle.
  template <class V>
  bool held(const UniformCoefficients<V>& c, Extent, int side) const {
    return c.edge[side] < 0;
  }
  template <class V>
  bool held(const VariableCoefficients<V>& c, Extent e, int side) const {
    const std::ptrdiff_t middle = std::ptrdiff_t(e.ny / 2) * e.pitch;
    const V* const at[4] = {c.east + middle - 1, c.east + middle + e.nx - 1, c.north - e.pitch + e.nx / 2,
                            c.north + std::ptrdiff_t(e.ny - 1) * e.pitch + e.nx / 2};
    V face = 0;
    be_.download(&face, at[side], 1);
    return face < 0;
  }
  template <class V>
  void bond(const UniformCoefficients<V>& c, double a, double b, Extent e, const Coarsened<S>& how,
            LevelCouplings<B, W>& to) {
    const UniformCoefficients<W> in = in_precision<W>(c);
    const FivePointSystem<W, UniformCoefficients<W>> system{in, W(a), W(b)};
    to.inner = UniformCouplings<W>::of(system.row_of(in.inside()));
    const auto table = UniformCouplings<W>::make_table(system, transfer(in, e, how), how.cells);
    if (to.table.size() == 0) to.table = Buffer<B, typename UniformCouplings<W>::Entry>(be_, table.size());
    to.table.upload(table);
  }
  template <class V>
  void bond(const VariableCoefficients<V>& c, double a, double b, Extent e, const Coarsened<S>& how,
            LevelCouplings<B, W>& to) {
    if (to.inverse.extent().nx == 0) {
      to.inverse = Field<B, W>(be_, e);
      to.over = make_extent(how.cells.across, how.cells.up);
      to.weights = Field<B, W>(be_, {to.over.nx, 4 * to.over.ny, to.over.pitch});
    }
    const auto passes = plain_passes(c, a, b, e, how);
    passes.inverse_diagonal(to.inverse.data());
    if (how.coarser) passes.interpolation(transfer(c, e, how), how.cells, to.over, to.weights.data());
  }
  template <class C>
  void coarsen(const C& c, double a, double b, Extent e, const Coarsened<S>& how) {
    if (int(grids_.size()) == used_) grids_.emplace_back();
    MultigridLevel<B, W, S>& to = grids_[used_];
    to.e = how.to;
    for (Field<B, W>* v : {&to.rhs, &to.x}) vector(*v, to.e);
    if constexpr (C::uniform) {
      to.a = a, to.b = b;
      to.uniform = coarsen_uniform(in_precision<W>(c), how.x, how.y, to.e, to.constant);
      if (to.uniform) return;
    }
    to.uniform = false;
    to.a = 0, to.b = 1;
    for (Field<B, W>* v : {&to.mass, &to.east, &to.north}) vector(*v, to.e);
    to.varying = {{to.e.nx, to.e.ny, how.x.wraps ? to.e.nx : 0, how.y.wraps ? to.e.ny * to.e.pitch : 0},
                  to.mass.data(),
                  nullptr,
                  to.east.data(),
                  to.north.data()};
    plain_passes(c, a, b, e, how)
        .coarsen(transfer(c, e, how), to.e, to.mass.data(), to.east.data(), to.north.data());
  }
  /// Made when first wanted: the grids stay the same when the coefficients change.
  template <class V>
  void vector(Field<B, V>& v, Extent e) const {
    if (v.extent().nx == 0) v = Field<B, V>(be_, e);
  }
  template <class V, template <class> class C>
  static Transfer<V, C<V>> transfer(const C<V>& c, Extent fine, const Coarsened<S>& how) {
    return {c, fine.nx, fine.ny, fine.pitch, how.x, how.y, how.to.nx, how.to.ny, how.to.pitch};
  }
  template <class V, template <class> class C>
  PlainPasses<B, V, C<V>, W> plain_passes(const C<V>& c, double a, double b, Extent e,
                                          const Coarsened<S>& how) const {
    StencilView<V, C<V>> view;
    view.set({c, V(a), V(b)});
    return {be_, e, view, (how.x.first + how.y.first) % 2, red_black(c.topology)};
  }

  // The cycle.

  void from_finest(const Vector& b, Vector& x, double* sums) const {
    if (system_.uniform)
      cycle(0, system_.constant, system_.a, system_.b, extent_, finest_, level_couplings_, b, x, residual_,
            sums);
    else
      cycle(0, system_.varying, system_.a, system_.b, extent_, finest_, level_couplings_, b, x, residual_,
            sums);
  }
  /// On the grid so many levels below the finest.
  void cycle_on(int depth) const {
    MultigridLevel<B, W, S>& g = grids_[depth - 1];
    if (depth == small_from_)
      be_.template groups_in_stages<32>("small grids", small_.stages(), small_bytes_, small_);
    else if (g.uniform)
      cycle(depth, g.constant, g.a, g.b, g.e, g.below, g.level_couplings, g.rhs, g.x, g.residual, nullptr);
    else
      cycle(depth, g.varying, g.a, g.b, g.e, g.below, g.level_couplings, g.rhs, g.x, g.residual, nullptr);
  }
  template <class C, class V>
  void cycle(int depth, const C& c, double a, double b, Extent e, const Coarsened<S>& how,
             const LevelCouplings<B, W>& level_couplings, const Field<B, V>& rhs, Field<B, V>& x,
             Field<B, V>& r, double* sums) const {
    if (how.in_wavefront)
      wavefront(depth, level_couplings.view(c, b), e, how, rhs, x, sums);
    else
      plain_cycle(depth, plain_passes(c, a, b, e, how), how, rhs, x, r);
  }
  template <class Media, class V>
  void wavefront(int depth, const Media& media, Extent e, const Coarsened<S>& how, const Field<B, V>& b,
                 Field<B, V>& x, double* sums) const {
    const double points = double(e.points()), read = sizeof(V) + Media::words * sizeof(W);
    const W* correction = nullptr;
    if (how.coarser) {
      MultigridLevel<B, W, S>& next = grids_[depth];
      be_.template groups<32>("down: b_coarse = P' (b - A S b)", how.down.count,
                              points * read + double(how.to.points()) * sizeof(W),
                              Descend<S, W, V, Media>{how.cells, media, b.data(), next.rhs.data(), how.down});
      cycle_on(depth + 1);
      correction = next.x.data();
    }
    be_.template groups<32>(
        "up: x = S' (b, S b + P e)", how.up.count,
        points * (read + sizeof(V)) + double(how.to.points()) * (correction ? sizeof(W) : 0),
        Ascend<S, W, V, Media>{how.cells, media, b.data(), correction, x.data(), sums, how.up});
  }
  template <class P, class V>
  void plain_cycle(int depth, const P& grid, const Coarsened<S>& how, const Field<B, V>& b, Field<B, V>& x,
                   Field<B, V>& r) const {
    be_.zero(x.memory().data(), x.memory().size());
    const int sweeps = how.coarser || how.enough ? S : 12;
    grid.smooth(sweeps, false, b, x, r);
    if (how.coarser) {
      const auto down = transfer(grid.A.system.coefficients, grid.e, how);
      MultigridLevel<B, W, S>& next = grids_[depth];
      grid.residual(b, x, r);
      grid.restrict_to(down, r, next.rhs);
      cycle_on(depth + 1);
      grid.correct_from(down, next.x, x);
    }
    grid.smooth(sweeps, true, b, x, r);
  }
  /// The grids at the end that all march and are small go into one launch.
  void join_small_levels() {
    small_ = {};
    small_bytes_ = 0;
    small_from_ = used_ + 1;
    for (int d = used_; d >= 1 && used_ - d < SmallLevels<S, W>::most; --d) {
      const MultigridLevel<B, W, S>& g = grids_[d - 1];
      if (!g.below.in_wavefront || g.e.points() > small_points) break;
      small_from_ = d;
    }
    for (int d = small_from_; d <= used_; ++d) {
      MultigridLevel<B, W, S>& g = grids_[d - 1];
      auto& level = small_.level[small_.levels++];
      level.cells = g.below.cells;
      level.down = g.below.down;
      level.up = g.below.up;
      level.uniform = g.uniform;
      if (g.uniform)
        level.constant = g.level_couplings.view(g.constant, g.b);
      else
        level.varying = g.level_couplings.view(g.varying, g.b);
      level.b = g.rhs.data();
      level.x = g.x.data();
      small_bytes_ += double(g.e.points()) * sizeof(W) *
                      (g.below.coarser ? 3.5 + (g.uniform ? 0 : 8) : 2 + (g.uniform ? 0 : 4));
    }
  }

  static constexpr long small_points = 128 * 128;

  B& be_;
  Extent extent_;
  bool in_wavefront_;
  FivePointSystemFacts<T> system_;
  Coarsened<S> finest_;
  LevelCouplings<B, W> level_couplings_;
  mutable Vector residual_;  // for plain passes
  Buffer<B, double> parts_;  // of <r, z>
  mutable std::deque<MultigridLevel<B, W, S>> grids_;
  int used_ = 0;
  SmallLevels<S, W> small_;
  int small_from_ = 1;
  double small_bytes_ = 0;
};

}  // namespace wavesim
