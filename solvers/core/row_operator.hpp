#pragma once
// The only implementation of the operator's passes: over the `row` of any format.

#include "kernels/formats/extract_csr.hpp"
#include "kernels/formats/stencil.hpp"
#include "solvers/core/operator.hpp"
#include "solvers/stationary/blocked_sweeps.hpp"
#include "solvers/stationary/red_black.hpp"

namespace wavesim {

/// `Base`: WaveOperator for the wave system, Operator for any other matrix.
template <class B, class T, class View, class Base>
class RowOperator : public Base {
 public:
  using Vector = Field<B, T>;
  RowOperator(B& backend, Extent e) : Base(e), be_(backend) {}

  void apply(const Vector& x, Vector& y, Dots<T> dots) const override {
    product(view_, "q = A p", "q = A p, <w, q>", x, y, dots);
  }

  template <class Matrix>
  void product(const Matrix& A, const char* label, const char* label_with_dots, const Vector& x, Vector& y,
               Dots<T> dots) const {
    const T* xs = x.data();
    if (!dots.wy && !dots.yy) {
      be_.rows(
          label, rows(), view_.bytes + sizeof(T), [=] HD(Row r, T & yi) { yi = A.row(r, Gather<T>{xs}); },
          y.out());
      return;
    }
    const T* const ws = dots.wy ? dots.w : xs;  // not asked for: any numbers do, and no branch
    auto* both = reinterpret_cast<Sum<2>*>(dots_.data());
    be_.template rows_sum<View::matrix>(
        label_with_dots, rows(), view_.bytes + (ws != xs ? 2 : 1) * sizeof(T), both,
        [=] HD(Row r, T & yi) {
          yi = A.row(r, Gather<T>{xs});
          return Sum<2>{{double(ws[r.i]) * yi, double(yi) * yi}};
        },
        [=] HD(const Sum<2>& s) {
          if (dots.wy) *dots.wy = s.v[0];
          if (dots.yy) *dots.yy = s.v[1];
        },
        y.out());
  }

  void residual(const Vector& b, const Vector& x, Vector* r, Norms* norms, Epilogue then) const override {
    const View A = view_;
    const T *xs = x.data(), *bs = b.data();
    const double read = view_.bytes + 2 * sizeof(T);
    if (be_.compensates()) return compensated_residual(bs, xs, r, norms, then);
    if (r)
      be_.template rows_sum<View::matrix>(
          "r = b - A x, |r|", rows(), read, norms,
          [=] HD(Row w, T & ri) {
            ri = bs[w.i] - A.row(w, Gather<T>{xs});
            return Norms::of(ri);
          },
          then, r->out());
    else
      be_.template rows_sum<View::matrix>(
          "|b - A x|", rows(), read, norms,
          [=] HD(Row w) { return Norms::of(bs[w.i] - A.row(w, Gather<T>{xs})); }, then);
  }

  /// The same passes with rows that keep what rounding takes from them.
  void compensated_residual(const T* bs, const T* xs, Vector* r, Norms* norms, Epilogue then) const {
    const View A = view_;
    const double read = view_.bytes + 2 * sizeof(T);
    if (r)
      be_.template rows_sum<View::matrix>(
          "r = b - A x, |r|", this->extent_, read, norms,
          [=] HD(Row w, T & ri) {
            const double exact = accurate_residual(A, w, bs[w.i], xs);
            ri = T(exact);
            return Norms::of(exact);
          },
          then, r->out());
    else
      be_.template rows_sum<View::matrix>(
          "|b - A x|", this->extent_, read, norms,
          [=] HD(Row w) { return Norms::of(accurate_residual(A, w, bs[w.i], xs)); }, then);
  }

