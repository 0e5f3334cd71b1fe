#include "output/hdf5/hdf5_reading.hpp"

#include <algorithm>
#include <cmath>

#include "output/hdf5/hdf5_dataset.hpp"

namespace wavesim::hdf5 {

namespace {

/// Of a text, and of the values of an attribute: more than this program writes.
constexpr std::size_t longest_text = 64 << 20, most_values = 1 << 20;

herr_t take_text(hid_t group, const char* name, const H5A_info_t*, void* to) {
  const hid_t a = H5Aopen(group, name, H5P_DEFAULT), type = H5Aget_type(a), space = H5Aget_space(a);
  const std::size_t size = H5Tget_size(type);
  if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
      H5Sget_simple_extent_npoints(space) == 1 && size <= longest_text) {
    std::string text(size, '\0');
    if (H5Aread(a, type, text.data()) >= 0)
      (*static_cast<std::map<std::string, std::string>*>(to))[name] = text.substr(0, text.find('\0'));
  }
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(a);
  return 0;
}

}  // namespace

std::size_t count_of(hid_t dataset, const std::string& path) {
  double count = 1;
  for (const hsize_t n : shape_of(dataset)) count *= double(n);
  require_stored(dataset, count, path);
  return std::size_t(count);
}

Handle open_to_read(const std::string& path) {
  silence();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file properties");
#if H5_VERSION_GE(1, 10, 7)
  check(H5Pset_file_locking(access, false, true), "file lock");
#endif
  check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), "file properties");
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "open");
}

namespace {
/// `opened`: objects so far. Groups may hold themselves.
void open_below(hid_t group, int& opened) {
  constexpr int most = 10000;
  H5G_info_t info;
  check(H5Gget_info(group, &info), "group");
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    if (++opened > most) throw Failure("it holds more groups and datasets than this program writes");
    const Handle object(H5Oopen_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, H5P_DEFAULT), H5Oclose,
                        "object");
    if (H5Iget_type(object) == H5I_GROUP) open_below(object, opened);
    if (H5Iget_type(object) != H5I_DATASET) continue;
    const Handle type(H5Dget_type(object), H5Tclose, "type"),
        properties(H5Dget_create_plist(object), H5Pclose, "properties");
    shape_of(object);
  }
}
}  // namespace

void open_all(hid_t group) {
  int opened = 0;
  open_below(group, opened);
}

bool exists(hid_t parent, const std::string& path) {
  // H5Lexists wants every link on the way to exist.
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    if (H5Lexists(parent, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) return true;
  }
}

Handle open_dataset(hid_t parent, const std::string& path) {
  return Handle(H5Dopen2(parent, path.c_str(), H5P_DEFAULT), H5Dclose, path.c_str());
}

std::vector<hsize_t> shape_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "shape");
  std::vector<hsize_t> shape(std::size_t(check(H5Sget_simple_extent_ndims(space), "shape")));
  check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "shape");
  return shape;
}

bool shuffled_and_deflated(hid_t properties) {
  if (H5Pget_nfilters(properties) != 2) return false;
  const H5Z_filter_t wanted[] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE};
  for (unsigned k = 0; k < 2; ++k) {
    unsigned flags = 0;
    std::size_t values = 0;
    if (H5Pget_filter2(properties, k, &flags, &values, nullptr, 0, nullptr, nullptr) != wanted[k])
      return false;
  }
  return true;
}

std::vector<std::string> read_texts(hid_t parent, const std::string& path) {
  const Handle data = open_dataset(parent, path), type(H5Dget_type(data), H5Tclose, path.c_str());
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
    throw Failure(path + " is no text of fixed length");
  const std::size_t count = count_of(data, path), size = H5Tget_size(type);
  std::string all(count * size, '\0');
  if (count) check(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), path.c_str());
  std::vector<std::string> list;
  for (std::size_t k = 0; k < count; ++k) list.emplace_back(all.substr(k * size, size).c_str());
  return list;
}

std::string read_text(hid_t parent, const std::string& path) {
  const std::vector<std::string> all = read_texts(parent, path);
  if (all.empty()) throw Failure(path + " is empty");
  return all.front();
}

template <class T>
std::vector<T> read_array(hid_t parent, const std::string& path) {
  const Handle data = open_dataset(parent, path);
  std::vector<T> values(count_of(data, path));
  if (!values.empty())
    check(H5Dread(data, native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path.c_str());
  return values;
}
template std::vector<double> read_array(hid_t parent, const std::string& path);
template std::vector<std::int64_t> read_array(hid_t parent, const std::string& path);

std::vector<double> read_numbers(hid_t parent, const std::string& path) {
  return read_array<double>(parent, path);
}

std::vector<double> read_attribute(hid_t parent, const char* object, const char* name) {
  const Handle a(H5Aopen_by_name(parent, object, name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name),
      space(H5Aget_space(a), H5Sclose, name), type(H5Aget_type(a), H5Tclose, name);
  // As this program writes them: a damaged type makes the library's conversion write where it should not.
  if (H5Tequal(type, H5T_NATIVE_DOUBLE) <= 0 && H5Tequal(type, H5T_NATIVE_INT64) <= 0)
    throw Failure(std::string(name) + " is no number of 64 bits");
  const hssize_t count = check(H5Sget_simple_extent_npoints(space), name);
  if (count < 1 || std::size_t(count) > most_values)
    throw Failure(std::string(name) + " is empty or damaged");
  std::vector<double> values(std::size_t(count), 0);
  check(H5Aread(a, H5T_NATIVE_DOUBLE, values.data()), name);
  return values;
}

long whole_number(double v, const char* what, double most) {
  if (!(v >= 0 && v <= most && v == std::floor(v)))
    throw Failure(std::string(what) + " is no whole number from 0 to " + std::to_string(long(most)));
  return long(v);
}

std::map<std::string, std::string> read_text_attributes(hid_t parent, const char* object) {
  std::map<std::string, std::string> all;
  hsize_t at = 0;
  check(H5Aiterate_by_name(parent, object, H5_INDEX_NAME, H5_ITER_INC, &at, take_text, &all, H5P_DEFAULT),
        object);
  return all;
}

}  // namespace wavesim::hdf5
