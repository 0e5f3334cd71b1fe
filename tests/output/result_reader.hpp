#pragma once
// Reads result files back through the HDF5 C API, for tests.

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace wavesim::testing {

class ResultReader {
 public:
  explicit ResultReader(const std::string& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    file_ = must(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), path);
  }
  ~ResultReader() { H5Fclose(file_); }
  ResultReader(const ResultReader&) = delete;
  ResultReader& operator=(const ResultReader&) = delete;

  bool has(const std::string& path) const { return H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0; }

  std::vector<hsize_t> shape(const std::string& path) const {
    const hid_t d = must(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), path);
    const hid_t s = H5Dget_space(d);
    std::vector<hsize_t> shape(std::size_t(H5Sget_simple_extent_ndims(s)));
    H5Sget_simple_extent_dims(s, shape.data(), nullptr);
    H5Sclose(s);
    H5Dclose(d);
    return shape;
  }

  /// All values of a dataset as doubles.
  std::vector<double> numbers(const std::string& path) const { return rows(path, shape(path).at(0)); }

  /// The first `count` entries along the first axis.
  std::vector<double> rows(const std::string& path, hsize_t count) const {
    std::vector<hsize_t> size = shape(path);
    if (count > size[0]) throw std::runtime_error(path + " has " + std::to_string(size[0]) + " entries only");
    size[0] = count;
    std::size_t n = 1;
    for (hsize_t extent : size) n *= extent;
    std::vector<double> values(n);
    if (n == 0) return values;
    const hid_t d = must(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), path), s = H5Dget_space(d);
    const std::vector<hsize_t> start(size.size(), 0);
    H5Sselect_hyperslab(s, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr);
    const hid_t memory = H5Screate_simple(int(size.size()), size.data(), nullptr);
    const herr_t status = H5Dread(d, H5T_NATIVE_DOUBLE, memory, s, H5P_DEFAULT, values.data());
    H5Sclose(memory);
    H5Sclose(s);
    H5Dclose(d);
    must(status, path);
    return values;
  }

  /// Texts of a dataset of fixed-length strings, without padding.
  std::vector<std::string> texts(const std::string& path) const {
    std::size_t n = 1;
    for (hsize_t extent : shape(path)) n *= extent;
    const hid_t d = must(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), path), t = H5Dget_type(d);
    const std::size_t size = H5Tget_size(t);
    std::string all(n * size, '\0');
    const herr_t status = H5Dread(d, t, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
    H5Tclose(t);
    H5Dclose(d);
    must(status, path);
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < n; ++k) texts.emplace_back(all.substr(k * size, size).c_str());
    return texts;
  }

  std::vector<double> attribute(const std::string& object, const char* name) const {
    const hid_t a =
        must(H5Aopen_by_name(file_, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT), object + "@" + name);
    const hid_t s = H5Aget_space(a);
    std::vector<double> values(std::size_t(H5Sget_simple_extent_npoints(s)));
    H5Aread(a, H5T_NATIVE_DOUBLE, values.data());
    H5Sclose(s);
    H5Aclose(a);
    return values;
  }

  std::string text_attribute(const std::string& object, const char* name) const {
    const hid_t a =
        must(H5Aopen_by_name(file_, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT), object + "@" + name);
    const hid_t t = H5Aget_type(a);
    std::string text(H5Tget_size(t), '\0');
    H5Aread(a, t, text.data());
    H5Tclose(t);
    H5Aclose(a);
    return text.substr(0, text.find('\0'));
  }

 private:
  template <class Status>
  static Status must(Status s, const std::string& what) {
    if (s < 0) throw std::runtime_error("cannot read " + what);
    return s;
  }
  hid_t file_ = -1;
};

}  // namespace wavesim::testing
