#pragma once
// The group /wavesim/energy of the result file.

#include <cmath>
#include <vector>

#include "output/hdf5/dimension_scales.hpp"
#include "output/hdf5/hdf5_dataset.hpp"
#include "output/hdf5/hdf5_reading.hpp"
#include "output/run/quantity_names.hpp"
#include "sim/run/writer.hpp"

namespace wavesim::hdf5 {

/// /wavesim/energy: every energy that was computed, with or without a frame. `rows` as in history_group.hpp.
class EnergyGroup {
 public:
  EnergyGroup(hid_t parent, const RunInfo& info) : group_(make_group(parent, "energy")) {
    const hsize_t planned = hsize_t(info.planned_steps) + 1;
    step_ = DatasetRows(group_, "step", H5T_NATIVE_INT64, 0, planned);
    time_ = DatasetRows(group_, "time", H5T_NATIVE_DOUBLE, 0, planned);
    value_ = DatasetRows(group_, "value", H5T_NATIVE_DOUBLE, 0, planned);
    make_scale(step_.id(), "step", "");  // the file's root has a `time` of its own, that of frames
    attach_scale(time_.id(), 0, step_.id());
    attach_scale(value_.id(), 0, step_.id());
    describe(time_.id(), "time", "s");
    describe(value_.id(), "energy", unit_of("energy", model_of(info.config)));
    set_attribute(value_.id(), "coordinates", std::string("time"));
    publish();
  }
  void add(long step, double time, double energy) {
    if (std::isnan(energy) || step <= last_) return;
    last_ = step;
    steps_.push_back(step);
    times_.push_back(time);
    values_.push_back(energy);
  }
  void write() {
    step_.append(steps_.data(), steps_.size());
    time_.append(times_.data(), times_.size());
    value_.append(values_.data(), values_.size());
    steps_.clear();
    times_.clear();
    values_.clear();
  }
  /// The first `rows` of another group of this kind.
  void append_from(hid_t other, hsize_t rows) {
    step_.append_from(open_dataset(other, "step"), rows);
    time_.append_from(open_dataset(other, "time"), rows);
    value_.append_from(open_dataset(other, "value"), rows);
    if (rows > 0) last_ = long(read_numbers(other, "step").at(rows - 1));
    publish();
  }
  hsize_t rows() const { return value_.size(); }
  void publish() { set_attribute(group_, "rows", std::int64_t(value_.size())); }

 private:
  Handle group_;
  DatasetRows step_, time_, value_;
  long last_ = -1;
  std::vector<std::int64_t> steps_;
  std::vector<double> times_, values_;
};

}  // namespace wavesim::hdf5
