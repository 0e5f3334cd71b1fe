// Compiled once for each backend (levels.cpp says why).
#include "solvers/matrices/staged_rows.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/matrices/sparse_rows.hpp"

namespace wavesim {

template <class B, class T>
void StagedRows<B, T>::fill(B& be, const CsrView<T>& A, const Buffer<B, int>& order) {
  std::vector<int> firsts;  // of slices, which follow each other in the order
  for (int s = 0; s < stages_.count(); ++s)
    for (int k = stages_.start[s]; k < stages_.start[std::size_t(s) + 1]; k += slice) firsts.push_back(k);
  const int slices = int(firsts.size()), rows = stages_.start.back();
  firsts.push_back(rows);
  if (rows == 0) return;
  Buffer<B, int> bounds(be, firsts.size());
  bounds.upload(firsts);
  const Buffer<B, int> slice_of(be, rows), widths(be, slices), bases(be, std::size_t(slices) + 1);
  place_ = Buffer<B, RowPlace>(be, rows);
  const int *row = order.data(), *first = bounds.data();
  int *of = slice_of.data(), *width = widths.data(), *base = bases.data();
  RowPlace* place = place_.data();
  each(be, "slices of rows", slices, 4 + 4 * slice, [=] KERNEL(int s) {
    for (int k = first[s]; k < first[s + 1]; ++k) of[k] = s;
  });
  each(be, "widths of slices", rows, 20,
       [=] KERNEL(int k) { raise_to(width + of[k], A.start[row[k] + 1] - A.start[row[k]]); });
  const Buffer<B, Sum<1>> totals(be, 1);
  be.rows_sum(
      "elements of slices", vector_extent(slices), 16, totals.data(),
      [=] KERNEL(Row r) {
        if (r.i >= slices) return Sum<1>{};
        base[r.i] = width[r.i] * (first[r.i + 1] - first[r.i]);
        return Sum<1>{{double(width[r.i]) * (first[r.i + 1] - first[r.i])}};
      },
      NoEpilogue{});
  if (!(read(be, totals, 0).v[0] < 2147483647.0))
    throw InputError("the rows of this matrix are too long to be sorted into stages; take order: natural");
  sums_before(be, base, slices + 1);
  const int elements = read(be, bases, slices);
  column_ = Buffer<B, int>(be, elements);
  value_ = Buffer<B, T>(be, elements);
  int* column = column_.data();
  T* value = value_.data();
  each(be, "rows by stage", rows, 60, [=] KERNEL(int k) {
    const int s = of[k], i = row[k], begin = A.start[i], length = A.start[i + 1] - begin;
    const int stride = first[s + 1] - first[s];
    int at = base[s] + k - first[s];
    place[k] = {i, at, stride, length};
    for (int e = 0; e < length; ++e, at += stride) {
      column[at] = A.column[begin + e];
      value[at] = A.value[begin + e];
    }
  });
  be.synchronize();  // before the lists are released
}

template class StagedRows<Backend, double>;
template class StagedRows<Backend, float>;

}  // namespace wavesim
