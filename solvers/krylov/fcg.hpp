#pragma once
// Flexible conjugate gradients for symmetric positive definite A (Notay 2000, FCG(m)): each direction is made
// A-orthogonal to up to m earlier directions explicitly. In CG the quotient of two <r, z> does so only if the
// preconditioner stays the same from one application to the next. With a fixed preconditioner this is CG. As
// in CG, an iteration has one product with A.

#include <algorithm>
#include <vector>

#include "solvers/catalogue/option_list.hpp"
#include "solvers/core/solve_loop.hpp"

namespace wavesim {

inline constexpr int fcg_most = 8;  // directions
using FcgDots = Sum<fcg_most>;

/// Pointers to the vectors of one kind, for kernels; the first `count` are used.
template <class T>
struct FcgVectors {
  const T* v[fcg_most] = {};
  int slot[fcg_most] = {};
  int count = 0;
};

struct FcgScalars {
  double rz;              // <r, z>
  double pq[fcg_most];    // <p, A p>
  double beta[fcg_most];  // -<z, A p> / <p, A p>, in the order of FcgVectors
  double alpha;           // <r, z> / <p, A p>
};
template <class T>
struct FcgBeta {
  FcgScalars* c;
  FcgVectors<T> q;
  HD void operator()(const FcgDots& zq) const {
    for (int k = 0; k < q.count; ++k) {
      const double pq = c->pq[q.slot[k]];
      c->beta[k] = pq != 0 ? -zq.v[k] / pq : 0;
    }
  }
};
struct FcgRecorded {
  Epilogue then;
  FcgScalars* c;
  bool plain;  // z is r
  HD void operator()(const Norms& r) const {
    then(r);
    if (plain) c->rz = r.squares;
  }
};

template <class B, class T>
class Fcg final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Fcg(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        most_(options.choices.count(option::directions)),
        r_(backend, A.extent()),
        z_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        c_(backend, 1),
        dots_(backend, 1),
        norms_(backend, 1) {
    for (int k = 0; k < most_; ++k) {
      p_.emplace_back(backend, A.extent());
      q_.emplace_back(backend, A.extent());
    }
  }

  Vector* residual() override { return &r_; }

  void start(const Operator<B, T>&, Preconditioner<B, T>* M, Vector&) override {
    FcgScalars* c = c_.data();
    const Norms* first = this->first_norms();
    if (M)
      M->apply(r_, z_, &c->rz);
    else
      this->be_.once("rz = <r, r>", [=] KERNEL() { c->rz = first->squares; });
    i_ = 0;
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector&, Vector& x) override {
    FcgScalars* c = c_.data();
    B& be = this->be_;
    const Vector& z = M ? z_ : r_;
    const int slot = i_ % most_;
    const FcgVectors<T> p = last(p_), q = last(q_);
    const double read = p.count * double(sizeof(T));
    if (p.count > 0)
      be.rows_sum(
          "<z, A p>", this->extent_, read, dots_.data(),
          [=] KERNEL(Row w, const T& zi) {
            FcgDots d;
            UNROLL for (int k = 0; k < fcg_most; ++k) if (k < q.count) d.v[k] = double(q.v[k][w.i]) * zi;
            return d;
          },
          FcgBeta<T>{c, q}, z.in());
    be.rows(
        "p = z + sum beta p", this->extent_, read,
        [=] KERNEL(Row w, const T& zi, T& pi) {
          T sum = zi;
          UNROLL for (int k = 0; k < fcg_most; ++k) if (k < p.count) sum =
              std::fma(T(c->beta[k]), p.v[k][w.i], sum);
          pi = sum;
        },
        z.in(), p_[slot].out());
    A.apply(p_[slot], q_[slot], {p_[slot].data(), &c->pq[slot], nullptr});  // q = A p, <p, q>
    be.once("alpha", [=] KERNEL() { Quotient{&c->rz, &c->pq[slot], &c->alpha}(); });
    be.map_sum(
        "x += alpha p, r -= alpha q, |r|", this->extent_, norms_.data(),
        [=] KERNEL(const T& pi, const T& qi, T& xi, T& r) {
          const T alpha = T(c->alpha);
          xi = std::fma(alpha, pi, xi);
          r = std::fma(-alpha, qi, r);
          return Norms::of(r);
        },
        FcgRecorded{this->recorded(&c->pq[slot]), c, !M}, p_[slot].in(), q_[slot].in(), x.inout(),
        r_.inout());
    if (M) M->apply(r_, z_, &c->rz);  // z = M^-1 r, <r, z>
    ++i_;
  }

 private:
  /// The directions of the last max(1, i mod (m + 1)) iterations: truncated, with periodic restarts.
  FcgVectors<T> last(const std::vector<Vector>& all) const {
    FcgVectors<T> v;
    v.count = std::min(i_, std::max(1, i_ % (most_ + 1)));
    for (int k = 0; k < v.count; ++k) {
      v.slot[k] = (i_ - 1 - k) % most_;
      v.v[k] = all[v.slot[k]].data();
    }
    return v;
  }

  int most_;
  Vector r_, z_;
  std::vector<Vector> p_, q_;
  Buffer<B, FcgScalars> c_;
  Buffer<B, FcgDots> dots_;
  Buffer<B, Norms> norms_;
  int i_ = 0;
};

}  // namespace wavesim
