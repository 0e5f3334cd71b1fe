#pragma once
// Solves with triangular matrices (Saad, Iterative Methods, 11.6; Nibbeling 2016): rows are sorted by level
// and distributed to bands (analysis.hpp), and a solve is one launch
// (kernels/sptrsv/level_schedule.hpp), whatever the number of levels and of right-hand sides. The diagonal is
// stored apart, as its inverse.

#include "solvers/triangular/analysis.hpp"

namespace wavesim {

template <class B, class T>
class Triangular {
 public:
  Triangular() = default;
  /// The triangle of A on that side, with its diagonal, or with ones in place of it if `unit`. What A has on
  /// the other side is ignored. Rows without any entry (padding) are left out. Throws InputError if an
  /// element of the diagonal is zero or missing.
  Triangular(B& be, const SparseRows<B>& A, Triangle side, bool unit)
      : Triangular(be, analyse<T>(be, A, side, unit)) {}
  Triangular(B& be, const HostCsr& A, Triangle side, bool unit)
      : Triangular(be, SparseRows<B>(be, A), side, unit) {}
  /// With levels that are known already, and so many bands at most.
  Triangular(B& be, const SparseRows<B>& A, Triangle side, bool unit, const Levels<B>& levels,
             ScheduleLimits limits)
      : be_(&be), levels_(levels.count), rows_(make_schedule<T>(be, A, side, unit, levels, limits)) {}

  /// Solves for `count` right-hand sides, each `stride` elements after the last: x_k <- A^-1 b_k, over the
  /// linear index. x may be b.
  void solve(const T* b, T* x, int count = 1, long stride = 0) const {
    sptrsv(*be_, "x = triangle^-1 b", rows_, memory_, b, x, count, stride);
  }

  /// The longest chain of rows that depend on each other.
  int levels() const { return levels_; }
  int bands() const { return rows_.bands; }
  /// Lanes that sum a row.
  int lanes() const { return rows_.lanes; }
  /// Read and written by a solve.
  double bytes(int count = 1) const { return rows_.bytes(count); }

 private:
  Triangular(B& be, Analysis<B, T> made) : be_(&be), levels_(made.levels), rows_(std::move(made.schedule)) {}

  B* be_ = nullptr;
  int levels_ = 0;
  LevelSchedule<B, T> rows_;
  mutable SolveWorkspace<B, T> memory_;
};

}  // namespace wavesim
