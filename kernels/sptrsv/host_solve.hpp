#pragma once
// level_schedule.hpp on a CPU: one band. All cores share the rows of a level, one level after the other.

#include "kernels/backend/host.hpp"
#include "kernels/sptrsv/level_schedule.hpp"

namespace wavesim {

inline ScheduleLimits schedule_limits(Host&) { return {}; }

/// What is left of a row's element of b when so many lanes sum its entries.
template <class T, class F>
T row_sum(const ScheduleView<T>& A, const ScheduleSlice& S, int lane, int lanes, T b, const F& value_of) {
  T sum[most_lanes_of_a_row] = {b};
  for (int e = 0, at = S.entry + lane; e < S.width; ++e, at += S.height) {
    if (A.reference[at] == no_reference) break;
    T& part = sum[e & (lanes - 1)];  // a power of two
    part = std::fma(-A.value[at], value_of(A.reference[at]), part);
  }
  for (int distance = 1; distance < lanes; distance *= 2)
    for (int l = 0; l < lanes; l += 2 * distance) sum[l] += sum[l + distance];
  return sum[0];
}
/// The same with one lane.
template <class T, class F>
T row_sum(const ScheduleView<T>& A, const ScheduleSlice& S, int lane, T b, const F& value_of) {
  for (int at = S.entry + lane, end = S.entry + S.width * S.height; at < end; at += S.height) {
    if (A.reference[at] == no_reference) break;
    b = std::fma(-A.value[at], value_of(A.reference[at]), b);
  }
  return b;
}

/// x <- T^-1 b for `count` right-hand sides, each `stride` elements after the last. x may be b.
template <class T>
void sptrsv(Host& be, const char* label, const LevelSchedule<Host, T>& r, SolveWorkspace<Host, T>& memory,
            const T* b, T* x, int count, long stride) {
  be.counts().add(label, r.bytes(count), false);
  const ScheduleView<T> A = r.view();
  if (A.width == 0) {
    for (int n = 0; n < count; ++n)
#pragma omp parallel for schedule(static) if (r.rows > 1 << 14)
      for (int k = 0; k < r.rows; ++k) solve_diagonal_row(A, k, b + n * stride, x + n * stride);
    return;
  }
  const auto put = [&](int k, int n, T sum) {
    return x[A.row[k].row + n * stride] = A.inverse ? A.inverse[k] * sum : sum;
  };
  const auto solve = [&](int s, int lane, int n, const auto& value_of) {
    const ScheduleSlice S = A.slice[s];
    const int k = S.first + lane;
    return put(k, n, row_sum(A, S, lane, r.lanes, b[A.row[k].row + n * stride], value_of));
  };
  if (A.reach == 0) {
    if (memory.kept.size() < std::size_t(r.rows)) memory.kept = Buffer<Host, T>(be, r.rows);
    T* const kept = memory.kept.data();
    const int* const start = r.level.data();
    for (int n = 0; n < count; ++n) {
      const auto slice = [&](int s) {
        const ScheduleSlice S = A.slice[s];
        const auto value_of = [&](int place) { return kept[place]; };
        if (r.lanes == 1) {  // as a rule; asked once for all rows, and their sums stay in registers
          for (int lane = 0, k = S.first; lane < S.height; ++lane, ++k)
            kept[k] = put(k, n, row_sum(A, S, lane, b[A.row[k].row + n * stride], value_of));
          return;
        }
        for (int lane = 0; lane < S.height; ++lane) kept[S.first + lane] = solve(s, lane, n, value_of);
      };
      for (std::size_t level = 0; level + 1 < r.level.size(); ++level) {
        const int first = start[level], last = start[level + 1];
        if (last - first > 64) {
#pragma omp parallel for schedule(static)
          for (int s = first; s < last; ++s) slice(s);
        } else {  // a region of one thread would take longer than the few rows of most levels
          for (int s = first; s < last; ++s) slice(s);
        }
      }
    }
    return;
  }
  // Several bands, as on a GPU, each in turn as far as it can go: for tests of the order.
  for (int n = 0; n < count; ++n) {
    std::vector<T> kept(std::size_t(A.bands) * A.reach * 32), cell(A.cells);
    std::vector<char> there(A.cells, 0);
    std::vector<int> next(A.band, A.band + A.bands);
    const auto ready = [&](const ScheduleSlice& S) {
      for (int at = S.entry; at < S.entry + S.width * S.height; ++at)
        if (const int c = A.reference[at]; c != no_reference && c < 0 && !there[~c]) return false;
      return true;
    };
    for (bool moved = true; moved;) {
      moved = false;
      for (int p = 0; p < A.bands; ++p)
        for (; next[p] < A.band[p + 1] && ready(A.slice[next[p]]); ++next[p]) {
          const ScheduleSlice S = A.slice[next[p]];
          T* own = kept.data() + std::size_t(p) * A.reach * 32;
          T found[32] = {};
          for (int lane = 0; lane < S.height; ++lane)
            found[lane] =
                solve(next[p], lane, n, [&](int from) { return from < 0 ? cell[~from] : own[from]; });
          for (int lane = 0; lane < S.height; ++lane) {
            own[(next[p] - A.band[p]) % A.reach * 32 + lane] = found[lane];
            if (const int c = A.row[S.first + lane].cell; c >= 0) {
              cell[c] = found[lane];
              there[c] = 1;
            }
          }
          moved = true;
        }
    }
  }
}

}  // namespace wavesim
