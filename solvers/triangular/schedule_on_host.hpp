#pragma once
// The level schedule of a triangle with few entries, made by one thread of the host. schedule.hpp makes it in the backend's
// memory, where a GPU waits for itself and for the host between many short steps.

#include <memory>
#include <span>

#include "kernels/sptrsv/level_schedule.hpp"
#include "solvers/triangular/chains.hpp"
#include "solvers/triangular/ordering.hpp"

namespace wavesim {

/// Whether one thread of the host is faster. On a grid, where rows depend on one or two others, levels are seldom thin.
inline bool few_entries(long rows, long entries) {
  return entries <= 1L << 15 || (entries <= 1L << 18 && entries > 3 * rows);
}

/// Levels (ordering.hpp), and how many rows each depends on.
struct LevelsOnHost {
  RowStages stages;
  int width = 0;  // most others that a row depends on
  std::vector<int> others;
  LevelsOnHost(const HostCsr& A, Triangle side);
  int count() const { return stages.count(); }
  std::vector<int> level_of_rows() const;  // -1: no entries
};

/// The schedule with one band that keeps everything. All arrays lie in one piece of memory, which one copy brings to a
/// device.
template <class T>
class ScheduleOnHost {
 public:
  /// Throws InputError if an element of the diagonal is zero or missing.
  ScheduleOnHost(const HostCsr& A, Triangle side, bool unit, const LevelsOnHost& levels);
  template <class B>
  LevelSchedule<B, T> on(B& be) const {
    LevelSchedule<B, T> r;
    r.width = width_, r.rows = rows_, r.lanes = lanes_;
    r.memory.emplace_back(be, bytes_);
    r.memory[0].upload(0, bytes_, memory_.get());
    const auto place = [&](auto& there, const auto& here) {
      if (here.empty()) return;
      char* const at = r.memory[0].data() + (reinterpret_cast<const char*>(here.data()) - memory_.get());
      there = {reinterpret_cast<decltype(there.data())>(at), here.size()};
    };
    place(r.level, level_), place(r.slice, slice_), place(r.row, row_);
    place(r.inverse, inverse_), place(r.reference, reference_), place(r.value, value_);
    return r;
  }

 private:
  void cut_slices(const LevelsOnHost& levels);
  void make_room(bool unit);
  void fill(const HostCsr& A, const std::vector<int>& sorted, SolveOrder order, bool unit);

  int width_ = 0, rows_ = 0, lanes_ = 1;
  std::vector<int> first_slice_{0};  // of each level, and the end
  std::vector<ScheduleSlice> slices_;
  std::unique_ptr<char[]> memory_;
  std::size_t bytes_ = 0;
  std::span<int> level_, reference_;
  std::span<ScheduleSlice> slice_;
  std::span<ScheduleRow> row_;
  std::span<T> inverse_, value_;
};

}  // namespace wavesim
