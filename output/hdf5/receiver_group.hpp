#pragma once
// The group /wavesim/receivers of the result file.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "output/hdf5/dimension_scales.hpp"
#include "output/hdf5/hdf5_dataset.hpp"
#include "output/hdf5/hdf5_reading.hpp"
#include "output/run/quantity_names.hpp"
#include "sim/run/writer.hpp"

namespace wavesim::hdf5 {

/// /wavesim/receivers: times (samples), values (samples, receivers), names, positions (receivers, 2).
/// `rows` as in history_group.hpp.
class ReceiverGroup {
 public:
  ReceiverGroup(hid_t parent, const RunInfo& info)
      : group_(make_group(parent, "receivers")), count_(info.receivers.size()) {
    std::vector<std::string> names;
    std::vector<double> positions;
    for (const ReceiverInfo& r : info.receivers) {
      names.push_back(r.name);
      positions.insert(positions.end(), {r.x, r.y});
    }
    write_texts(group_, "names", names);
    write_array<double>(group_, "positions", {count_, 2}, positions);
    const hsize_t planned = hsize_t(std::max(info.planned_samples, 1L));
    steps_ = DatasetRows(group_, "steps", H5T_NATIVE_INT64, 0, planned);
    times_ = DatasetRows(group_, "times", H5T_NATIVE_DOUBLE, 0, planned);
    values_ = DatasetRows(group_, "values", H5T_NATIVE_DOUBLE, count_, planned);
    write_texts(group_, "axes", {"x", "y"});
    const Handle named = open_dataset(group_, "names"), placed = open_dataset(group_, "positions"),
                 axes = open_dataset(group_, "axes");
    make_scale(times_.id(), "times", "s");
    make_scale(named, "names", "");
    make_scale(axes, "axes", "");
    set_attribute(placed, "units", std::string("m"));
    const std::string model = model_of(info.config);
    describe(values_.id(), name_of("displacement", model), unit_of("displacement", model));
    attach_scale(steps_.id(), 0, times_.id());
    attach_scale(values_.id(), 0, times_.id());
    attach_scale(values_.id(), 1, named);
    attach_scale(placed, 0, named);
    attach_scale(placed, 1, axes);
    publish();
  }
  void add(const ReceiverSample& s) {
    if (s.values.size() != count_)
      throw Failure("a sample has " + std::to_string(s.values.size()) + " values for " +
                    std::to_string(count_) + " receivers");
    step_.push_back(s.step);
    time_.push_back(s.time);
    value_.insert(value_.end(), s.values.begin(), s.values.end());
    note(s.values);
  }
  bool full() const { return step_.size() >= 1024 || value_.size() >= (1 << 17); }
  void write() {
    values_.append(value_.data(), step_.size());
    times_.append(time_.data(), step_.size());
    steps_.append(step_.data(), step_.size());
    step_.clear();
    time_.clear();
    value_.clear();
  }
  /// The first `rows` of another group of this kind.
  void append_from(hid_t other, hsize_t rows) {
    steps_.append_from(open_dataset(other, "steps"), rows);
    times_.append_from(open_dataset(other, "times"), rows);
    values_.append_from(open_dataset(other, "values"), rows);
    publish();
    std::vector<double> values = read_numbers(other, "values");
    values.resize(std::min<std::size_t>(values.size(), rows * count_));
    note(values);
  }
  /// Of all values so far, without their signs.
  double largest() const { return largest_; }
  hsize_t rows() const { return values_.size(); }
  void publish() { set_attribute(group_, "rows", std::int64_t(values_.size())); }

 private:
  void note(const std::vector<double>& values) {
    for (const double v : values) largest_ = std::max(largest_, std::abs(v));
  }

  Handle group_;
  std::size_t count_;
  DatasetRows steps_, times_, values_;
  std::vector<std::int64_t> step_;
  std::vector<double> time_, value_;
  double largest_ = 0;
};

}  // namespace wavesim::hdf5
