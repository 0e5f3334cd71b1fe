#pragma once
// Rows of a matrix sorted by stage, so that what runs together lies together: column-major in slices of up to
// 32 rows of one stage, padded to the longest row of the slice (ELLPACK by level, Nibbeling 2016, chapter 3;
// the slices bound the padding that one long row causes).

#include "kernels/stages.hpp"
#include "solvers/ordering.hpp"

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
  /// `keep(i, j)`: which entries to take.
  template <class Keep>
  StagedRows(B& backend, const HostCsr& A, const RowStages& order, Keep keep)
      : stages_(backend, order.start), place_(backend, order.row.size()) {
    std::vector<RowPlace> place(order.row.size());
    std::vector<int> column;
    std::vector<T> value;
    for (int s = 0; s < order.count(); ++s)
      for (int first = order.start[s]; first < order.start[std::size_t(s) + 1]; first += slice) {
        const int height = std::min(slice, order.start[std::size_t(s) + 1] - first);
        const int base = int(column.size());
        int width = 0;
        for (int k = first; k < first + height; ++k) {
          const int i = order.row[k];
          int length = 0;
          for (int e = A.start[i]; e < A.start[std::size_t(i) + 1]; ++e) length += keep(i, A.column[e]);
          place[k] = {i, base + k - first, height, length};
          width = std::max(width, length);
          entries_ += length;
        }
        column.resize(column.size() + std::size_t(width) * height, 0);
        value.resize(column.size(), T(0));
        for (int k = first; k < first + height; ++k) {
          int at = place[k].first;
          for (int e = A.start[place[k].row]; e < A.start[std::size_t(place[k].row) + 1]; ++e)
            if (keep(place[k].row, A.column[e])) {
              column[at] = A.column[e];
              value[at] = T(A.value[e]);
              at += height;
            }
        }
      }
    place_.upload(place);
    column_ = Buffer<B, int>(backend, column.size());
    column_.upload(column);
    value_ = Buffer<B, T>(backend, value.size());
    value_.upload(value);
  }

  StagedRowsView<T> view() const { return {place_.data(), column_.data(), value_.data()}; }
  const Stages<B>& stages() const { return stages_; }
  int rows() const { return int(place_.size()); }
  /// Read for one visit of all rows.
  double bytes() const {
    return double(entries_) * (sizeof(T) + sizeof(int)) + double(rows()) * sizeof(RowPlace);
  }

 private:
  Stages<B> stages_;
  Buffer<B, RowPlace> place_;
  Buffer<B, int> column_;
  Buffer<B, T> value_;
  long entries_ = 0;
};

}  // namespace wavesim
