#include "sim/input/hdf5_source.hpp"

#include <algorithm>
#include <vector>

#include "kernels/backend/device.hpp"
#include "kernels/backend/errors.hpp"
#include "sim/input/hdf5_stored.hpp"

namespace wavesim {

namespace {

using hdf5::Handle;

std::vector<hsize_t> shape(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  if (!space.open()) return {};
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> sizes(std::size_t(std::max(rank, 0)));
  if (rank > 0) H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return sizes;
}

std::string shape_text(const std::vector<hsize_t>& sizes) {
  std::string text;
  for (const hsize_t n : sizes) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return sizes.empty() ? "a single value" : text;
}

struct Item {
  std::string name;
  std::vector<hsize_t> sizes;
};

/// The datasets below a group, the first of many: groups may hold themselves. `left`: objects that are still looked at.
/// Goes by index: these calls are the same in every version of the library.
void collect(hid_t group, const std::string& path, std::vector<Item>& items, int& left, int depth = 0) {
  H5G_info_t info;
  if (depth > 8 || H5Gget_info(group, &info) < 0) return;
  for (hsize_t i = 0; i < info.nlinks && --left > 0; ++i) {
    char name[256];
    if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) < 0)
      continue;
    const Handle object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
    if (!object.open()) continue;
    const std::string full = path + "/" + name;
    if (H5Iget_type(object) == H5I_DATASET) items.push_back({full, shape(object)});
    if (H5Iget_type(object) == H5I_GROUP) collect(object, full, items, left, depth + 1);
  }
}

std::string holds(const std::vector<Item>& items) {
  if (items.empty()) return "; the file holds no dataset";
  std::string text = "; the file holds ";
  for (std::size_t i = 0; i < items.size() && i < 12; ++i)
    text += (i ? ", " : "") + items[i].name + " (" + shape_text(items[i].sizes) + ")";
  return items.size() > 12 ? text + ", and " + std::to_string(items.size() - 12) + " more" : text;
}

std::vector<Item> all_items(hid_t file) {
  std::vector<Item> items;
  int left = 10000;
  collect(file, "", items, left);
  return items;
}

hid_t open_file(const std::string& name) {
  hdf5::silence();
  const hid_t file = H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0)
    throw InputError(name + " cannot be opened as an HDF5 file; check what it is and its permissions");
  return file;
}

std::string only_dataset(hid_t file, const std::string& name) {
  const std::vector<Item> items = all_items(file);
  std::string found;
  for (const Item& item : items) {
    if (item.sizes.size() != 2) continue;
    if (!found.empty()) throw InputError("name the dataset of " + name + " with 'dataset'" + holds(items));
    found = item.name;
  }
  if (found.empty()) throw InputError(name + " has no two-dimensional dataset" + holds(items));
  return found;
}

/// Properties to open a dataset with: a cache that holds two rows of its chunks. Pieces are read from above to below, and
/// each chunk shall be unpacked once.
hid_t access_to(hid_t file, const std::string& dataset) {
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  const Handle set(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.open()) return access;
  const std::vector<hsize_t> sizes = shape(set);
  const Handle made(H5Dget_create_plist(set), H5Pclose), type(H5Dget_type(set), H5Tclose);
  hsize_t chunk[2]{};
  if (sizes.size() != 2 || !made.open() || H5Pget_layout(made) != H5D_CHUNKED ||
      H5Pget_chunk(made, 2, chunk) != 2 || chunk[0] == 0 || chunk[1] == 0)
    return access;
  constexpr double most = 4e9;
  const hsize_t chunks_across = sizes[1] / chunk[1] + 1;
  const double across = double(chunks_across);
  const double bytes = 2 * across * double(chunk[0]) * double(chunk[1]) * double(H5Tget_size(type));
  const double slots = std::min(100 * 2 * across, 1e6);
  H5Pset_chunk_cache(access, std::size_t(slots) | 1, std::size_t(std::min(bytes, most)), 1);
  return access;
}

hid_t open_set(hid_t file, const std::string& dataset) {
  const Handle access(access_to(file, dataset), H5Pclose);  // while it is open no other cache can be had
  return H5Dopen2(file, dataset.c_str(), access);
}

/// Where what is stored bounds it.
void refuse_more_than_stored(hid_t set, double values, const std::string& named) {
  if (!hdf5::packs_at_most_as_gzip(set)) return;
  try {
    hdf5::require_stored(set, values, named, 1 << 20);
  } catch (const hdf5::Failure& e) {
    throw InputError(std::string(e.what()) +
                     ": it is damaged, or was not written to its end; write it again");
  }
}

std::optional<std::array<double, 2>> spacing_of(hid_t object, const std::string& file) {
  if (H5Aexists(object, "spacing") <= 0) return {};
  const Handle attribute(H5Aopen(object, "spacing", H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  std::array<double, 2> v{};
  const bool two = space.open() && H5Sget_simple_extent_npoints(space) == 2;
  if (!two || H5Aread(attribute, H5T_NATIVE_DOUBLE, v.data()) < 0 || !(v[0] > 0 && v[1] > 0))
    throw InputError("the attribute 'spacing' in " + file +
                     " is not two positive numbers (row, column; metres); correct it in the file");
  return v;
}

}  // namespace

Hdf5Source::Hdf5Source(const std::filesystem::path& file, const std::string& dataset, bool column)
    : file_(file.string()),
      dataset_(dataset),
      h5_(open_file(file_), H5Fclose),
      set_(open_set(h5_, dataset_.empty() ? dataset_ = only_dataset(h5_, file_) : dataset_), H5Dclose) {
  const std::string named = "the dataset " + dataset_ + " in " + file_;
  if (!set_.open())
    throw InputError("there is no dataset " + dataset_ + " in " + file_ + holds(all_items(h5_)));
  std::vector<hsize_t> sizes = shape(set_);
  if (column && sizes.size() == 1) sizes.push_back(1);
  if (sizes.size() != 2)
    throw InputError(named + " is " + shape_text(sizes) + ", not two-dimensional" + holds(all_items(h5_)));
  if (sizes[0] == 0 || sizes[1] == 0) throw InputError(named + " is empty");
  const Handle type(H5Dget_type(set_), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM)
    throw InputError(named + " does not hold numbers; choose another");
  const double values = double(sizes[0]) * double(sizes[1]);
  if (values * sizeof(double) > double(cpu_facts().free))
    throw InputError(named + " is " + shape_text(sizes) + ", for which this computer's memory has no space");
  refuse_more_than_stored(set_, values, named);
  rows_ = long(sizes[0]);
  columns_ = long(sizes[1]);
  spacing_ = spacing_of(set_, file_);
  if (!spacing_) spacing_ = spacing_of(h5_, file_);
}

void Hdf5Source::read(long first, long count, double* to) const {
  const long rows = std::max(1L, count / columns_);
  const hsize_t start[2]{hsize_t(first / columns_), hsize_t(first % columns_)},
      counts[2]{hsize_t(rows), hsize_t(count / rows)}, length = hsize_t(count);
  const Handle there(H5Dget_space(set_), H5Sclose), here(H5Screate_simple(1, &length, nullptr), H5Sclose);
  if (H5Sselect_hyperslab(there, H5S_SELECT_SET, start, nullptr, counts, nullptr) < 0 ||
      H5Dread(set_, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, to) < 0)
    throw InputError(
        "the dataset " + dataset_ + " in " + file_ +
        " cannot be read: the file is damaged or uses a filter that this HDF5 library does not have; "
        "write it again with gzip or no compression");
}

}  // namespace wavesim
