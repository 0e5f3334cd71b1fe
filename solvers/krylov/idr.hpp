#pragma once
// IDR(s) for any non-singular A, with biorthogonal directions (van Gijzen & Sonneveld 2011, Figure 2 with the
// preconditioner on the right), so that its residual is the true one. A cycle is s + 1 iterations of one
// product with A each: s in the space orthogonal to the shadow vectors, and one that reduces the residual.
// The inner products of an iteration are taken in one reduction (Collignon & van Gijzen 2011).
//
// The shadow vectors are fixed pseudo-random numbers, computed where they are used: no memory, no reading.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solvers/catalogue/option_list.hpp"
#include "solvers/core/solve_loop.hpp"

namespace wavesim {

inline constexpr int idr_most = 8;  // shadow vectors

/// Component i of the whole field, of all shadow vectors: the bytes of a hash of i (splitmix64; Steele et al. 2014), spread
/// evenly over -1 .. 1 and never zero.
struct IdrShadow {
  std::uint64_t bytes;
  HD explicit IdrShadow(long i) {
    std::uint64_t h = (std::uint64_t(i) + 1) * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    bytes = h ^ (h >> 31);
  }
  HD double operator[](int j) const { return (double(int(bytes >> (8 * j) & 0xff)) - 127.5) * (1 / 127.5); }
};
using IdrDots = Sum<idr_most>;
/// <p_j, v> for all j, at a point; those beyond s are not used.
HD inline IdrDots idr_dots(Row w, double v) {
  const IdrShadow p(w.number());
  IdrDots d;
  UNROLL for (int j = 0; j < idr_most; ++j) d.v[j] = p[j] * v;
  return d;
}

/// Pointers to the vectors of one kind, for kernels.
template <class T>
struct IdrVectors {
  T* v[idr_most] = {};
};

struct IdrScalars {
  double m[idr_most][idr_most];  // <p_i, g_k>, lower triangular
  double f[idr_most];            // <p_i, r>
  double c[idr_most];            // of v = r - sum c_i g_i
  double a[idr_most];            // of g_k -= sum a_i g_i
  double beta, omega;
  double tr, tt, rr;  // of the step that reduces the residual: <t, r>, <t, t>, <r, r>
  double unused;

