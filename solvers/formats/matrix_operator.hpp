#pragma once
// The operator of any square matrix.

#include <utility>

#include "solvers/formats/passes_of.hpp"

namespace wavesim {

/// Any square matrix, in a format filled from compressed sparse rows.
template <class B, class T, class Storage>
class MatrixOperator final : public PassesOf<B, T, Storage> {
 public:
  using Vector = Field<B, T>;
  /// `csr` is padded to the extent; the first `unknowns` rows are those of the matrix. `scattered`: entries of a row
  /// (scattered_entries.hpp).
  MatrixOperator(B& backend, Extent e, Csr<B, T> csr, int unknowns, MatrixFacts facts, double scattered)
      : PassesOf<B, T, Storage>(backend, e),
        storage_(backend, e, std::move(csr)),
        facts_(facts),
        scattered_(scattered > 1) {
    this->use(storage_);
    this->unknowns_ = unknowns;
    facts_.readable = rows_are_readable<Storage>;
    this->version_ = 1;
  }
  MatrixFacts facts() const override { return facts_; }
  void apply_all(std::span<const Vector> x, std::span<Vector> y) const override {
    if constexpr (!rows_are_readable<Storage>) {
      this->apply_one_by_one(x, y);
    } else if constexpr (B::asynchronous && rows_lie_in_tiles<B, T, Storage>) {
      PassesOf<B, T, Storage>::apply_all(x, y);
    } else {
      if (!scattered_) return PassesOf<B, T, Storage>::apply_all(x, y);
      if (!interleaving_pays<B, T>(this->extent_, x.size())) return this->apply_one_by_one(x, y);
      each_launch<B, T>(x, y, [&](const auto& columns) {
        product_of_interleaved(this->be_, this->extent_, this->view_, this->view_.bytes, columns, room_);
      });
    }
  }

 private:
  const Csr<B, T>* stored_csr() const override { return kept_csr<B, T>(storage_); }

  Storage storage_;
  MatrixFacts facts_;
  bool scattered_;
  mutable Buffer<B, T> room_;  // of interleaved vectors
};

}  // namespace wavesim
