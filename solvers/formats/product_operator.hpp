#pragma once
// The operator's passes where A is a product of somebody else's, y <- A x: they are composed of that and of our passes over
// vectors. Passes that read rows are refused.

#include <limits>
#include <optional>
#include <utility>

#include "kernels/backend/errors.hpp"
#include "kernels/formats/csr.hpp"
#include "solvers/core/operator.hpp"
#include "solvers/formats/row_passes.hpp"

namespace wavesim {

/// A storage of compressed sparse rows for a product: `Product` is made of a backend and of rows that are filled, whose
/// pattern then stays, and enqueues
///     operator()(x, y, scale): y <- A x with scale null, else y <- scale[0] A x + scale[1] y
/// for vectors of the backend, of as many elements as A has rows; scale lies in the backend's memory.
template <class B, class T, class P>
class MultipliedRows {
 public:
  using View = CsrView<T>;
  using Product = P;
  template <class System>
  MultipliedRows(B& backend, Extent e, const System& system) : csr_(backend, e, system) {}
  /// Any square matrix.
  MultipliedRows(B& backend, Extent, Csr<B, T> csr)
      : csr_(std::move(csr)), product_(std::in_place, backend, csr_) {}
  template <class System>
  void assemble(B& backend, Extent e, const System& system) {
    csr_.assemble(backend, e, system);
    if (!product_) product_.emplace(backend, csr_);
  }
  const Csr<B, T>& csr() const { return csr_; }
  const Product& product() const { return *product_; }

 private:
  Csr<B, T> csr_;
  std::optional<Product> product_;
};

/// scale <- {1, 0} where a kernel under the guard would run, else {0, 1}.
template <class T, class B>
void scale_by_guard(B& be, const int* flag, int value, T* scale) {
  be.guard(nullptr, 0);
  be.once("the guard as a number", [=] KERNEL() {
    const bool closed = flag && *flag != value;
    scale[0] = closed ? T(0) : T(1);
    scale[1] = closed ? T(1) : T(0);
  });
  be.unguard();
}

template <class B, class T, class Storage>
class ProductOperator : public virtual Operator<B, T> {
 public:
  using Vector = Field<B, T>;
  using Product = typename Storage::Product;
  ProductOperator(B& backend, Extent e) : be_(backend), q_(backend, e) { this->extent_ = e; }

  void apply(const Vector& x, Vector& y, Dots<T> dots) const override {
    apply(rows_->product(), "q = A p (library)", x, y, dots);
  }
  void apply_transposed(const Vector& x, Vector& y, Dots<T> dots) const override {
    if (this->facts().symmetric) return apply(x, y, dots);
    apply(transposed(), "q = A' p (library)", x, y, dots);
  }

  void residual(const Vector& b, const Vector& x, Vector* r, Norms* norms, Epilogue then) const override {
    multiply("q = A p (library)", x, q_);
    if (r)
      be_.map_sum(
          "r = b - q, |r|", this->extent_, norms,
          [=] KERNEL(const T& bi, const T& qi, T& ri) {
            ri = bi - qi;
            return Norms::of(ri);
          },
          then, b.in(), q_.in(), r->out());
    else
      be_.map_sum(
          "|b - q|", this->extent_, norms,
          [=] KERNEL(const T& bi, const T& qi) { return Norms::of(bi - qi); }, then, b.in(), q_.in());
  }

  void direction(const Vector& z, const double* beta, const Vector& p_before, Vector& p, Vector& q,
                 double* pq, Quotient after) const override {
    be_.map("p = z + beta p", this->extent_, NextDirection<T>{beta ? beta : dots_.data() + no_beta}, z.in(),
            (beta ? p_before : z).in(), p.out());
    multiply("q = A p (library)", p, q);
    be_.map_sum(
        "<p, q>", this->extent_, reinterpret_cast<Sum<1>*>(pq),
        [=] KERNEL(const T& pi, const T& qi) { return Sum<1>{{double(pi) * qi}}; },
        [=] KERNEL(const Sum<1>&) { after(); }, p.in(), q.in());
  }

