#pragma once
// The operator of any square matrix.

#include <utility>

#include "solvers/formats/row_operator.hpp"

namespace wavesim {

/// Any square matrix, in a format filled from compressed sparse rows.
template <class B, class T, class Storage>
class MatrixOperator final : public RowOperator<B, T, typename Storage::View> {
 public:
  /// `csr` is padded to the extent; the first `unknowns` rows are those of the matrix.
  MatrixOperator(B& backend, Extent e, Csr<B, T> csr, int unknowns, MatrixFacts facts)
      : RowOperator<B, T, typename Storage::View>(backend, e),
        storage_(backend, e, std::move(csr)),
        facts_(facts) {
    this->view_ = storage_.view();
    this->unknowns_ = unknowns;
    this->version_ = 1;
  }
  MatrixFacts facts() const override { return facts_; }

 private:
  const Csr<B, T>* stored_csr() const override { return kept_csr<B, T>(storage_); }

  Storage storage_;
  MatrixFacts facts_;
};

}  // namespace wavesim
