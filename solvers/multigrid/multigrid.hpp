#pragma once
// Geometric multigrid for the five-point wave system (Brandt 1977; Trottenberg, Oosterlee & Schueller 2001):
// one V-cycle is a symmetric positive definite preconditioner. Red-black Gauss-Seidel before and, in the
// opposite order, after the coarse grid's correction; coarser grids as in coarsen.hpp. The mass term grows
// fourfold against the stiffness from grid to grid, so that after a few grids the sweeps alone are enough.
// Each half of the cycle is one pass on each grid (wavefront_cycle.hpp): b is read twice and x written once.

#include <memory>
#include <string>

#include "solvers/core/preconditioner.hpp"
#include "solvers/multigrid/hierarchy.hpp"
#include "solvers/multigrid/small_levels.hpp"
#include "solvers/preconditioners/inner_product.hpp"

namespace wavesim {

/// T: of the vectors that go in and out; W: of everything within.
template <class B, class T, class W = T>
class Multigrid final : public Preconditioner<B, T> {
 public:
  static constexpr int S = 2;  // sweeps before and after
  using Vector = Field<B, T>;
  /// Coarse grids of fewer points are no longer shared out among ranks: each has them whole, and does what all do.
  static constexpr long usual_whole_below = 1 << 20;
  /// `in_wavefront`: whether passes are fused where they can be; if not, they are taken one by one.
  Multigrid(B& backend, const Operator<B, T>& A, bool in_wavefront = true,
            long whole_below = usual_whole_below)
      : be_(backend), grids_(backend, A.extent(), in_wavefront, whole_below) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    if (!grids_.finest.in_wavefront) {
      solve(r, z, rz);
      return inner_product(be_, r, z, rz, after);
    }
    from_finest(r, z, {parts_.data(), parts_log2_, grids_.finest.rows.end});
    const double* const parts = parts_.data();
    const int log2 = parts_log2_ + 1, across = grids_.finest.up.across, ny = grids_.extent.ny;
    const int rows = rows_of_parts();
    Extent over = rows_of_finest(grids_.extent, {across, ny, across});
    be_.rows_sum(
        "<r, z>", Rows(over, false), double(sizeof(double)) / (1 << log2), reinterpret_cast<Sum<1>*>(rz),
        [=] KERNEL(Row w) {
          const int part = w.row >> log2;
          if (part << log2 != w.row) return Sum<1>{};
          double sum = parts[part * across + w.col];
          if ((part + 1) << log2 >= ny && part + 1 < rows)  // of a row of cells across the last row
            sum += parts[(part + 1) * across + w.col];
          return Sum<1>{{sum}};
        },
        [=] KERNEL(const Sum<1>&) { after(); });
  }
  void solve(const Vector& r, Vector& z, double*) const override { from_finest(r, z, {}); }
  int levels() const { return grids_.used + 1; }
  std::string describe() const override {
    std::string text = std::to_string(levels()) + " grids: " + size(grids_.extent);
    if (grids_.used > 0) text += " down to " + size(grids_.coarse[grids_.used - 1].e);
    return text;
  }
  /// Whether the grid so many levels below the finest stores no coefficients.
  bool constant(int depth) const {
    return depth == 0 ? grids_.system.uniform : grids_.coarse[depth - 1].uniform;
  }

  void set_up(const Operator<B, T>& A) override {
    grids_.set_up(A);
    if (grids_.finest.in_wavefront) {
      Coarsened<S>& finest = grids_.finest;
      // of 8 rows at most, a tile of a band; of fewer on grids that need many strips
      parts_log2_ = long(finest.cells.up) * finest.up.across >= 4 * Strips::enough ? 2 : 1;
      finest.tile(1 << parts_log2_);
      const std::size_t parts = std::size_t(finest.up.across) * std::size_t(rows_of_parts());
      if (parts_.size() < parts) parts_ = Buffer<B, double>(be_, parts);
    }
    join_small_levels();
  }

 private:
  int rows_of_parts() const { return (grids_.finest.cells.up + (1 << parts_log2_) - 1) >> parts_log2_; }
  static std::string size(const Extent& e) { return std::to_string(e.nx) + " x " + std::to_string(e.ny); }