  void update(const double* alpha, const Vector& p, const Vector& q, Vector& x, Vector& r, Norms* norms,
              Epilogue then) const override {
    update_by_product<T>(be_, this->extent_, alpha, p, q, x, r, norms, then);
  }

  void relax(const Vector&, const Vector&, Vector&, double, Norms*, Epilogue) const override { refuse(); }
  void relax_colour(const Vector&, Vector&, double, int) const override { refuse(); }
  void recur(const Vector&, const Vector&, Vector&, ThreeTerm, Norms*, Epilogue) const override { refuse(); }
  void inverse_diagonal(Vector&) const override { refuse(); }
  void column_squares(Vector&) const override { refuse(); }
  void gershgorin(Bounds*) const override { refuse(); }
  const Csr<B, T>& csr() const override { refuse(); }

  bool stores_product() const override { return true; }
  double matrix_bytes() const override { return rows_->csr().view().bytes * double(this->extent_.points()); }

  /// The product, then the inner products that are wanted (public, as nvcc wants it of lambdas).
  void apply(const Product& A, const char* label, const Vector& x, Vector& y, Dots<T> dots) const {
    count(label);
    A(x.data(), y.data(), guard_as_scale());
    if (!dots.wy && !dots.yy) return;
    be_.map_sum(
        "<w, q>, <q, q>", this->extent_, reinterpret_cast<Sum<2>*>(dots_.data()),
        [=] KERNEL(const T& w, const T& yi) {
          return Sum<2>{{double(w) * yi, double(yi) * yi}};
        },
        [=] KERNEL(const Sum<2>& s) {
          if (dots.wy) *dots.wy = s.v[0];
          if (dots.yy) *dots.yy = s.v[1];
        },
        In<T>{dots.wy ? dots.w : x.data()}, y.in());
  }

 protected:
  void use(const Storage& rows) { rows_ = &rows; }
  virtual const Csr<B, T>* stored_csr() const = 0;

  B& be_;
  int unknowns_ = std::numeric_limits<int>::max();  // rows from here on are padding

 private:
  [[noreturn]] static void refuse() {
    throw InputError(
        "the matrix is in a format that has only products with it, and its rows were asked for; write "
        "format: csr");
  }
  /// q <- A p where nobody reads q once the guard is closed: a library knows no guards.
  void multiply(const char* label, const Vector& p, Vector& q) const {
    count(label);
    rows_->product()(p.data(), q.data(), nullptr);
  }
  /// Under a guard that is closed y has to stay as it is, as kernels of ours leave it: 0 A x + 1 y, which is y for all x that are
  /// finite.
  const T* guard_as_scale() const {
    if constexpr (B::asynchronous)
      if (const auto guard = be_.guarding(); guard.flag) {
        scale_by_guard(be_, guard.flag, guard.value, scale_.data());
        return scale_.data();
      }
    return nullptr;
  }
  void count(const char* label) const {
    be_.counts().add(label, matrix_bytes() + 2 * sizeof(T) * double(this->extent_.points()), false);
  }
  const Product& transposed() const {
    if (transposed_version_ != this->version_) {
      by_transposed_.reset();
      transposed_ = Csr<B, T>(be_, transpose(stored_csr()->download()));
      by_transposed_.emplace(be_, transposed_);
      transposed_version_ = this->version_;
    }
    return *by_transposed_;
  }

  static constexpr int no_beta = 2;  // place of a zero
  const Storage* rows_ = nullptr;
  Buffer<B, double> dots_{be_, 3};
  Buffer<B, T> scale_{be_, 2};
  mutable Vector q_;
  mutable Csr<B, T> transposed_;
  mutable std::optional<Product> by_transposed_;
  mutable long transposed_version_ = -1;
};

}  // namespace wavesim
