#include "sim/input/hdf5_array.hpp"

#include <hdf5.h>

#include "sim/input/text.hpp"

namespace wavesim {

namespace {

/// Any HDF5 id, closed at the end of its scope.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  bool bad() const { return id_ < 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// HDF5 prints its own stack of errors unless told not to; ours is one sentence.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  Silence(const Silence&) = delete;
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

std::vector<hsize_t> shape(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  if (space.bad()) return {};
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

/// All datasets below a group. Goes by index: these calls are the same in every version of the library.
void collect(hid_t group, const std::string& path, std::vector<Item>& items, int depth = 0) {
  H5G_info_t info;
  if (depth > 8 || H5Gget_info(group, &info) < 0) return;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    char name[256];
    if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) < 0)
      continue;
    const Handle object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
    if (object.bad()) continue;
    const std::string full = path + "/" + name;
    if (H5Iget_type(object) == H5I_DATASET) items.push_back({full, shape(object)});
    if (H5Iget_type(object) == H5I_GROUP) collect(object, full, items, depth + 1);
  }
}

std::string holds(const std::vector<Item>& items) {
  if (items.empty()) return "; the file holds no dataset";
  std::string text = "; the file holds ";
  for (std::size_t i = 0; i < items.size() && i < 12; ++i)
    text += (i ? ", " : "") + items[i].name + " (" + shape_text(items[i].sizes) + ")";
  return items.size() > 12 ? text + ", and " + std::to_string(items.size() - 12) + " more" : text;
}

std::optional<std::array<double, 2>> spacing_of(hid_t object, const std::string& file, const Where& where) {
  if (H5Aexists(object, "spacing") <= 0) return {};
  const Handle attribute(H5Aopen(object, "spacing", H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  std::array<double, 2> v{};
  const bool two = !space.bad() && H5Sget_simple_extent_npoints(space) == 2;
  if (!two || H5Aread(attribute, H5T_NATIVE_DOUBLE, v.data()) < 0 || !(v[0] > 0 && v[1] > 0))
    where.fail("the attribute 'spacing' in " + file +
               " is not two positive numbers (row, column; metres); correct it in the file");
  return v;
}

}  // namespace

Hdf5Array read_hdf5_array(const std::filesystem::path& path, const std::string& dataset, const Where& where) {
  const std::string name = path.string();
  std::error_code none;
  if (!std::filesystem::exists(path, none))
    where.fail("there is no file " + name + "; relative paths start at the config's folder");
  const Silence silence;
  const Handle file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file.bad())
    where.fail(name + " cannot be opened as an HDF5 file; check what it is and its permissions");

  std::vector<Item> items;
  collect(file, "", items);
  std::string wanted = dataset;
  if (wanted.empty()) {
    for (const Item& item : items) {
      if (item.sizes.size() != 2) continue;
      if (!wanted.empty()) where.fail("name the dataset of " + name + " with 'dataset'" + holds(items));
      wanted = item.name;
    }
    if (wanted.empty()) where.fail(name + " has no two-dimensional dataset" + holds(items));
  }
  const Handle set(H5Dopen2(file, wanted.c_str(), H5P_DEFAULT), H5Dclose);
  if (set.bad()) where.fail("there is no dataset " + wanted + " in " + name + holds(items));
  const std::vector<hsize_t> sizes = shape(set);
  if (sizes.size() != 2)
    where.fail("the dataset " + wanted + " in " + name + " is " + shape_text(sizes) +
               ", not two-dimensional" + holds(items));
  if (sizes[0] == 0 || sizes[1] == 0) where.fail("the dataset " + wanted + " in " + name + " is empty");
  const Handle type(H5Dget_type(set), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM)
    where.fail("the dataset " + wanted + " in " + name + " does not hold numbers; choose another");

  Hdf5Array array;
  array.dataset = wanted;
  array.rows = long(sizes[0]);
  array.columns = long(sizes[1]);
  array.values.resize(std::size_t(sizes[0] * sizes[1]));
  if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()) < 0)
    where.fail("the dataset " + wanted + " in " + name +
               " cannot be read: the file is damaged or uses a filter that this HDF5 library does not have; "
               "write it again with gzip or no compression");
  array.spacing = spacing_of(set, name, where);
  if (!array.spacing) array.spacing = spacing_of(file, name, where);
  return array;
}

}  // namespace wavesim