  void from_finest(const Vector& b, Vector& x, CellSums sums) const {
    if (grids_.system.uniform)
      cycle(0, grids_.system.constant, grids_.system.a, grids_.system.b, grids_.extent, grids_.finest,
            grids_.level_couplings, b, x, grids_.residual, sums);
    else
      cycle(0, grids_.system.varying, grids_.system.a, grids_.system.b, grids_.extent, grids_.finest,
            grids_.level_couplings, b, x, grids_.residual, sums);
  }
  /// On the grid so many levels below the finest.
  void cycle_on(int depth) const {
    MultigridLevel<B, W, S>& g = grids_.coarse[depth - 1];
    if (depth == small_from_)
      be_.template groups_in_stages<32>("small grids", small_.stages(), small_bytes_, small_);
    else if (g.uniform)
      cycle(depth, g.constant, g.a, g.b, g.e, g.below, g.level_couplings, g.rhs, g.x, g.residual, {});
    else
      cycle(depth, g.varying, g.a, g.b, g.e, g.below, g.level_couplings, g.rhs, g.x, g.residual, {});
  }
  template <class C, class V>
  void cycle(int depth, const C& c, double a, double b, Extent e, const Coarsened<S>& how,
             const LevelCouplings<B, W>& level_couplings, const Field<B, V>& rhs, Field<B, V>& x,
             Field<B, V>& r, CellSums sums) const {
    if (how.in_wavefront)
      wavefront(depth, level_couplings.view(c, b), e, how, rhs, x, sums);
    else
      plain_cycle(depth, grids_.plain_passes(c, a, b, e, how), how, rhs, x, r);
  }
  template <class Media, class V>
  void wavefront(int depth, const Media& media, Extent e, const Coarsened<S>& how, const Field<B, V>& b,
                 Field<B, V>& x, CellSums sums) const {
    const double points = double(e.own_points()), read = sizeof(V) + Media::words * sizeof(W);
    const W* correction = nullptr;
    be_.fetch_ghosts(how.ghosts, b);
    if (how.coarser) {
      MultigridLevel<B, W, S>& next = grids_.coarse[depth];
      be_.template groups<32>("down: b_coarse = P' (b - A S b)", how.down.count,
                              points * read + double(how.to.own_points()) * sizeof(W),
                              Descend<S, W, V, Media>{how.cells, media, b.data(), next.rhs.data(), how.down});
      if (how.gathers()) be_.fetch_all(how.rows_to.start, next.rhs);
      cycle_on(depth + 1);
      be_.fetch_ghosts(how.ghost_cells, next.x);
      correction = next.x.data();
    }
    be_.template groups<32>(
        "up: x = S' (b, S b + P e)", how.up.count,
        points * (read + sizeof(V)) + double(how.to.own_points()) * (correction ? sizeof(W) : 0),
        Ascend<S, W, V, Media>{how.cells, media, b.data(), correction, x.data(), sums, how.up});
  }
  template <class P, class V>
  void plain_cycle(int depth, const P& grid, const Coarsened<S>& how, const Field<B, V>& b, Field<B, V>& x,
                   Field<B, V>& r) const {
    x.clear();
    const int sweeps = how.coarser || how.enough ? S : 12;
    grid.smooth(sweeps, false, b, x, r);
    if (how.coarser) {
      const auto down = grids_.transfer(grid.A.system.coefficients, grid.e, how);
      MultigridLevel<B, W, S>& next = grids_.coarse[depth];
      grid.residual(b, x, r);
      grid.restrict_to(down, r, next.rhs);
      cycle_on(depth + 1);
      grid.correct_from(down, next.x, x);
    }
    grid.smooth(sweeps, true, b, x, r);
  }
  /// The last grids go into one launch if all are small and passes in wavefronts.
  void join_small_levels() {
    small_ = {};
    small_bytes_ = 0;
    small_from_ = grids_.used + 1;
    for (int d = grids_.used; d >= 1 && grids_.used - d < SmallLevels<S, W>::most; --d) {
      const MultigridLevel<B, W, S>& g = grids_.coarse[d - 1];
      if (!g.below.in_wavefront || g.e.points() > small_points || !g.e.whole()) break;
      small_from_ = d;
    }
    for (int d = small_from_; d <= grids_.used; ++d) {
      MultigridLevel<B, W, S>& g = grids_.coarse[d - 1];
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
  mutable GridHierarchy<B, T, W, S> grids_;
  Buffer<B, double> parts_;  // of <r, z>: a number for each strip in 2^parts_log2_ rows of cells
  int parts_log2_ = 0;
  SmallLevels<S, W> small_;
  int small_from_ = 1;
  double small_bytes_ = 0;
};

}  // namespace wavesim
