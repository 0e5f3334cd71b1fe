#pragma once
// The only implementation of the operator's passes: over the `row` of any format.

#include <limits>

#include "kernels/formats/extract_csr.hpp"
#include "kernels/formats/stencil.hpp"
#include "solvers/core/operator.hpp"
#include "solvers/formats/block_product.hpp"
#include "solvers/formats/product.hpp"
#include "solvers/stationary/red_black.hpp"

namespace wavesim {

/// The compressed sparse rows that a format keeps itself; null: none.
template <class B, class T, class Storage>
const Csr<B, T>* kept_csr(const Storage& storage) {
  if constexpr (requires { storage.csr(); })
    return &storage.csr();
  else
    return nullptr;
}

template <class B, class T, class View>
class RowOperator : public virtual Operator<B, T> {
 public:
  using Vector = Field<B, T>;
  RowOperator(B& backend, Extent e) : be_(backend) { this->extent_ = e; }

  void apply(const Vector& x, Vector& y, Dots<T> dots) const override {
    product(be_, rows(), view_, view_.bytes, "q = A p", "q = A p, <w, q>", x, y, dots, dots_.data());
  }

  void apply_all(std::span<const Vector> x, std::span<Vector> y) const override {
    // Where nothing is read of a matrix there is nothing to share; where little is, two vectors do not gain.
    if constexpr (View::matrix == Matrix::computed) {
      Operator<B, T>::apply_all(x, y);
    } else {
      if (View::recomputes && x.size() < 3) return Operator<B, T>::apply_all(x, y);
      for (const Vector& xk : x) be_.fetch_ghosts(1, xk);
      each_launch<B, T>(
          x, y, [&](const auto& columns) { product_of_groups(be_, rows(), view_, view_.bytes, columns); });
    }
  }

  void residual(const Vector& b, const Vector& x, Vector* r, Norms* norms, Epilogue then) const override {
    be_.fetch_ghosts(1, x);
    const View A = view_;
    const T *xs = x.data(), *bs = b.data();
    const double read = view_.bytes + 2 * sizeof(T);
    if (be_.compensates()) return compensated_residual(bs, xs, r, norms, then);
    if (r)
      be_.template rows_sum<View::matrix>(
          "r = b - A x, |r|", rows(), read, norms,
          [=] KERNEL(Row w, T & ri) {
            ri = bs[w.i] - A.row(w, Gather<T>{xs});
            return Norms::of(ri);
          },
          then, r->out());
    else
      be_.template rows_sum<View::matrix>(
          "|b - A x|", rows(), read, norms,
          [=] KERNEL(Row w) { return Norms::of(bs[w.i] - A.row(w, Gather<T>{xs})); }, then);
  }

  /// The same passes with rows that keep what rounding takes from them.
  void compensated_residual(const T* bs, const T* xs, Vector* r, Norms* norms, Epilogue then) const {
    const View A = view_;
    const double read = view_.bytes + 2 * sizeof(T);
    if (r)
      be_.template rows_sum<View::matrix>(
          "r = b - A x, |r|", this->extent_, read, norms,
          [=] KERNEL(Row w, T & ri) {
            const double exact = accurate_residual(A, w, bs[w.i], xs);
            ri = T(exact);
            return Norms::of(exact);
          },
          then, r->out());
    else
      be_.template rows_sum<View::matrix>(
          "|b - A x|", this->extent_, read, norms,
          [=] KERNEL(Row w) { return Norms::of(accurate_residual(A, w, bs[w.i], xs)); }, then);
  }

  void direction(const Vector& z, const double* beta, const Vector& p_before, Vector& p, Vector& q,
                 double* pq, Quotient after) const override {
    const View A = view_;
    auto* sum = reinterpret_cast<Sum<1>*>(pq);
    const Vector& before = beta ? p_before : z;  // at first p may hold what is no number
    if (!beta) beta = dots_.data() + no_beta;    // without a branch it is loaded once for all rows
    const auto then = [=] KERNEL(const Sum<1>&) { after(); };
    const NextDirection<T> next{beta};
    // p is made on ghost rows, too, where p_before has them from the last time: so r or z alone is exchanged
    be_.fetch_ghosts(1, z);
    be_.map_ghosts("p = z + beta p on ghost rows", this->extent_, 1, next, z.in(), before.in(), p.out());
    if constexpr (View::recomputes) {
      const T *zs = z.data(), *ps = before.data();
      be_.template rows_sum<View::matrix>(
          "p = z + beta p, <p, A p>", rows(), view_.bytes + 2 * sizeof(T), sum,
          [=] KERNEL(Row r, T & pi) {
            const Combined<T> combined{zs, ps, T(*beta)};
            pi = combined(r.i);
            return Sum<1>{{double(pi) * A.row(r, combined)}};
          },
          then, p.out());
    } else {
      be_.map("p = z + beta p", this->extent_, next, z.in(), before.in(), p.out());
      const T* ps = p.data();
      be_.template rows_sum<View::matrix>(
          "q = A p, <p, q>", rows(), view_.bytes + sizeof(T), sum,
          [=] KERNEL(Row r, T & qi) {
            qi = A.row(r, Gather<T>{ps});
            return Sum<1>{{double(ps[r.i]) * qi}};
          },
          then, q.out());
    }
  }

