#pragma once
// The group /VTKHDF of the result file: what ParaView reads.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "output/hdf5/dimension_scales.hpp"
#include "output/hdf5/frames.hpp"
#include "output/hdf5/hdf5_dataset.hpp"
#include "output/hdf5/hdf5_file.hpp"
#include "output/hdf5/hdf5_reading.hpp"
#include "output/run/quantity_names.hpp"
#include "sim/run/writer.hpp"

namespace wavesim::hdf5 {

/// /VTKHDF: temporal ImageData, version 2.0. A reader relies on NSteps, then on Values; commit() writes
/// them in that order.
class VtkhdfGroup {
 public:
  VtkhdfGroup(File& file, const RunInfo& info) : file_(file), root_(make_group(file, "VTKHDF")) {
    const std::array<std::int64_t, 2> version{2, 0};
    const std::array<std::int64_t, 6> extent{0, info.nx - 1, 0, info.ny - 1, 0, 0};
    const std::array<double, 3> origin{info.origin[0], info.origin[1], 0},
        spacing{info.spacing[0], info.spacing[1], 1};
    const std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
    set_attribute(root_, "Version", version);
    set_ascii_attribute(root_, "Type",
                        "ImageData");  // exactly nine bytes: VTK before 9.5 refuses anything else
    set_attribute(root_, "WholeExtent", extent);
    set_attribute(root_, "Origin", origin);
    set_attribute(root_, "Spacing", spacing);
    set_attribute(root_, "Direction", direction);

    point_data_ = make_group(root_, "PointData");
    steps_ = make_group(root_, "Steps");
    const Handle offsets = make_group(steps_, "PointDataOffsets");
    const Handle field_data = make_group(root_, "FieldData");
    const Handle field_offsets = make_group(steps_, "FieldDataOffsets");
    const hsize_t nx = hsize_t(info.nx), ny = hsize_t(info.ny),
                  planned = hsize_t(std::max(info.planned_frames, 2L));
    const hid_t type = info.single ? native<float>() : native<double>();
    for (const std::string& name : info.quantities) {
      names_.push_back(name);
      frames_.emplace_back(point_data_, name.c_str(), type, ny, nx, planned, info.compression,
                           file.descriptor());
      moving_.emplace_back(offsets, name.c_str(), H5T_NATIVE_INT64, 0, planned);
    }
    for (const Plane& p : info.once) {
      write_plane(point_data_, p.quantity.c_str(), ny, nx, p.values, info.compression);
      standing_.emplace_back(offsets, p.quantity.c_str(), H5T_NATIVE_INT64, 0, planned);
    }
    if (!info.inside.empty()) {
      write_plane(point_data_, "inside", ny, nx, info.inside, info.compression);
      standing_.emplace_back(offsets, "inside", H5T_NATIVE_INT64, 0, planned);
    }
    if (!info.rim.empty()) {
      write_plane(point_data_, "rim", ny, nx, info.rim, info.compression);
      standing_.emplace_back(offsets, "rim", H5T_NATIVE_INT64, 0, planned);
    }
    for (const char* name : scalar_names) {
      const bool count = scalars_.size() < 2;
      scalars_.emplace_back(field_data, name, count ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, 0, planned);
      moving_.emplace_back(field_offsets, name, H5T_NATIVE_INT64, 0, planned);
    }
    values_ = DatasetRows(steps_, "Values", H5T_NATIVE_DOUBLE, 0, planned);
    const std::string model = model_of(info.config);
    const auto described = [&](hid_t dataset, const std::string& quantity) {
      describe(dataset, name_of(quantity, model), unit_of(quantity, model));
    };
    for (std::size_t q = 0; q < frames_.size(); ++q) described(frames_[q].id(), names_[q]);
    for (const Plane& p : info.once) described(open_dataset(point_data_, p.quantity), p.quantity);
    axes_ = FrameAxes(file, info);
    for (std::size_t q = 0; q < frames_.size(); ++q) axes_.add(frames_[q].id(), names_[q].c_str());
    for (std::size_t k = 0; k < scalars_.size(); ++k) axes_.add(scalars_[k].id(), scalar_names[k]);
    for (const Plane& p : info.once) axes_.add_once(point_data_, p.quantity.c_str());
    if (!info.inside.empty()) axes_.add_once(point_data_, "inside");
    if (!info.rim.empty()) axes_.add_once(point_data_, "rim");
    set_attribute(steps_, "NSteps", std::int64_t{0});
  }

