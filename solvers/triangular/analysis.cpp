// Compiled once for each backend (levels.cpp says why).
#include "solvers/triangular/analysis.hpp"

#include <optional>

#include "kernels/backend/backend.hpp"
#include "kernels/numbers/finite.hpp"
#include "solvers/triangular/schedule_on_host.hpp"

namespace wavesim {

/// If A has nothing but a diagonal, in one launch.
template <class T, class B>
std::optional<LevelSchedule<B, T>> diagonal_schedule(B& be, const SparseRows<B>& A, bool unit) {
  if (A.entries() != A.rows) return {};
  const int n = A.rows;
  const SparseRowsView a = A.view();
  LevelSchedule<B, T> r;
  r.rows = n;
  r.make(be, r.row, n);
  if (!unit) r.make(be, r.inverse, n);
  const Buffer<B, int> others(be, 1);
  ScheduleRow* const row = r.row.data();
  T* const inverse = r.inverse.data();
  int* const other = others.data();
  each(be, "rows of a diagonal", n, 40, [=] KERNEL(int i) {
    row[i] = {i, -1};
    const T v = T(1 / a.value[i]);
    if (inverse) inverse[i] = v;
    if (a.start[i] != i || a.column[i] != i || (inverse && !is_finite(v))) raise_to(other, 1);
  });
  if (read(be, others, 0)) return {};
  return r;
}

template <class T, class B>
Analysis<B, T> analyse(B& be, const SparseRows<B>& A, Triangle side, bool unit) {
  if (auto diagonal = diagonal_schedule<T>(be, A, unit)) return {A.rows > 0, std::move(*diagonal)};
  const ScheduleLimits limits = schedule_limits(be);
  if (!few_entries(A.rows, A.entries())) {
    const Levels<B> levels(be, A, side);
    return {levels.count, make_schedule<T>(be, A, side, unit, levels, limits)};
  }
  const HostCsr host = A.download();
  const LevelsOnHost found(host, side);
  if (one_band(limits, A.entries(), found.count(), found.width))
    return {found.count(), ScheduleOnHost<T>(host, side, unit, found).on(be)};
  Levels<B> levels;
  levels.count = found.count();
  levels.level = Buffer<B, int>(be, std::size_t(A.rows));
  levels.level.upload(found.level_of_rows());
  return {levels.count, make_schedule<T>(be, A, side, unit, levels, limits)};
}

template Analysis<Backend, double> analyse(Backend&, const SparseRows<Backend>&, Triangle, bool);
template Analysis<Backend, float> analyse(Backend&, const SparseRows<Backend>&, Triangle, bool);

}  // namespace wavesim
