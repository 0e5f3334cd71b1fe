#pragma once
// Solves with triangular matrices by level scheduling (Saad, Iterative Methods, 11.6; Nibbeling 2016): the
// rows of a level depend on earlier levels only and are solved side by side. Levels are found once, on the
// host; rows are stored by level (staged_rows.hpp) and the diagonal apart from them, as its inverse.

#include <string>

#include "kernels/errors.hpp"
#include "solvers/staged_rows.hpp"

namespace wavesim {

enum class Triangle { lower, upper };

template <class B, class T>
class Triangular {
 public:
  Triangular() = default;
  /// The triangle of A on that side, with its diagonal, or with ones in place of it if `unit`. What A has on
  /// the other side is ignored. Rows without any entry (padding) are left out. Throws InputError if an
  /// element of the diagonal is zero or missing.
  Triangular(B& backend, const HostCsr& A, Triangle side, bool unit) : be_(&backend), unit_(unit) {
    const bool lower = side == Triangle::lower;
    const RowStages levels = levels_of(A, lower ? Depends::lower : Depends::upper);
    rows_ = StagedRows<B, T>(backend, A, levels, [lower](int i, int j) { return lower ? j < i : j > i; });
    if (unit) return;
    std::vector<T> inverse;
    inverse.reserve(levels.row.size());
    for (int i : levels.row) {
      double d = 0;
      for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
        if (A.column[k] == i) d = A.value[k];
      inverse.push_back(T(1 / d));
      if (!(inverse.back() - inverse.back() == 0))
        throw InputError("a triangular matrix has a zero on its diagonal, in row " + std::to_string(i) +
                         " (counted from 0); its system has no unique solution");
    }
    inverse_ = Buffer<B, T>(backend, inverse.size());
    inverse_.upload(inverse);
  }

  /// Solves for `count` right-hand sides, each `stride` elements after the last: x_k <- A^-1 b_k, over the
  /// linear index. x may be b.
  void solve(const T* b, T* x, int count = 1, long stride = 0) const {
    const double moved = rows_.bytes() + double(rows_.rows()) * (2 * count + !unit_) * sizeof(T);
    // the gathers of x, at least once
    const double gathered = double(rows_.rows()) * count * sizeof(T);
    const StagedRowsView<T> A = rows_.view();
    const T* inverse = inverse_.data();
    be_->staged("x = triangle^-1 b", rows_.stages(), true, moved + gathered, [=] HD(int k) {
      const RowPlace p = A.place[k];
      for (int n = 0; n < count; ++n) {
        const T* bn = b + n * stride;
        T* xn = x + n * stride;
        T sum = bn[p.row];
        A.each(p, [&](int j, T a) { sum = std::fma(-a, xn[j], sum); });
        xn[p.row] = inverse ? inverse[k] * sum : sum;
      }
    });
  }

  /// Stages of a solve: the longest chain of rows that depend on each other.
  int levels() const { return rows_.stages().count(); }

 private:
  B* be_ = nullptr;
  StagedRows<B, T> rows_;
  Buffer<B, T> inverse_;
  bool unit_ = false;
};

}  // namespace wavesim
