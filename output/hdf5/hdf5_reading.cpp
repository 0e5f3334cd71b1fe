#include "output/hdf5/hdf5_reading.hpp"

namespace wavesim::hdf5 {

namespace {

herr_t take_text(hid_t group, const char* name, const H5A_info_t*, void* to) {
  const hid_t a = H5Aopen(group, name, H5P_DEFAULT), type = H5Aget_type(a);
  if (H5Tget_class(type) == H5T_STRING) {
    std::string text(H5Tget_size(type), '\0');
    if (H5Aread(a, type, text.data()) >= 0)
      (*static_cast<std::map<std::string, std::string>*>(to))[name] = text.substr(0, text.find('\0'));
  }
  H5Tclose(type);
  H5Aclose(a);
  return 0;
}

std::size_t count_of(hid_t dataset) {
  std::size_t count = 1;
  for (const hsize_t n : shape_of(dataset)) count *= n;
  return count;
}

}  // namespace

Handle open_to_read(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures are exceptions here, not pages on stderr
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file properties");
#if H5_VERSION_GE(1, 10, 7)
  check(H5Pset_file_locking(access, false, true), "file lock");
#endif
  check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), "file properties");
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "open");
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
  const std::size_t count = count_of(data), size = H5Tget_size(type);
  std::string all(count * size, '\0');
  check(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), path.c_str());
  std::vector<std::string> list;
  for (std::size_t k = 0; k < count; ++k) list.emplace_back(all.substr(k * size, size).c_str());
  return list;
}

std::vector<double> read_numbers(hid_t parent, const std::string& path) {
  const Handle data = open_dataset(parent, path);
  std::vector<double> values(count_of(data));
  if (!values.empty())
    check(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path.c_str());
  return values;
}

std::vector<double> read_attribute(hid_t parent, const char* object, const char* name) {
  const Handle a(H5Aopen_by_name(parent, object, name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name),
      space(H5Aget_space(a), H5Sclose, name);
  std::vector<double> values(std::size_t(H5Sget_simple_extent_npoints(space)));
  check(H5Aread(a, H5T_NATIVE_DOUBLE, values.data()), name);
  return values;
}

std::map<std::string, std::string> read_text_attributes(hid_t parent, const char* object) {
  std::map<std::string, std::string> all;
  hsize_t at = 0;
  check(H5Aiterate_by_name(parent, object, H5_INDEX_NAME, H5_ITER_INC, &at, take_text, &all, H5P_DEFAULT),
        object);
  return all;
}

}  // namespace wavesim::hdf5
