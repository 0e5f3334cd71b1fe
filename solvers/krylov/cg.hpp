#pragma once
// The conjugate gradient method for symmetric positive definite A (Hestenes & Stiefel 1952; Pozzo et al.
// 2010, Eq. 3-8), with or without a preconditioner. An iteration is two passes: direction and update. On a GPU small wave systems
// take all iterations in one launch, with the same bits (cg_in_tiles.hpp). Several right-hand sides are solved at once (block_cg.hpp).

#include <optional>

#include "solvers/core/solve_loop.hpp"
#include "solvers/krylov/block_cg.hpp"
#include "solvers/krylov/cg_in_tiles.hpp"

namespace wavesim {

struct CgScalars {
  Norms rr[2];   // <r, r>, of this iteration and the last
  double rz[2];  // <r, z>, with a preconditioner
  double pq;     // <p, A p>
  double alpha, beta;
};

template <class B, class T>
class Cg : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Cg(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        r_(backend, A.extent()),
        p_{Vector(backend, A.extent()), Vector(backend, A.extent())},
        q_(A.stores_product() ? Vector(backend, A.extent()) : Vector()),
        z_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        s_(backend, 1),
        compensates_(options.accurate),
        preconditioned_(options.preconditioned()) {}

  Vector* residual() override { return &r_; }

  void start(const Operator<B, T>&, Preconditioner<B, T>* M, Vector&) override {
    k_ = 0;
    if (tiles_) return;
    CgScalars* s = s_.data();
    const Norms* first = this->first_norms();
    this->be_.once("rr = <r, r>", [=] KERNEL() { s->rr[0] = *first; });
    if (M) M->apply(r_, z_, &s->rz[0]);  // z = M^-1 r, rz = <r, z>
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector&, Vector& x) override {
    if (tiles_) return tiles_->run(A, this->first_norms(), this->control_.data(), r_.data(), x.data());
    CgScalars* s = s_.data();
    const int now = k_ & 1, next = now ^ 1;
    const auto rz = [&](int k) { return M ? &s->rz[k] : &s->rr[k].squares; };
    const Quotient alpha{rz(now), &s->pq, &s->alpha};  // <r, z> / <p, A p>
    const Quotient beta{rz(next), rz(now), &s->beta};  // <r, z> over the last <r, z>

    // p = z + beta p, pq = <p, A p>, alpha
    A.direction(M ? z_ : r_, k_ == 0 ? nullptr : &s->beta, p_[next], p_[now], q_, &s->pq, alpha);
    // x += alpha p, r -= alpha A p, and beta if z is r
    A.update(&s->alpha, p_[now], q_, x, r_, &s->rr[next], this->recorded(&s->pq, M ? Quotient{} : beta));
    // z = M^-1 r, rz = <r, z>, beta
    if (M) M->apply(r_, z_, &s->rz[next], beta);
    ++k_;
  }
  int repeats_after() const override { return tiles_ ? 0 : 2; }  // p takes turns
  bool looks_each_step() const override { return tiles_.has_value(); }

  Report solve(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector& b, Vector& x, bool zero,
               const Norms* reference = nullptr) override {
    at_once_ = 0;
    return SolveLoop<B, T>::solve(A, M, b, x, zero, reference);
  }
  std::vector<Report> solve_all(const Operator<B, T>& A, Preconditioner<B, T>* M, std::span<const Vector> b,
                                std::span<Vector> x) override {
    if (b.size() < 2 || this->lasting_.norm != Norm::relative_2 || compensates_)
      return Solver<B, T>::solve_all(A, M, b, x);
    at_once_ = int(b.size());
    std::vector<Report> reports =
        BlockCg<B, T>(this->be_, A, M, at_once_, this->lasting_.tolerance, this->lasting_.max_iterations)
            .solve(b, x);
    // Rounding may keep a block from its end and not a column alone: it goes on from there, or else from zero.
    for (std::size_t k = 0; k < b.size(); ++k) {
      Report& r = reports[k];
      if (r.status != Status::stagnated && r.status != Status::indefinite) continue;
      for (const bool anew : {false, true}) {
        if (r.converged()) break;
        if (anew) x[k].clear();
        Report alone = SolveLoop<B, T>::solve(A, M, b[k], x[k], anew);
        alone.history = this->history();
        r = after_block(std::move(r), std::move(alone), anew);
      }
    }
    return reports;
  }
  std::string describe() const override {
    return at_once_ > 0 ? std::to_string(at_once_) + " right-hand sides at once" : "";
  }

 protected:
  /// Whether all iterations may be one launch. On a CPU passes over memory are faster.
  virtual bool in_one_launch() const { return B::asynchronous; }

 private:
  void set_up(const Operator<B, T>& A) override {
    const Extent e = A.extent();
    tiles_.reset();
    if (preconditioned_ || compensates_ || !e.whole() || !in_one_launch() || !TileShare(e).fits()) return;
    tiles_.emplace(this->be_, e);
    if (!tiles_->fits(A)) tiles_.reset();
  }
  /// Of a column that a block left. `anew`: it was solved from zero, where its history begins again.
  static Report after_block(Report block, Report alone, bool anew) {
    alone.seconds += block.seconds;
    alone.bytes += block.bytes;
    alone.setup_seconds += block.setup_seconds;
    if (anew) return alone;
    alone.initial = block.initial;
    alone.iterations += block.iterations;
    block.history.insert(block.history.end(), alone.history.begin() + 1, alone.history.end());
    alone.history = std::move(block.history);
    return alone;
  }

  Vector r_, p_[2], q_, z_;
  Buffer<B, CgScalars> s_;
  int k_ = 0;
  bool compensates_, preconditioned_;
  std::optional<CgInTiles<B, T>> tiles_;
  int at_once_ = 0;  // right-hand sides of the last block
};

}  // namespace wavesim
