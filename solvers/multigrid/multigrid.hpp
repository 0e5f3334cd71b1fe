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
  /// `in_wavefront`: whether passes are fused where they can be; if not, they are taken one by one.
  Multigrid(B& backend, const Operator<B, T>& A, bool in_wavefront = true)
      : be_(backend), grids_(backend, A.extent(), in_wavefront) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    if (!grids_.finest.in_wavefront) {
      solve(r, z, rz);
      return inner_product(be_, r, z, rz, after);
    }
    from_finest(r, z, parts_.data());
    be_.map_sum(
        "<r, z>", int(parts_.size()), reinterpret_cast<Sum<1>*>(rz),
        [] KERNEL(const double& part) { return Sum<1>{{part}}; }, [=] KERNEL(const Sum<1>&) { after(); },
        In<double>{parts_.data()});
  }
  void solve(const Vector& r, Vector& z, double*) const override { from_finest(r, z, nullptr); }
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
    if (grids_.finest.in_wavefront && parts_.size() == 0)
      parts_ = Buffer<B, double>(be_, std::size_t(grids_.finest.up.count + 15) / 16 * 16);
    join_small_levels();
  }

 private:
  static std::string size(const Extent& e) { return std::to_string(e.nx) + " x " + std::to_string(e.ny); }

  void from_finest(const Vector& b, Vector& x, double* sums) const {
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
      plain_cycle(depth, grids_.plain_passes(c, a, b, e, how), how, rhs, x, r);
  }
  template <class Media, class V>
  void wavefront(int depth, const Media& media, Extent e, const Coarsened<S>& how, const Field<B, V>& b,
                 Field<B, V>& x, double* sums) const {
    const double points = double(e.points()), read = sizeof(V) + Media::words * sizeof(W);
    const W* correction = nullptr;
    if (how.coarser) {
      MultigridLevel<B, W, S>& next = grids_.coarse[depth];
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
      if (!g.below.in_wavefront || g.e.points() > small_points) break;
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
  Buffer<B, double> parts_;  // of <r, z>
  SmallLevels<S, W> small_;
  int small_from_ = 1;
  double small_bytes_ = 0;
};

}  // namespace wavesim
