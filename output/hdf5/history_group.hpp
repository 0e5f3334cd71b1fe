#pragma once
// The group /wavesim/history of the result file.

#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "output/hdf5/hdf5_dataset.hpp"
#include "output/hdf5/hdf5_reading.hpp"
#include "sim/run/writer.hpp"

namespace wavesim::hdf5 {

/// /wavesim/history: one 1-D dataset a column, appended in blocks. The attribute `rows` says how many
/// entries count: it is written after they are on disk, and a killed run may leave more.
class HistoryGroup {
 public:
  HistoryGroup(hid_t parent, const RunInfo& info)
      : group_(make_group(parent, "history")), status_type_(H5Tcopy(H5T_C_S1), H5Tclose, "status") {
    check(H5Tset_size(status_type_, status_bytes), "status");
    check(H5Tset_strpad(status_type_, H5T_STR_NULLPAD), "status");
    const hsize_t planned = hsize_t(info.planned_steps) + 1;
    for (const char* name : count_names) counts_.emplace_back(group_, name, H5T_NATIVE_INT64, 0, planned);
    for (const char* name : number_names) numbers_.emplace_back(group_, name, H5T_NATIVE_DOUBLE, 0, planned);
    status_ = DatasetRows(group_, "status", status_type_, 0, planned);
    publish();
  }

  bool full() const { return waiting_.size() >= 1024; }
  void add(const StepRecord& r) { waiting_.push_back(r); }

  void write() {
    if (waiting_.empty()) return;
    const auto column = [&](DatasetRows& rows, auto member) {
      std::vector<std::decay_t<decltype(member(waiting_[0]))>> block;
      for (const StepRecord& r : waiting_) block.push_back(member(r));
      rows.append(block.data(), block.size());
    };
    column(counts_[0], [](const StepRecord& r) { return std::int64_t(r.step); });
    column(counts_[1], [](const StepRecord& r) { return std::int64_t(r.iterations); });
    column(numbers_[0], [](const StepRecord& r) { return r.time; });
    column(numbers_[1], [](const StepRecord& r) { return r.residual_2; });
    column(numbers_[2], [](const StepRecord& r) { return r.residual_max; });
    column(numbers_[3], [](const StepRecord& r) { return r.energy; });
    column(numbers_[4], [](const StepRecord& r) { return r.assembly_seconds; });
    column(numbers_[5], [](const StepRecord& r) { return r.solve_seconds; });
    std::string block;
    for (const StepRecord& r : waiting_) {
      std::string word = r.status;
      word.resize(status_bytes, '\0');
      block += word;
    }
    status_.append(block.data(), waiting_.size());
    waiting_.clear();
  }
  /// The first `rows` of another group of this kind.
  void append_from(hid_t other, hsize_t rows) {
    for (std::size_t k = 0; k < counts_.size(); ++k)
      counts_[k].append_from(open_dataset(other, count_names[k]), rows);
    for (std::size_t k = 0; k < numbers_.size(); ++k)
      numbers_[k].append_from(open_dataset(other, number_names[k]), rows);
    status_.append_from(open_dataset(other, "status"), rows);
    publish();
  }
  hsize_t rows() const { return status_.size(); }
  void publish() { set_attribute(group_, "rows", std::int64_t(status_.size())); }

 private:
  static constexpr std::array count_names{"step", "iterations"};
  static constexpr std::array number_names{"time",   "residual_2",       "residual_max",
                                           "energy", "assembly_seconds", "solve_seconds"};
  static constexpr std::size_t status_bytes = 24;
  Handle group_, status_type_;
  std::vector<DatasetRows> counts_, numbers_;
  DatasetRows status_;
  std::vector<StepRecord> waiting_;
};

}  // namespace wavesim::hdf5
