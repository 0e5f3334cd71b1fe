#include "output/hdf5/dimension_scales.hpp"

#include <hdf5_hl.h>

#include <algorithm>

namespace wavesim::hdf5 {

namespace {

Handle open(hid_t group, const char* name) {
  return Handle(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose, name);
}

Handle even_scale(hid_t file, const char* name, double origin, double spacing, long count) {
  std::vector<double> places(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < places.size(); ++k) places[k] = origin + spacing * double(k);
  write_array<double>(file, name, {places.size()}, places);
  Handle made = open(file, name);
  make_scale(made, name, "m");
  return made;
}

}  // namespace

void make_scale(hid_t dataset, const char* name, const char* unit) {
  check(H5DSset_scale(dataset, name), name);
  if (*unit) set_attribute(dataset, "units", std::string(unit));
}

void attach_scale(hid_t dataset, unsigned dimension, hid_t scale) {
  check(H5DSattach_scale(dataset, scale, dimension), "dimension scale");
}

void describe(hid_t dataset, const std::string& name, const std::string& unit) {
  set_attribute(dataset, "long_name", name);
  if (!unit.empty()) set_attribute(dataset, "units", unit);
}

FrameAxes::FrameAxes(hid_t file, const RunInfo& info) : file_(file) {
  time_ = DatasetRows(file, "time", H5T_NATIVE_DOUBLE, 0, hsize_t(std::max(info.planned_frames, 2L)));
  make_scale(time_.id(), "time", "s");
  y_ = even_scale(file, "y", info.origin[1], info.spacing[1], info.ny);
  x_ = even_scale(file, "x", info.origin[0], info.spacing[0], info.nx);
}

void FrameAxes::add(hid_t dataset, const char* name) {
  const Handle space(H5Dget_space(dataset), H5Sclose, name);
  attach_scale(dataset, 0, time_.id());
  if (H5Sget_simple_extent_ndims(space) == 3) {
    attach_scale(dataset, 1, y_);
    attach_scale(dataset, 2, x_);
  }
  check(H5Lcreate_hard(dataset, ".", file_, name, H5P_DEFAULT, H5P_DEFAULT), name);
}

void FrameAxes::add_once(hid_t group, const char* name) {
  if (!once_.open()) {
    const double zero = 0;
    write_array<double>(file_, "once", {1}, std::span<const double>(&zero, 1));
    once_ = open(file_, "once");
    make_scale(once_, "once", "");
  }
  const Handle dataset = open(group, name);
  attach_scale(dataset, 0, once_);
  attach_scale(dataset, 1, y_);
  attach_scale(dataset, 2, x_);
  check(H5Lcreate_hard(dataset, ".", file_, name, H5P_DEFAULT, H5P_DEFAULT), name);
}

}  // namespace wavesim::hdf5
