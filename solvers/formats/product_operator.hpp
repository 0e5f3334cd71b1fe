#pragma once
// The operator's passes where A is a product of somebody else's, y <- A x: they are composed of that and of our passes over
// vectors. Passes that read rows are refused.

#include <limits>
#include <optional>
#include <utility>

#include "kernels/backend/errors.hpp"
#include "kernels/formats/csr.hpp"
#include "solvers/core/operator.hpp"
#include "solvers/formats/product.hpp"

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
    apply_product(rows_->product(), "q = A p (library)", x, y, dots);
  }
  void apply_transposed(const Vector& x, Vector& y, Dots<T> dots) const override {
    if (this->facts().symmetric) return apply(x, y, dots);
    apply_product(transposed(), "q = A' p (library)", x, y, dots);
  }

  void residual(const Vector& b, const Vector& x, Vector* r, Norms* norms, Epilogue then) const override {
    multiply("q = A p (library)", x, q_);
    residual_by_product<T>(be_, this->extent_, b, q_, r, norms, then);
  }

  void direction(const Vector& z, const double* beta, const Vector& p_before, Vector& p, Vector& q,
                 double* pq, Quotient after) const override {
    next_direction<T>(be_, this->extent_, z, beta, p_before, p, dots_.data() + no_beta);
    multiply("q = A p (library)", p, q);
    product_of<T>(be_, this->extent_, p, q, pq, after);
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
  void apply_product(const Product& A, const char* label, const Vector& x, Vector& y, Dots<T> dots) const {
    count(label);
    A(x.data(), y.data(), guard_as_scale());
    products_of<T>(be_, this->extent_, x, y, dots, dots_.data());
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
