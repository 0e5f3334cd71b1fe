#include "solvers/triangular/schedule_on_host.hpp"

#include <algorithm>

#include "kernels/numbers/finite.hpp"
#include "solvers/triangular/schedule.hpp"

namespace wavesim {

LevelsOnHost::LevelsOnHost(const HostCsr& A, Triangle side)
    : level(std::size_t(A.rows), 0), others(std::size_t(A.rows), 0) {
  const SolveOrder order = solve_order(side, A.rows);
  for (int n = 0; n < A.rows; ++n) {
    const int i = order(n);
    int own = 0, needed = 0;
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
      const int j = A.column[k];
      if (!order.before(j, i)) continue;
      own = std::max(own, level[j] + 1);
      ++needed;
    }
    level[i] = own;
    others[i] = needed;
    width = std::max(width, needed);
  }
  for (int i = 0; i < A.rows; ++i) {
    if (A.start[i] == A.start[std::size_t(i) + 1]) level[i] = -1;
    count = std::max(count, level[i] + 1);
  }
}

template <class T>
ScheduleOnHost<T>::ScheduleOnHost(const HostCsr& A, Triangle side, bool unit, const LevelsOnHost& levels)
    : width_(levels.width) {
  sort_rows(levels);
  if (thin_levels(long(A.column.size()), levels.count, width_))
    lanes_ = lanes_of_a_row(rows_, levels.count, width_);
  make_room(unit);
  fill(A, solve_order(side, A.rows), unit);
}

/// Rows by level and index, and their slices.
template <class T>
void ScheduleOnHost<T>::sort_rows(const LevelsOnHost& levels) {
  std::vector<int> next(std::size_t(levels.count) + 1, 0);
  for (const int level : levels.level)
    if (level >= 0) ++next[std::size_t(level) + 1];
  first_slice_.assign(std::size_t(levels.count) + 1, 0);
  int entries = 0;
  for (int level = 0; level < levels.count; ++level) {
    const int rows = next[std::size_t(level) + 1];
    next[std::size_t(level) + 1] += next[level];
    for (int done = 0; done < rows; done += 32)
      slices_.push_back({next[level] + done, std::min(32, rows - done), 0, 0});
    first_slice_[std::size_t(level) + 1] = int(slices_.size());
  }
  rows_ = next.back();
  sorted_.resize(std::size_t(rows_));
  place_.assign(levels.level.size(), -1);
  for (std::size_t i = 0; i < levels.level.size(); ++i)
    if (const int level = levels.level[i]; level >= 0) {
      place_[i] = next[level]++;
      sorted_[place_[i]] = int(i);
    }
  for (ScheduleSlice& s : slices_) {
    for (int k = s.first; k < s.first + s.height; ++k) s.width = std::max(s.width, levels.others[sorted_[k]]);
    s.entry = entries;
    entries += s.width * s.height;
  }
}

template <class T>
void ScheduleOnHost<T>::make_room(bool unit) {
  const ScheduleSlice end = slices_.empty() ? ScheduleSlice{} : slices_.back();
  const std::size_t entries = std::size_t(end.entry) + std::size_t(end.width) * std::size_t(end.height);
  const auto each = [&](const auto& f) {
    f(level_, first_slice_.size()), f(slice_, slices_.size()), f(row_, rows_);
    f(inverse_, unit ? 0 : rows_), f(reference_, entries), f(value_, entries);
  };
  constexpr std::size_t line = 128;
  each([&](const auto& part, std::size_t n) {
    bytes_ += (n * sizeof(*part.data()) + line - 1) / line * line;
  });
  memory_ = std::make_unique_for_overwrite<char[]>(bytes_);
  std::size_t at = 0;
  each([&](auto& part, std::size_t n) {
    part = {reinterpret_cast<decltype(part.data())>(memory_.get() + at), n};
    at += (n * sizeof(*part.data()) + line - 1) / line * line;
  });
  std::copy(first_slice_.begin(), first_slice_.end(), level_.begin());
  std::copy(slices_.begin(), slices_.end(), slice_.begin());
}

template <class T>
void ScheduleOnHost<T>::fill(const HostCsr& A, SolveOrder order, bool unit) {
  int bad = A.rows;
  for (const ScheduleSlice& s : slices_)
    for (int k = s.first; k < s.first + s.height; ++k) {
      const int i = sorted_[k];
      double d = 0;
      int at = s.entry + k - s.first, left = s.width;
      for (int e = A.start[i]; e < A.start[std::size_t(i) + 1]; ++e) {
        const int j = A.column[e];
        if (j == i) d = A.value[e];
        if (!order.before(j, i) || place_[j] < 0) continue;  // x is zero in rows without entries
        reference_[at] = place_[j];
        value_[at] = T(A.value[e]);
        at += s.height;
        --left;
      }
      for (; left > 0; --left, at += s.height) {
        reference_[at] = no_reference;
        value_[at] = 0;
      }
      row_[k] = {i, -1};
      if (unit) continue;
      inverse_[k] = T(1 / d);
      if (!is_finite(inverse_[k])) bad = std::min(bad, i);
    }
  if (bad < A.rows) refuse_zero_on_diagonal(bad);
}

template class ScheduleOnHost<double>;
template class ScheduleOnHost<float>;

}  // namespace wavesim
