#include "solvers/triangular/schedule_on_host.hpp"

#include <algorithm>

#include "kernels/numbers/finite.hpp"
#include "solvers/triangular/schedule.hpp"
#include "solvers/triangular/schedule_row.hpp"

namespace wavesim {

LevelsOnHost::LevelsOnHost(const HostCsr& A, Triangle side)
    : stages(levels_of(A, side == Triangle::lower ? Depends::lower : Depends::upper)),
      others(std::size_t(A.rows), 0) {
  const SolveOrder order = solve_order(side, A.rows);
  for (int i = 0; i < A.rows; ++i) {
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) others[i] += order.before(A.column[k], i);
    width = std::max(width, others[i]);
  }
}

std::vector<int> LevelsOnHost::level_of_rows() const {
  std::vector<int> level(others.size(), -1);
  for (int s = 0; s < count(); ++s)
    for (int k = stages.start[s]; k < stages.start[std::size_t(s) + 1]; ++k) level[stages.row[k]] = s;
  return level;
}

template <class T>
ScheduleOnHost<T>::ScheduleOnHost(const HostCsr& A, Triangle side, bool unit, const LevelsOnHost& levels)
    : width_(levels.width), rows_(int(levels.stages.row.size())) {
  cut_slices(levels);
  if (thin_levels(long(A.column.size()), levels.count(), width_))
    lanes_ = lanes_of_a_row(rows_, levels.count(), width_);
  make_room(unit);
  fill(A, levels.stages.row, solve_order(side, A.rows), unit);
}

template <class T>
void ScheduleOnHost<T>::cut_slices(const LevelsOnHost& levels) {
  const RowStages& stages = levels.stages;
  int entries = 0;
  for (int level = 0; level < stages.count(); ++level) {
    const int end = stages.start[std::size_t(level) + 1];
    for (int first = stages.start[level]; first < end; first += 32) {
      ScheduleSlice s{first, std::min(32, end - first), entries, 0};
      for (int k = first; k < first + s.height; ++k)
        s.width = std::max(s.width, levels.others[stages.row[k]]);
      entries += s.width * s.height;
      slices_.push_back(s);
    }
    first_slice_.push_back(int(slices_.size()));
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
void ScheduleOnHost<T>::fill(const HostCsr& A, const std::vector<int>& sorted, SolveOrder order, bool unit) {
  std::vector<int> place(std::size_t(A.rows), no_reference);  // in the sorted order
  for (int k = 0; k < rows_; ++k) place[sorted[k]] = k;
  const TriangleRows rows{A.start.data(), A.column.data(), A.value.data(), order};
  const ScheduleEntries<T> to{reference_.data(), value_.data()};
  int bad = A.rows;
  for (const ScheduleSlice& s : slices_)
    for (int k = s.first; k < s.first + s.height; ++k) {
      const int i = sorted[k];
      const double d = write_row(rows, i, s, k, to, [&](int j) { return place[j]; });
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
