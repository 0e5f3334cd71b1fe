#pragma once
// The operator of any square matrix.

#include <utility>

#include "solvers/formats/row_operator.hpp"

namespace wavesim {

/// Any square matrix, in a format filled from compressed sparse rows.
template <class B, class T, class Storage>
class MatrixOperator final : public RowOperator<B, T, typename Storage::View> {
 public:
  MatrixOperator(B& backend, Extent e, Csr<B, T> csr, bool symmetric)
      : RowOperator<B, T, typename Storage::View>(backend, e),
        storage_(backend, e, std::move(csr)),
        symmetric_(symmetric) {
    this->view_ = storage_.view();
    this->version_ = 1;
  }
  MatrixFacts facts() const override { return {Structure::any, symmetric_, sizeof(T) == 4}; }

 private:
  const Csr<B, T>* stored_csr() const override { return kept_csr<B, T>(storage_); }

  Storage storage_;
  bool symmetric_;
};

}  // namespace wavesim
