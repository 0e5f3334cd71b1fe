#include "output/checkpoint/hdf5_archive.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backend/errors.hpp"
#include "output/hdf5/block.hpp"
#include "output/hdf5/hdf5_reading.hpp"
#include "sim/run/supervision.hpp"

namespace wavesim {

namespace {

using hdf5::check;
using hdf5::Handle;

hid_t native(Archive::Kind kind) {
  switch (kind) {
    case Archive::Kind::real64:
      return H5T_NATIVE_DOUBLE;
    case Archive::Kind::real32:
      return H5T_NATIVE_FLOAT;
    case Archive::Kind::int64:
      return H5T_NATIVE_INT64;
    case Archive::Kind::int32:
      return H5T_NATIVE_INT32;
    case Archive::Kind::character:
      break;
  }
  return H5T_NATIVE_CHAR;
}

std::string sizes(const std::vector<hsize_t>& shape) {
  std::string s;
  for (const hsize_t n : shape) s += (s.empty() ? "" : " x ") + std::to_string(n);
  return s;
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw InputError("the saved state does not fit this run: '" + name + "' " + why +
                   "; continue with the config that it was saved with");
}

template <class T>
void require_finite_values(const std::string& name, std::size_t first_row, std::size_t rows,
                           std::size_t columns, const T* values) {
  const std::size_t count = rows * columns;
  const T* const wrong = std::find_if(values, values + count, [](T v) { return !std::isfinite(v); });
  if (wrong == values + count) return;
  const std::size_t at = std::size_t(wrong - values);
  throw NotFiniteError(
      "the field '" + name + "' is not finite in row " + std::to_string(first_row + at / columns) +
      ", column " + std::to_string(at % columns) +
      ", so no checkpoint is written and the last one stays; take a smaller time step, or check "
      "initial values, sources and medium for overflow");
}

}  // namespace

/// A state that is not finite would replace one that a run can continue from.
void SaveInHdf5::require_finite(const std::string& name, Kind kind, std::size_t first_row, std::size_t rows,
                                std::size_t columns, const void* data) const {
  if (!finite_only_ || !(name.ends_with("/u") || name.ends_with("/p"))) return;
  if (kind == Kind::real64)
    require_finite_values(name, first_row, rows, columns, static_cast<const double*>(data));
  if (kind == Kind::real32)
    require_finite_values(name, first_row, rows, columns, static_cast<const float*>(data));
}

Handle SaveInHdf5::make_dataset(const std::string& name, Kind kind, const Shape& shape) const {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "links"),
      creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "dataset properties");
  check(H5Pset_create_intermediate_group(links, 1), "links");
  check(H5Pset_obj_track_times(creation, false), "dataset properties");
  const std::vector<hsize_t> extent(shape.begin(), shape.end());
  const Handle space(H5Screate_simple(int(extent.size()), extent.data(), nullptr), H5Sclose, name.c_str());
  return {H5Dcreate2(group_, name.c_str(), native(kind), space, links, creation, H5P_DEFAULT), H5Dclose,
          name.c_str()};
}

void SaveInHdf5::exchange(const std::string& name, Kind kind, const Shape& shape, void* data) {
  if (shape.size() == 2) require_finite(name, kind, 0, shape[0], shape[1], data);
  const Handle to = make_dataset(name, kind, shape);
  if (std::find(shape.begin(), shape.end(), 0) == shape.end())
    check(H5Dwrite(to, native(kind), H5S_ALL, H5S_ALL, H5P_DEFAULT, data), name.c_str());
}

void SaveInHdf5::exchange_rows(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                               std::size_t count, void* data) {
  require_finite(name, kind, first, count, shape[1], data);
  const Handle to = first == 0 ? make_dataset(name, kind, shape) : hdf5::open_dataset(group_, name);
  hdf5::write_block(to, native(kind), {first, 0}, {count, shape[1]}, data, name.c_str());
}

Handle LoadFromHdf5::open(const std::string& name, Kind kind) const {
  if (!hdf5::exists(group_, name)) refuse(name, "is missing");
  Handle from = hdf5::open_dataset(group_, name);
  const Handle type(H5Dget_type(from), H5Tclose, name.c_str());
  if (check(H5Tequal(type, native(kind)), name.c_str()) == 0)
    refuse(name, "has numbers of another kind, " + std::to_string(H5Tget_size(type)) + " bytes each");
  return from;
}

std::size_t LoadFromHdf5::saved_length(const std::string& name, Kind kind) const try {
  const Handle from = open(name, kind);
  const std::vector<hsize_t> shape = hdf5::shape_of(from);
  if (shape.size() != 1) refuse(name, "is " + sizes(shape) + ", and a list is wanted");
  return hdf5::count_of(from, name);
} catch (const hdf5::Failure& e) {
  refuse(name, "cannot be read: " + std::string(e.what()));
}

Handle LoadFromHdf5::open(const std::string& name, Kind kind, const Shape& shape) const {
  Handle from = open(name, kind);
  const std::vector<hsize_t> there = hdf5::shape_of(from), wanted(shape.begin(), shape.end());
  if (there != wanted) refuse(name, "is " + sizes(there) + ", and " + sizes(wanted) + " is wanted");
  return from;
}

void LoadFromHdf5::exchange(const std::string& name, Kind kind, const Shape& shape, void* data) try {
  const Handle from = open(name, kind, shape);
  if (std::find(shape.begin(), shape.end(), 0) == shape.end())
    check(H5Dread(from, native(kind), H5S_ALL, H5S_ALL, H5P_DEFAULT, data), name.c_str());
} catch (const hdf5::Failure& e) {
  refuse(name, "cannot be read: " + std::string(e.what()));
}

void LoadFromHdf5::exchange_rows(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                                 std::size_t count, void* data) try {
  const Handle from = open(name, kind, shape);
  hdf5::read_block(from, native(kind), {first, 0}, {count, shape[1]}, data, name.c_str());
} catch (const hdf5::Failure& e) {
  refuse(name, "cannot be read: " + std::string(e.what()));
}

}  // namespace wavesim
