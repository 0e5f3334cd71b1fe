#pragma once
// Coordinates of datasets as dimension scales, so that programs which read netCDF-4 know the axes of arrays.

#include "output/hdf5/hdf5_dataset.hpp"
#include "sim/run/writer.hpp"

namespace wavesim::hdf5 {

/// Makes a dataset the coordinates of a dimension `name`, in `unit`; "" is none.
void make_scale(hid_t dataset, const char* name, const char* unit);
void attach_scale(hid_t dataset, unsigned dimension, hid_t scale);
/// What a dataset is and what it is measured in, as programs that read netCDF-4 show it.
void describe(hid_t dataset, const std::string& name, const std::string& unit);

/// At the root of the file: the coordinates time, y and x of the frames, and links to what has them. All but the rows
/// of `time` is there before the first flush.
class FrameAxes {
 public:
  FrameAxes() = default;
  FrameAxes(hid_t file, const RunInfo& info);
  /// Of a dataset (frames, ny, nx), or (frames); it is linked to under `name`.
  void add(hid_t dataset, const char* name);
  /// Of a dataset (1, ny, nx) in a group.
  void add_once(hid_t group, const char* name);
  /// Of the frames that the datasets hold.
  void append(const double* times, hsize_t count) { time_.append(times, count); }

 private:
  hid_t file_ = -1;
  DatasetRows time_;
  Handle y_, x_, once_;
};

}  // namespace wavesim::hdf5
