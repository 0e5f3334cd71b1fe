#pragma once
// Rows of a matrix sorted by stage, so that what runs together lies together: column-major in slices of up to
// 32 rows of one stage, padded to the longest row of the slice (ELLPACK by level, Nibbeling 2016, chapter 3;
// the slices bound the padding that one long row causes).

#include "kernels/backend/stages.hpp"
#include "kernels/formats/csr.hpp"

namespace wavesim {

/// Where a row lies: its entries are first, first + stride, ...; one load for all of it.
struct alignas(16) RowPlace {
  int row, first, stride, length;
};

template <class T>
struct StagedRowsView {
  const RowPlace* place;
  const int* column;
  const T* value;

  /// f(j, a_ij) for the entries of the row at place p, in their order in the matrix.
  template <class F>
  HD void each(const RowPlace& p, F&& f) const {
    int k = p.first;
    for (int e = 0; e < p.length; ++e, k += p.stride) f(column[k], value[k]);
  }
};

template <class B, class T>
class StagedRows {
 public:
  static constexpr int slice = 32;

  StagedRows() = default;
  /// The rows of A that have entries, in that order; stage s is start[s] .. start[s + 1] - 1 of it.
  StagedRows(B& be, const Csr<B, T>& A, const Buffer<B, int>& order, std::vector<int> start)
      : stages_(be, std::move(start)), entries_(A.entries()) {
    fill(be, A.view(), order);
  }

  StagedRowsView<T> view() const { return {place_.data(), column_.data(), value_.data()}; }
  const Stages<B>& stages() const { return stages_; }
  int rows() const { return int(place_.size()); }
  /// Read for one visit of all rows.
  double bytes() const {
    return double(entries_) * (sizeof(T) + sizeof(int)) + double(rows()) * sizeof(RowPlace);
  }

  void fill(B& be, const CsrView<T>& A, const Buffer<B, int>& order);

 private:
  Stages<B> stages_;
  Buffer<B, RowPlace> place_;
  Buffer<B, int> column_;
  Buffer<B, T> value_;
  long entries_ = 0;
};

}  // namespace wavesim
