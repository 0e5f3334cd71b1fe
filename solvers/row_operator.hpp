#pragma once
// The only implementation of the operator's passes: over the `row` of any format.

#include "kernels/formats/stencil.hpp"
#include "solvers/operator.hpp"

namespace wavesim {

/// x(j) = x[j]
template <class T>
struct Gather {
  const T* x;
  HD T operator()(int j) const { return x[j]; }
};
/// x(j) = z[j] + s p[j], never stored.
template <class T>
struct Combined {
  const T *z, *p;
  T s;
  HD T operator()(int j) const { return std::fma(s, p[j], z[j]); }
};

template <class B, class T, class View>
class RowOperator : public FivePointOperator<B, T> {
 public:
  using Vector = Field<B, T>;
  RowOperator(B& backend, Extent e) : FivePointOperator<B, T>(e), be_(backend) {}

  void apply(const Vector& x, Vector& y, Dots<T> dots) const override {
    const View A = view_;
    const T* xs = x.data();
    if (!dots.wy && !dots.yy) {
      be_.rows(
          "q = A p", this->extent_, View::bytes + sizeof(T),
          [=] HD(Row r, T & yi) { yi = A.row(r, Gather<T>{xs}); }, y.out());
      return;
    }
    const bool wanted_w = dots.wy != nullptr;
    auto* both = reinterpret_cast<Sum<2>*>(dots_.data());
    be_.template rows_sum<View::matrix>(
        "q = A p, <w, q>", this->extent_, View::bytes + (wanted_w && dots.w != xs ? 2 : 1) * sizeof(T), both,
        [=] HD(Row r, T & yi) {
          yi = A.row(r, Gather<T>{xs});
          return Sum<2>{{wanted_w ? double(dots.w[r.i]) * yi : 0.0, double(yi) * yi}};
        },
        [=] HD(const Sum<2>& s) {
          if (dots.wy) *dots.wy = s.v[0];
          if (dots.yy) *dots.yy = s.v[1];
        },
        y.out());
  }

  void residual(const Vector& b, const Vector& x, Vector* r, Norms* norms, Then then) const override {
    const View A = view_;
    const T *xs = x.data(), *bs = b.data();
    const double read = View::bytes + 2 * sizeof(T);
    if (r)
      be_.template rows_sum<View::matrix>(
          "r = b - A x, |r|", this->extent_, read, norms,
          [=] HD(Row w, T & ri) {
            ri = bs[w.i] - A.row(w, Gather<T>{xs});
            return Norms::of(ri);
          },
          then, r->out());
    else
      be_.template rows_sum<View::matrix>(
          "|b - A x|", this->extent_, read, norms,
          [=] HD(Row w) { return Norms::of(bs[w.i] - A.row(w, Gather<T>{xs})); }, then);
  }

  void direction(const Vector& z, const double* beta, const Vector& p_before, Vector& p, Vector& q,
                 double* pq, Quotient after) const override {
    const View A = view_;
    auto* sum = reinterpret_cast<Sum<1>*>(pq);
    const auto then = [=] HD(const Sum<1>&) { after(); };
    if constexpr (View::recomputes) {
      const T *zs = z.data(), *ps = p_before.data();
      be_.template rows_sum<View::matrix>(
          "p = z + beta p, <p, A p>", this->extent_, View::bytes + 2 * sizeof(T), sum,
          [=] HD(Row r, T & pi) {
            const Combined<T> next{zs, ps, beta ? T(*beta) : T(0)};
            pi = next(r.i);
            return Sum<1>{{double(pi) * A.row(r, next)}};
          },
          then, p.out());
    } else {
      be_.map(
          "p = z + beta p", this->extent_.count(),
          [=] HD(const T& zi, const T& before, T& pi) { pi = std::fma(beta ? T(*beta) : T(0), before, zi); },
          z.in(), p_before.in(), p.out());
      const T* ps = p.data();
      be_.template rows_sum<View::matrix>(
          "q = A p, <p, q>", this->extent_, View::bytes + sizeof(T), sum,
          [=] HD(Row r, T & qi) {
            qi = A.row(r, Gather<T>{ps});
            return Sum<1>{{double(ps[r.i]) * qi}};
          },
          then, q.out());
    }
  }