  /// The first n frames of another group /VTKHDF with the same quantities.
  void append_from(hid_t other, long n) {
    if (n == 0) return;
    const auto named = [&](const std::string& path) { return open_dataset(other, path); };
    for (std::size_t q = 0; q < frames_.size(); ++q)
      frames_[q].append_from(named("PointData/" + names_[q]), hsize_t(n));
    for (std::size_t k = 0; k < scalars_.size(); ++k)
      scalars_[k].append_from(named(std::string("FieldData/") + scalar_names[k]), hsize_t(n));
    std::vector<double> times = read_numbers(other, "Steps/Values");
    if (times.size() < std::size_t(n)) throw Failure("it has no times of its frames");
    times.resize(std::size_t(n));
    axes_.append(times.data(), times.size());
    if (n == 1) times.push_back(twin_of(times[0]));
    std::vector<std::int64_t> offsets(times.size());
    for (DatasetRows& o : standing_) o.append(offsets.data(), offsets.size());
    for (long k = 0; k < n; ++k) offsets[std::size_t(k)] = k;
    for (DatasetRows& o : moving_) o.append(offsets.data(), offsets.size());
    set_attribute(steps_, "NSteps", std::int64_t(times.size()));
    values_.append(times.data(), times.size());
    count_ = n;
  }

  /// A reader does not see it before commit(), which must be called after the first frame and after the second.
  void add(const Frame& f) {
    const std::int64_t n = count_ + std::int64_t(times_.size()), zero = 0;
    for (std::size_t q = 0; q < frames_.size(); ++q) {
      const auto plane = std::find_if(f.planes.begin(), f.planes.end(),
                                      [&](const Plane& p) { return p.quantity == names_[q]; });
      if (plane == f.planes.end()) throw Failure("the frame has no plane '" + names_[q] + "'");
      frames_[q].append(plane->values);
    }
    const std::int64_t step = f.step, iterations = f.iterations;
    scalars_[0].append(&step, 1);
    scalars_[1].append(&iterations, 1);
    scalars_[2].append(&f.residual, 1);
    scalars_[3].append(&f.energy, 1);
    axes_.append(&f.time, 1);
    if (n >= 2) {
      for (DatasetRows& o : moving_) o.append(&n, 1);
      for (DatasetRows& o : standing_) o.append(&zero, 1);
    }
    times_.push_back(f.time);
  }

  /// Three flushes for all frames that were added: what a step refers to, then the number of steps, then their times. Killed in
  /// between, a reader sees the frames before, or these with the time 0; never a step without data.
  void commit() {
    if (times_.empty()) return;
    const std::int64_t n = count_;
    const double time = times_[0];
    // A temporal file needs two steps (one alone is read as static data and refused), so the first frame
    // stands for both until the second comes. Then only offsets and a time change, once the data they point
    // to is on disk.
    const std::int64_t zeros[2] = {0, 0};
    if (n == 0) {
      for (DatasetRows& o : moving_) o.append(zeros, 2);
      for (DatasetRows& o : standing_) o.append(zeros, 2);
      file_.flush();
      set_attribute(steps_, "NSteps", std::int64_t{2});
      file_.flush();
      const double times[2] = {time, twin_of(time)};
      values_.append(times, 2);
    } else if (n == 1) {
      file_.flush();
      for (DatasetRows& o : moving_) o.overwrite(1, &n);
      file_.flush();
      values_.overwrite(1, &time);
    } else {
      file_.flush();
      set_attribute(steps_, "NSteps", n + std::int64_t(times_.size()));
      file_.flush();
      values_.append(times_.data(), times_.size());
    }
    file_.flush();
    count_ += long(times_.size());
    times_.clear();
  }

  /// Frames that a reader sees.
  long count() const { return count_; }

 private:
  static constexpr std::array<const char*, 4> scalar_names{"step", "iterations", "residual", "energy"};
  /// The second time of a file with one frame.
  static double twin_of(double time) { return time + std::max(1e-9, 1e-9 * std::abs(time)); }

  File& file_;
  Handle root_, point_data_, steps_;
  std::vector<std::string> names_;
  std::vector<Frames> frames_;
  std::vector<DatasetRows> moving_, standing_, scalars_;
  DatasetRows values_;
  FrameAxes axes_;
  long count_ = 0;
  std::vector<double> times_;  // of frames that are not committed
};

}  // namespace wavesim::hdf5