  /// Solves m c = f from k on.
  HD void coefficients(int k, int s) {
    for (int i = k; i < s; ++i) {
      double sum = f[i];
      for (int j = k; j < i; ++j) sum -= m[i][j] * c[j];
      c[i] = m[i][i] != 0 ? sum / m[i][i] : 0;
    }
  }
};
struct IdrBegin {
  IdrScalars* c;
  const Norms* first;
  HD void operator()() const {
    for (int i = 0; i < idr_most; ++i)
      for (int j = 0; j < idr_most; ++j) c->m[i][j] = i == j;
    c->omega = 1;
    c->rr = first->squares;
  }
};
/// f = P' r: a cycle begins.
struct IdrCycle {
  IdrScalars* c;
  int s;
  HD void operator()(const IdrDots& f) const {
    for (int i = 0; i < s; ++i) c->f[i] = f.v[i];
    c->coefficients(0, s);
  }
};
/// P' g of the new direction: it is made orthogonal to the shadow vectors before k, and its step is known.
struct IdrDirection {
  IdrScalars* c;
  int k, s;
  HD void operator()(const IdrDots& g) const {
    double d[idr_most];
    for (int i = 0; i < s; ++i) d[i] = g.v[i];
    for (int j = 0; j < k; ++j) {
      c->a[j] = d[j] / c->m[j][j];
      for (int i = j; i < s; ++i) d[i] -= c->a[j] * c->m[i][j];
    }
    for (int i = k; i < s; ++i) c->m[i][k] = d[i];
    c->beta = d[k] != 0 ? c->f[k] / d[k] : 0;
  }
};
struct IdrStepped {
  Epilogue then;
  IdrScalars* c;
  int k, s;
  HD void operator()(const Norms& r) const {
    then(r);
    if (then.control->status == Status::running && c->m[k][k] == 0) then.control->status = Status::breakdown;
    c->rr = r.squares;
    for (int i = k + 1; i < s; ++i) c->f[i] -= c->beta * c->m[i][k];
    c->coefficients(k + 1, s);
  }
};
/// omega = <t, r> / <t, t>, but larger where t is nearly orthogonal to r, for the sake of the next cycle
/// (Sleijpen & van der Vorst 1995).
struct IdrOmega {
  IdrScalars* c;
  HD void operator()() const {
    const double angle = 0.7, lengths = std::sqrt(c->tt) * std::sqrt(c->rr);
    const double cosine = lengths != 0 ? std::fabs(c->tr) / lengths : 0;
    c->omega = c->tt != 0 ? c->tr / c->tt : 0;
    if (cosine > 0 && cosine < angle) c->omega *= angle / cosine;
  }
};
struct IdrReduced {
  Epilogue then;
  IdrScalars* c;
  HD void operator()(const Norms& r) const {
    then(r);
    if (then.control->status == Status::running && c->omega == 0) then.control->status = Status::breakdown;
    c->rr = r.squares;
  }
};

template <class B, class T>
class Idr final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Idr(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        s_(options.choices.count(option::subspace)),
        r_(backend, A.extent()),
        t_(backend, A.extent()),
        z_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        c_(backend, 1),
        dots_(backend, 1),
        norms_(backend, 1) {
    for (int k = 0; k < s_; ++k) {
      g_.emplace_back(backend, A.extent());
      u_.emplace_back(backend, A.extent());
      gs_.v[k] = g_[k].data();
      us_.v[k] = u_[k].data();
    }
  }

  Vector* residual() override { return &r_; }

  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {
    for (int k = 0; k < s_; ++k)
      this->be_.map(
          "g = u = 0", this->extent_, [] KERNEL(T & g, T & u) { g = u = 0; }, g_[k].out(), u_[k].out());
    this->be_.once("m = 1, omega = 1", IdrBegin{c_.data(), this->first_norms()});
    k_ = 0;
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector&, Vector& x) override {
    if (k_ == 0) project();
    if (k_ < s_)
      extend(A, M, k_, x);
    else
      reduce(A, M, x);
    k_ = (k_ + 1) % (s_ + 1);
  }

  // The parts of a cycle; public, as nvcc wants functions with kernels.

  /// f = P' r
  void project() {
    this->be_.rows_sum(
        "f = P' r", this->extent_, 0, dots_.data(), [] KERNEL(Row w, const T& r) { return idr_dots(w, r); },
        IdrCycle{c_.data(), s_}, r_.in());
  }
  /// A step along a new direction u_k; its g_k = A u_k is orthogonal to the shadow vectors before k, and the
  /// residual after it to that of k as well.
  void extend(const Operator<B, T>& A, Preconditioner<B, T>* M, int k, Vector& x) {
    IdrScalars* c = c_.data();
    const int s = s_;
    const IdrVectors<T> g = gs_, u = us_;
    B& be = this->be_;
    const double word = sizeof(T);
    if (M) {
      be.rows(
          "v = r - sum c g", this->extent_, (s - k) * word,
          [=] KERNEL(Row w, const T& r, T& v) {
            T sum = r;
            UNROLL for (int i = 0; i < idr_most; ++i) if (i >= k && i < s) sum =
                std::fma(-T(c->c[i]), g.v[i][w.i], sum);
            v = sum;
          },
          r_.in(), t_.out());
      M->solve(t_, z_, &c->unused);  // z = M^-1 v
      be.rows(
          "u = omega z + sum c u", this->extent_, (s - k - 1) * word,
          [=] KERNEL(Row w, const T& z, T& uk) {
            T sum = std::fma(T(c->omega), z, T(c->c[k]) * uk);
            UNROLL for (int i = 0; i < idr_most; ++i) if (i > k && i < s) sum =
                std::fma(T(c->c[i]), u.v[i][w.i], sum);
            uk = sum;
          },
          z_.in(), u_[k].inout());
    } else {
      be.rows(
          "u = omega (r - sum c g) + sum c u", this->extent_, (2 * (s - k) - 1) * word,
          [=] KERNEL(Row w, const T& r, T& uk) {
            T v = r, sum = T(c->c[k]) * uk;
            UNROLL for (int i = 0; i < idr_most; ++i) if (i >= k && i < s) v =
                std::fma(-T(c->c[i]), g.v[i][w.i], v);
            UNROLL for (int i = 0; i < idr_most; ++i) if (i > k && i < s) sum =
                std::fma(T(c->c[i]), u.v[i][w.i], sum);
            uk = std::fma(T(c->omega), v, sum);
          },
          r_.in(), u_[k].inout());
    }
    A.apply(u_[k], g_[k]);  // g = A u
    be.rows_sum(
        "P' g", this->extent_, 0, dots_.data(), [] KERNEL(Row w, const T& gk) { return idr_dots(w, gk); },
        IdrDirection{c, k, s}, g_[k].in());
    be.rows_sum(
        "g -= sum a g, u -= sum a u, x += beta u, r -= beta g, |r|", this->extent_, 2 * k * word,
        norms_.data(),
        [=] KERNEL(Row w, T & gk, T & uk, T & xi, T & r) {
          T new_g = gk, new_u = uk;
          UNROLL for (int i = 0; i < idr_most; ++i) if (i < k) {
            const T a = T(c->a[i]);
            new_g = std::fma(-a, g.v[i][w.i], new_g);
            new_u = std::fma(-a, u.v[i][w.i], new_u);
          }
          const T beta = T(c->beta);
          gk = new_g;
          uk = new_u;
          xi = std::fma(beta, new_u, xi);
          r = std::fma(-beta, new_g, r);
          return Norms::of(r);
        },
        IdrStepped{this->recorded(), c, k, s}, g_[k].inout(), u_[k].inout(), x.inout(), r_.inout());
  }
  /// r <- (1 - omega A M^-1) r, which takes it into the next, smaller space.
  void reduce(const Operator<B, T>& A, Preconditioner<B, T>* M, Vector& x) {
    IdrScalars* c = c_.data();
    if (M) M->solve(r_, z_, &c->unused);
    const Vector& v = M ? z_ : r_;
    A.apply(v, t_, {r_.data(), &c->tr, &c->tt});  // t = A v, <t, r>, <t, t>
    this->be_.once("omega", IdrOmega{c});
    if (M)
      this->be_.map_sum(
          "x += omega z, r -= omega t, |r|", this->extent_, norms_.data(),
          [=] KERNEL(const T& z, const T& t, T& xi, T& r) {
            const T omega = T(c->omega);
            xi = std::fma(omega, z, xi);
            r = std::fma(-omega, t, r);
            return Norms::of(r);
          },
          IdrReduced{this->recorded(), c}, z_.in(), t_.in(), x.inout(), r_.inout());
    else
      this->be_.map_sum(
          "x += omega r, r -= omega t, |r|", this->extent_, norms_.data(),
          [=] KERNEL(const T& t, T& xi, T& r) {
            const T omega = T(c->omega);
            xi = std::fma(omega, r, xi);
            r = std::fma(-omega, t, r);
            return Norms::of(r);
          },
          IdrReduced{this->recorded(), c}, t_.in(), x.inout(), r_.inout());
  }

 private:
  int s_;
  Vector r_, t_, z_;
  std::vector<Vector> g_, u_;
  IdrVectors<T> gs_, us_;
  Buffer<B, IdrScalars> c_;
  Buffer<B, IdrDots> dots_;
  Buffer<B, Norms> norms_;
  int k_ = 0;
};

}  // namespace wavesim