  void update(const double* alpha, const Vector& p, const Vector& q, Vector& x, Vector& r, Norms* norms,
              Then then) const override {
    if constexpr (View::recomputes) {
      const View A = view_;
      const T* ps = p.data();
      be_.template rows_sum<View::matrix>(
          "x += alpha p, r -= alpha A p, |r|", this->extent_, View::bytes + sizeof(T), norms,
          [=] HD(Row w, T & xi, T & ri) {
            const T s = T(*alpha);
            xi = std::fma(s, ps[w.i], xi);
            ri = std::fma(-s, A.row(w, Gather<T>{ps}), ri);
            return Norms::of(ri);
          },
          then, x.inout(), r.inout());
    } else {
      be_.map_sum(
          "x += alpha p, r -= alpha q, |r|", this->extent_.count(), norms,
          [=] HD(const T& pi, const T& qi, T& xi, T& ri) {
            const T s = T(*alpha);
            xi = std::fma(s, pi, xi);
            ri = std::fma(-s, qi, ri);
            return Norms::of(ri);
          },
          then, p.in(), q.in(), x.inout(), r.inout());
    }
  }

  void relax(const Vector& b, const Vector& x, Vector& x_after, double omega, Norms* norms,
             Then then) const override {
    const View A = view_;
    const T *xs = x.data(), *bs = b.data();
    const T w = T(omega);
    be_.template rows_sum<View::matrix>(
        "x = x + omega D^-1 (b - A x), |b - A x|", this->extent_, View::bytes + 2 * sizeof(T), norms,
        [=] HD(Row r, T & after) {
          const T ri = bs[r.i] - A.row(r, Gather<T>{xs});
          after = std::fma(w, ri / A.diag(r), xs[r.i]);
          return Norms::of(ri);
        },
        then, x_after.out());
  }

  void inverse_diagonal(Vector& d) const override {
    const View A = view_;
    be_.rows(
        "d = 1 / diag A", this->extent_, View::bytes, [=] HD(Row r, T & di) { di = T(1) / A.diag(r); },
        d.out());
  }

  bool stores_product() const override { return !View::recomputes; }

 protected:
  B& be_;
  View view_{};

 private:
  Buffer<B, double> dots_{be_, 2};
};

/// A stored format, filled from the coefficients by one kernel.
template <class B, class T, class Storage, class Coefficients>
class StoredOperator final : public RowOperator<B, T, typename Storage::View> {
  using System = FivePointSystem<T, Coefficients>;

 public:
  StoredOperator(B& backend, Extent e, const Coefficients& c)
      : RowOperator<B, T, typename Storage::View>(backend, e),
        system_{c, T(0), T(1)},
        storage_(backend, e, system_) {
    this->view_ = storage_.view();
  }
  void assemble(double a, double b) override {
    if (system_.a != T(a) || system_.b != T(b) || this->version_ == 0) ++this->version_;
    system_.a = T(a);
    system_.b = T(b);
    storage_.assemble(this->be_, this->extent_, system_);
  }

 private:
  System system_;
  Storage storage_;
};

/// `stencil`: assembly is two numbers.
template <class B, class T, class Coefficients>
class StencilOperator final : public RowOperator<B, T, StencilView<T, Coefficients>> {
 public:
  StencilOperator(B& backend, Extent e, const Coefficients& c)
      : RowOperator<B, T, StencilView<T, Coefficients>>(backend, e) {
    this->view_.set({c, T(0), T(1)});
  }
  void assemble(double a, double b) override {
    auto system = this->view_.system;
    if (system.a != T(a) || system.b != T(b) || this->version_ == 0) ++this->version_;
    system.a = T(a);
    system.b = T(b);
    this->view_.set(system);
  }
};

}  // namespace wavesim
