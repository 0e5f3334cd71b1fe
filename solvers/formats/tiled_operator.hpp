#pragma once
// The operator's passes where a storage of rows has a product of its own, by tiles of rows: q = A p, and then passes over
// vectors. Other passes go row by row.

#include "solvers/formats/row_operator.hpp"

namespace wavesim {

template <class B, class T, class Storage>
class TiledOperator : public RowOperator<B, T, typename Storage::View> {
  using ByRows = RowOperator<B, T, typename Storage::View>;

 public:
  using Vector = Field<B, T>;
  TiledOperator(B& backend, Extent e) : ByRows(backend, e), q_(backend, e) {}

  void apply(const Vector& x, Vector& y, Dots<T> dots) const override {
    multiply(x, y);
    products_of<T>(this->be_, this->extent_, x, y, dots, this->dots_.data());
  }
  void apply_all(std::span<const Vector> x, std::span<Vector> y) const override {
    if constexpr (B::asynchronous) {
      if (x.size() == 1) return this->apply_one_by_one(x, y);
      each_launch<B, T, Storage::vectors_of_block, Storage::most_vectors>(x, y, [&](const auto& columns) {
        storage_->multiply(this->be_, "Y = A X, by tiles", this->extent_, columns);
      });
    } else {
      ByRows::apply_all(x, y);
    }
  }
  void residual(const Vector& b, const Vector& x, Vector* r, Norms* norms, Epilogue then) const override {
    if (this->be_.compensates()) return ByRows::residual(b, x, r, norms, then);
    multiply(x, q_);
    residual_by_product<T>(this->be_, this->extent_, b, q_, r, norms, then);
  }
  void direction(const Vector& z, const double* beta, const Vector& p_before, Vector& p, Vector& q,
                 double* pq, Quotient after) const override {
    next_direction<T>(this->be_, this->extent_, z, beta, p_before, p, this->dots_.data() + ByRows::no_beta);
    multiply(p, q);
    product_of<T>(this->be_, this->extent_, p, q, pq, after);
  }

 protected:
  void use(const Storage& storage) {
    ByRows::use(storage);
    storage_ = &storage;
  }

 private:
  void multiply(const Vector& x, Vector& y) const {
    storage_->multiply(this->be_, "q = A p, by tiles", this->extent_, x, y);
  }

  const Storage* storage_ = nullptr;
  mutable Vector q_;
};

}  // namespace wavesim