  void direction(const Vector& z, const double* beta, const Vector& p_before, Vector& p, Vector& q,
                 double* pq, Quotient after) const override {
    const View A = view_;
    auto* sum = reinterpret_cast<Sum<1>*>(pq);
    const Vector& before = beta ? p_before : z;  // at first p may hold what is no number
    if (!beta) beta = dots_.data() + no_beta;    // without a branch it is loaded once for all rows
    const auto then = [=] HD(const Sum<1>&) { after(); };
    if constexpr (View::recomputes) {
      const T *zs = z.data(), *ps = before.data();
      be_.template rows_sum<View::matrix>(
          "p = z + beta p, <p, A p>", rows(), view_.bytes + 2 * sizeof(T), sum,
          [=] HD(Row r, T & pi) {
            const Combined<T> next{zs, ps, T(*beta)};
            pi = next(r.i);
            return Sum<1>{{double(pi) * A.row(r, next)}};
          },
          then, p.out());
    } else {
      be_.map(
          "p = z + beta p", this->extent_.count(),
          [=] HD(const T& zi, const T& before, T& pi) { pi = std::fma(T(*beta), before, zi); }, z.in(),
          before.in(), p.out());
      const T* ps = p.data();
      be_.template rows_sum<View::matrix>(
          "q = A p, <p, q>", rows(), view_.bytes + sizeof(T), sum,
          [=] HD(Row r, T & qi) {
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
             Epilogue then) const override {
    const View A = view_;
    const T *xs = x.data(), *bs = b.data();
    const T w = T(omega);
    be_.template rows_sum<View::matrix>(
        "x = x + omega D^-1 (b - A x), |b - A x|", rows(), view_.bytes + 2 * sizeof(T), norms,
        [=] HD(Row r, T & after) {
          const T ri = bs[r.i] - A.row(r, Gather<T>{xs});
          after = std::fma(w, ri / diagonal<T>(A, r), xs[r.i]);
          return Norms::of(ri);
        },
        then, x_after.out());
  }

  void relax_colour(const Vector& b, Vector& x, double omega, int colour) const override {
    relax_one_colour<T>(be_, this->extent_, view_, b.data(), x.data(), omega, colour);
  }

  void inverse_diagonal(Vector& d) const override {
    const View A = view_;
    be_.rows(
        "d = 1 / diag A", rows(), view_.bytes, [=] HD(Row r, T & di) { di = T(1) / diagonal<T>(A, r); },
        d.out());
  }

  void recur(const Vector& b, const Vector& x, Vector& x_before, ThreeTerm step, Norms* norms,
             Epilogue then) const override {
    const View A = view_;
    const T *xs = x.data(), *bs = b.data();
    const T m = T(step.momentum), w = T(step.weight);
    const double read = view_.bytes + 2 * sizeof(T);
    if (!norms) {
      be_.rows(
          "x = x + m (x - x_before) + w D^-1 (b - A x)", rows(), read,
          [=] HD(Row r, T & before) {
            const T xi = xs[r.i], ri = bs[r.i] - A.row(r, Gather<T>{xs});
            before = std::fma(w, ri / diagonal<T>(A, r), std::fma(m, xi - before, xi));
          },
          x_before.inout());
      return;
    }
    be_.template rows_sum<View::matrix>(
        "x = x + m (x - x_before) + w D^-1 (b - A x), |b - A x|", rows(), read, norms,
        [=] HD(Row r, T & before) {
          const T xi = xs[r.i], ri = bs[r.i] - A.row(r, Gather<T>{xs});
          before = std::fma(w, ri / diagonal<T>(A, r), std::fma(m, xi - before, xi));
          return Norms::of(ri);
        },
        then, x_before.inout());
  }

  void gershgorin(Bounds* bounds) const override { gershgorin_bounds<T>(be_, this->extent_, view_, bounds); }

  void apply_transposed(const Vector& x, Vector& y, Dots<T> dots) const override {
    if (this->facts().symmetric) return apply(x, y, dots);
    if constexpr (requires { view_.transposed(); }) {
      product(view_.transposed(), "q = A' p", "q = A' p, <w, q>", x, y, dots);
    } else {
      product(transposed().view(), "q = A' p", "q = A' p, <w, q>", x, y, dots);
    }
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

 private:
  const Csr<B, T>& transposed() const {
    if (transposed_version_ != this->version_) {
      transposed_ = Csr<B, T>(be_, transpose(csr().download()));
      transposed_version_ = this->version_;
    }
    return transposed_;
  }

  static constexpr int no_beta = 2;  // place of a zero
  Buffer<B, double> dots_{be_, 3};
  mutable Csr<B, T> csr_, transposed_;
  mutable long csr_version_ = -1, transposed_version_ = -1;
};

/// What the operators of the wave system know about it.
template <class T, class Coefficients>
WaveSystemFacts<T> facts_of(const WaveSystem<T, Coefficients>& system) {
  WaveSystemFacts<T> f;
  f.uniform = Coefficients::uniform;
  if constexpr (Coefficients::uniform)
    f.constant = system.coefficients;
  else
    f.varying = system.coefficients;
  f.a = double(system.a);
  f.b = double(system.b);
  return f;
}
template <class T>
Structure structure_of(const WaveSystemFacts<T>& f) {
  if (!f.uniform) return Structure::five_point;
  for (T radiation : f.constant.radiation)
    if (radiation != 0) return Structure::five_point;
  return Structure::rectangle;
}

/// A stored format, filled from the coefficients by one kernel.
template <class B, class T, class Storage, class Coefficients>
class StoredOperator final : public RowOperator<B, T, typename Storage::View, WaveOperator<B, T>> {
  using Base = RowOperator<B, T, typename Storage::View, WaveOperator<B, T>>;

 public:
  StoredOperator(B& backend, Extent e, const Coefficients& c)
      : Base(backend, e), system_{c, T(0), T(1)}, storage_(backend, e, system_), facts_(facts_of(system_)) {
    this->view_ = storage_.view();
  }
  void assemble(double a, double b) override {
    if (system_.a != T(a) || system_.b != T(b) || this->version_ == 0) ++this->version_;
    system_.a = T(a);
    system_.b = T(b);
    facts_ = facts_of(system_);
    storage_.assemble(this->be_, this->extent_, system_);
  }
  bool assembly_is_a_pass() const override { return true; }
  const WaveSystemFacts<T>* wave_system() const override { return &facts_; }
  MatrixFacts facts() const override { return {structure_of(facts_), true, sizeof(T) == 4}; }

 private:
  const Csr<B, T>* stored_csr() const override {
    if constexpr (requires { storage_.csr(); })
      return &storage_.csr();
    else
      return nullptr;
  }

  WaveSystem<T, Coefficients> system_;
  Storage storage_;
  WaveSystemFacts<T> facts_;
};

/// `stencil`: assembly is two numbers.
template <class B, class T, class Coefficients>
class StencilOperator : public RowOperator<B, T, WaveStencilView<T, Coefficients>, WaveOperator<B, T>> {
 public:
  StencilOperator(B& backend, Extent e, const Coefficients& c)
      : RowOperator<B, T, WaveStencilView<T, Coefficients>, WaveOperator<B, T>>(backend, e) {
    this->view_.set({c, T(0), T(1)});
    facts_ = facts_of(this->view_.system);
  }
  void assemble(double a, double b) override {
    auto system = this->view_.system;
    if (system.a != T(a) || system.b != T(b) || this->version_ == 0) ++this->version_;
    system.a = T(a);
    system.b = T(b);
    this->view_.set(system);
    facts_ = facts_of(system);
  }
  bool assembly_is_a_pass() const override { return false; }
  const WaveSystemFacts<T>* wave_system() const override { return &facts_; }
  MatrixFacts facts() const override { return {structure_of(facts_), true, sizeof(T) == 4}; }

  int blocked_sweep_count() const override {
    if (!temporal::fits<T>(facts_.topology()) || this->be_.compensates()) return 0;
    // now, for what streams later may be recorded, which memory cannot be
    blocked_system_.prepare(this->be_, this->extent_, this->view_.system, this->version_);
    return sweeps_of_a_pass;
  }
  void blocked_sweeps(const Field<B, T>& b, From<B, T> from, To<B, T> to, const std::vector<ThreeTerm>& steps,
                      Norms* norms, Epilogue then) const override {
    blocked_system_.prepare(this->be_, this->extent_, this->view_.system, this->version_);
    run_blocked_sweeps(this->be_, this->extent_, blocked_system_, b, from, to, steps, norms, then);
  }
  void fused_step(const FusedStep<B, T>& step, const std::vector<ThreeTerm>& steps, StepNorms* norms,
                  Epilogue then) const override {
    blocked_system_.prepare_fused_steps(this->be_, this->extent_, this->view_.system, this->version_);
    run_fused_step(this->be_, this->extent_, blocked_system_, step, steps, norms, then);
  }

 private:
  WaveSystemFacts<T> facts_;
  mutable BlockedSystem<B, T, Coefficients> blocked_system_;
};

/// Any square matrix, in a format filled from compressed sparse rows.
template <class B, class T, class Storage>
class MatrixOperator final : public RowOperator<B, T, typename Storage::View, Operator<B, T>> {
 public:
  MatrixOperator(B& backend, Extent e, Csr<B, T> csr, bool symmetric)
      : RowOperator<B, T, typename Storage::View, Operator<B, T>>(backend, e),
        storage_(backend, e, std::move(csr)),
        symmetric_(symmetric) {
    this->view_ = storage_.view();
    this->version_ = 1;
  }
  MatrixFacts facts() const override { return {Structure::any, symmetric_, sizeof(T) == 4}; }

 private:
  const Csr<B, T>* stored_csr() const override {
    if constexpr (requires { storage_.csr(); })
      return &storage_.csr();
    else
      return nullptr;
  }

  Storage storage_;
  bool symmetric_;
};

}  // namespace wavesim
