#pragma once
// Flexible conjugate gradients for symmetric positive definite A (Notay 2000, FCG(1)): each direction is made
// A-orthogonal to the last one explicitly, beta = -<z, A p> / <p, A p>, which holds when the preconditioner
// changes from one application to the next, where CG's quotient of two <r, z> does not. With a fixed one it
// is CG. Its iterations are those of CG: one product with A each.

#include "solvers/solver.hpp"

namespace wavesim {

struct FcgScalars {
  double rz;     // <r, z>
  double zq;     // <z, A p>, of the new z and the last p
  double pq;     // <p, A p>
  double alpha;  // <r, z> / <p, A p>
  double beta;   // -<z, A p> / <p, A p>
};
/// Norms of r and <r, q>, in one reduction.
struct FcgSums {
  Norms r;
  double rq = 0;
  HD void join(const FcgSums& o) {
    r.join(o.r);
    rq += o.rq;
  }
};
struct FcgBeta {
  FcgScalars* c;
  HD void operator()(const Sum<1>& zq) const {
    c->zq = zq.v[0];
    c->beta = c->pq != 0 ? -c->zq / c->pq : 0;
  }
};
struct FcgRecorded {
  Then then;
  FcgScalars* c;
  bool plain;  // z is r
  HD void operator()(const FcgSums& n) const {
    then(n.r);
    if (!plain) return;
    c->rz = n.r.squares;
    FcgBeta{c}(Sum<1>{{n.rq}});
  }
};

template <class B, class T>
class Fcg final : public Solver<B, T> {
 public:
  using Vector = Field<B, T>;
  Fcg(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : Solver<B, T>(backend, A.extent(), options),
        r_(backend, A.extent()),
        p_(backend, A.extent()),
        q_(backend, A.extent()),
        z_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        c_(backend, 1),
        sums_(backend, 1),
        zq_(backend, 1) {}

  Vector* residual() override { return &r_; }

  void start(const Operator<B, T>&, Preconditioner<B, T>* M, Vector&) override {
    FcgScalars* c = c_.data();
    const Norms* first = this->first_norms();
    this->be_.map(
        "p = 0", this->extent_.count(), [] HD(T & p) { p = 0; }, p_.out());
    this->be_.once("<r, r>, beta = 0", [=] HD() {
      c->rz = first->squares;
      c->beta = 0;
    });
    if (M) M->apply(r_, z_, &c->rz);
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector&, Vector& x) override {
    FcgScalars* c = c_.data();
    const int n = this->extent_.count();
    B& be = this->be_;
    be.map(
        "p = z + beta p", n, [=] HD(const T& z, T& p) { p = std::fma(T(c->beta), p, z); },
        (M ? z_ : r_).in(), p_.inout());
    A.apply(p_, q_, {p_.data(), &c->pq, nullptr});  // q = A p, <p, q>
    be.once("alpha", [=] HD() { Quotient{&c->rz, &c->pq, &c->alpha}(); });
    be.map_sum(
        "x += alpha p, r -= alpha q, |r|, <r, q>", n, sums_.data(),
        [=] HD(const T& p, const T& q, T& xi, T& r) {
          const T alpha = T(c->alpha);
          xi = std::fma(alpha, p, xi);
          r = std::fma(-alpha, q, r);
          return FcgSums{Norms::of(r), double(r) * q};
        },
        FcgRecorded{this->recorded(&c->pq), c, !M}, p_.in(), q_.in(), x.inout(), r_.inout());
    if (!M) return;
    M->apply(r_, z_, &c->rz);
    be.map_sum(
        "<z, q>", n, zq_.data(), [] HD(const T& z, const T& q) { return Sum<1>{{double(z) * q}}; },
        FcgBeta{c}, z_.in(), q_.in());
  }

 private:
  Vector r_, p_, q_, z_;
  Buffer<B, FcgScalars> c_;
  Buffer<B, FcgSums> sums_;
  Buffer<B, Sum<1>> zq_;
};

}  // namespace wavesim