  void update(const double* alpha, const Vector& p, const Vector& q, Vector& x, Vector& r, Norms* norms,
              Epilogue then) const override {
    if constexpr (View::recomputes) {
      const View A = view_;
      const T* ps = p.data();
      be_.template rows_sum<View::matrix>(
          "x += alpha p, r -= alpha A p, |r|", rows(), view_.bytes + sizeof(T), norms,
          [=] KERNEL(Row w, T & xi, T & ri) {
            const T s = T(*alpha);
            xi = std::fma(s, ps[w.i], xi);
            ri = std::fma(-s, A.row(w, Gather<T>{ps}), ri);
            return Norms::of(ri);
          },
          then, x.inout(), r.inout());
    } else {
      update_by_product<T>(be_, this->extent_, alpha, p, q, x, r, norms, then);
    }
  }

  void relax(const Vector& b, const Vector& x, Vector& x_after, double omega, Norms* norms,
             Epilogue then) const override {
    be_.fetch_ghosts(1, x);
    const View A = view_;
    const T *xs = x.data(), *bs = b.data();
    const T w = T(omega);
    be_.template rows_sum<View::matrix>(
        "x = x + omega D^-1 (b - A x), |b - A x|", rows(), view_.bytes + 2 * sizeof(T), norms,
        [=] KERNEL(Row r, T & after) {
          const T ri = bs[r.i] - A.row(r, Gather<T>{xs});
          after = std::fma(w, ri / diagonal<T>(A, r), xs[r.i]);
          return Norms::of(ri);
        },
        then, x_after.out());
  }

  void relax_colour(const Vector& b, Vector& x, double omega, int colour) const override {
    be_.fetch_ghosts(1, x);
    relax_one_colour<T>(be_, this->extent_, view_, b.data(), x.data(), omega, colour);
  }

  void inverse_diagonal(Vector& d) const override {
    const View A = view_;
    be_.rows(
        "d = 1 / diag A", rows(), view_.bytes, [=] KERNEL(Row r, T & di) { di = T(1) / diagonal<T>(A, r); },
        d.out());
  }

  void recur(const Vector& b, const Vector& x, Vector& x_before, ThreeTerm step, Norms* norms,
             Epilogue then) const override {
    be_.fetch_ghosts(1, x);
    const View A = view_;
    const T *xs = x.data(), *bs = b.data();
    const T m = T(step.momentum), w = T(step.weight);
    const double read = view_.bytes + 2 * sizeof(T);
    if (!norms) {
      be_.rows(
          "x = x + m (x - x_before) + w D^-1 (b - A x)", rows(), read,
          [=] KERNEL(Row r, T & before) {
            const T xi = xs[r.i], ri = bs[r.i] - A.row(r, Gather<T>{xs});
            before = std::fma(w, ri / diagonal<T>(A, r), std::fma(m, xi - before, xi));
          },
          x_before.inout());
      return;
    }
    be_.template rows_sum<View::matrix>(
        "x = x + m (x - x_before) + w D^-1 (b - A x), |b - A x|", rows(), read, norms,
        [=] KERNEL(Row r, T & before) {
          const T xi = xs[r.i], ri = bs[r.i] - A.row(r, Gather<T>{xs});
          before = std::fma(w, ri / diagonal<T>(A, r), std::fma(m, xi - before, xi));
          return Norms::of(ri);
        },
        then, x_before.inout());
  }

  void gershgorin(Bounds* bounds) const override { gershgorin_bounds<T>(be_, this->extent_, view_, bounds); }

  void apply_transposed(const Vector& x, Vector& y, Dots<T> dots) const override {
    if (this->facts().symmetric) return apply(x, y, dots);
    const auto by = [&](const auto& A) {
      product(be_, rows(), A, view_.bytes, "q = A' p", "q = A' p, <w, q>", x, y, dots, dots_.data());
    };
    if constexpr (requires { view_.transposed(); })
      by(view_.transposed());
    else
      by(transposed().view());
  }

  void column_squares(Vector& squares) const override {
    if (this->facts().symmetric)
      row_squares<T>(be_, this->extent_, view_, unknowns_, squares);
    else
      row_squares<T>(be_, this->extent_, transposed().view(), unknowns_, squares);
  }

  const Csr<B, T>& csr() const override {
    if (const Csr<B, T>* stored = stored_csr()) return *stored;
    if (csr_version_ != this->version_) {
      csr_ = extract_csr<T>(be_, this->extent_, view_);
      csr_version_ = this->version_;
    }
    return csr_;
  }

  bool stores_product() const override { return !View::recomputes; }
  double matrix_bytes() const override { return view_.bytes * double(this->extent_.points()); }

 protected:
  /// The storage is filled.
  template <class Storage>
  void use(const Storage& storage) {
    view_ = storage.view();
  }
  /// What `row` of the format goes over. A format that says nothing of edges stores all that there is to
  /// know.
  Rows rows() const {
    if constexpr (requires { view_.edges; })
      return {this->extent_, view_.edges};
    else
      return {this->extent_, false};
  }
  /// Where the format keeps compressed sparse rows itself; null: they are extracted.
  virtual const Csr<B, T>* stored_csr() const { return nullptr; }

  B& be_;
  View view_{};
  int unknowns_ = std::numeric_limits<int>::max();  // rows from here on are padding
  static constexpr int no_beta = 2;                 // place of a zero
  Buffer<B, double> dots_{be_, 3};

 private:
  const Csr<B, T>& transposed() const {
    if (transposed_version_ != this->version_) {
      transposed_ = Csr<B, T>(be_, transpose(csr().download()));
      transposed_version_ = this->version_;
    }
    return transposed_;
  }

  mutable Csr<B, T> csr_, transposed_;
  mutable long csr_version_ = -1, transposed_version_ = -1;
};

}  // namespace wavesim
