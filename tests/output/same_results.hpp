#pragma once
// Whether two folders of results hold the same, but for seconds on the clock, dates and the names of the machine.

#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

#include "tests/output/fresh_folder.hpp"

namespace wavesim::testing {

/// Every dataset and attribute of an HDF5 file, by its path, as bytes.
class Hdf5Contents {
 public:
  explicit Hdf5Contents(const std::string& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    EXPECT_GE(file, 0) << path;
    if (file < 0) return;
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, visit, this);
    H5Fclose(file);
  }
  std::map<std::string, std::string> entries;

 private:
  static herr_t visit(hid_t file, const char* name, const H5O_info_t* info, void* to) {
    auto& self = *static_cast<Hdf5Contents*>(to);
    const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    self.at_ = name;
    if (info->type == H5O_TYPE_DATASET) self.dataset(object);
    hsize_t at = 0;
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &at, attribute, to);
    H5Oclose(object);
    return 0;
  }
  static herr_t attribute(hid_t object, const char* name, const H5A_info_t*, void* to) {
    auto& self = *static_cast<Hdf5Contents*>(to);
    const hid_t a = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(a), space = H5Aget_space(a);
    std::string bytes(std::size_t(H5Sget_simple_extent_npoints(space)) * H5Tget_size(type), '\0');
    if (std::string_view(name) == "DIMENSION_LIST")
      bytes = scales_of(object);  // instead of places in memory and in the file
    else if (std::string_view(name) == "REFERENCE_LIST")
      bytes.clear();
    else
      H5Aread(a, type, bytes.data());
    self.entries[self.at_ + "@" + name] = bytes;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(a);
    return 0;
  }
  /// "time y x": the dimension scales of a dataset.
  static std::string scales_of(hid_t dataset) {
    const hid_t space = H5Dget_space(dataset);
    std::string names;
    for (int k = 0; k < H5Sget_simple_extent_ndims(space); ++k)
      H5DSiterate_scales(
          dataset, unsigned(k), nullptr,
          [](hid_t, unsigned, hid_t scale, void* to) -> herr_t {
            char name[80];
            H5DSget_scale_name(scale, name, sizeof name);
            *static_cast<std::string*>(to) += std::string(name) + " ";
            return 0;
          },
          &names);
    H5Sclose(space);
    return names;
  }
  void dataset(hid_t d) {
    const hid_t type = H5Dget_type(d), space = H5Dget_space(d);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    std::vector<hsize_t> shape(std::size_t(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    std::string bytes(std::size_t(count) * H5Tget_size(type), '\0');
    if (count > 0) {
      EXPECT_GE(H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0) << at_;
    }
    for (const hsize_t n : shape) bytes += "," + std::to_string(n);
    entries[at_] = bytes;
    H5Sclose(space);
    H5Tclose(type);
  }
  std::string at_;
};

/// Of the clock, or of the device: that says how many threads and ranks there were.
inline bool of_the_run(const std::string& name) {
  for (const char* word : {"seconds", "started", "device-detail"})
    if (name.find(word) != std::string::npos) return true;
  return false;
}

/// The history without its columns of seconds.
inline std::string without_seconds(const std::string& csv) {
  std::istringstream in(csv);
  std::string out;
  std::vector<std::string> heads;
  for (std::string line; std::getline(in, line); out += "\n") {
    std::istringstream cells(line);
    const bool first = heads.empty();
    std::size_t column = 0;
    for (std::string cell; std::getline(cells, cell, ','); ++column) {
      if (first) heads.push_back(cell);
      if (column >= heads.size() || !of_the_run(heads[column])) out += cell + ",";
    }
  }
  return out;
}

inline void expect_same_hdf5(const std::filesystem::path& a, const std::filesystem::path& b) {
  const Hdf5Contents one(a.string()), two(b.string());
  EXPECT_GT(one.entries.size(), 10u);
  for (const auto& [name, bytes] : one.entries) {
    const auto other = two.entries.find(name);
    ASSERT_TRUE(other != two.entries.end()) << name << " is missing in " << b;
    if (!of_the_run(name)) {
      EXPECT_TRUE(other->second == bytes) << name << " differs in " << b;
    }
  }
  EXPECT_EQ(one.entries.size(), two.entries.size());
}

inline void expect_same_bytes(const std::string& a, const std::string& b, const std::string& what) {
  if (a == b) return;
  const auto at = std::size_t(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const std::size_t from = at < 60 ? 0 : at - 60;
  ADD_FAILURE() << what << " differs from byte " << at << " on: '" << a.substr(from, 120) << "', and there '"
                << b.substr(from, 120) << "'";
}

/// The list of a result's files without its checkpoints.
inline std::string without_checkpoints(const std::string& list) {
  std::istringstream in(list);
  std::string out;
  for (std::string line; std::getline(in, line);)
    if (line.find("_checkpoints/") == std::string::npos) out += line + "\n";
  return out;
}

inline std::vector<std::string> files_in(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) {
      const std::string name = std::filesystem::relative(entry.path(), folder).string();
      if (name.find("_checkpoints/") == std::string::npos) files.push_back(name);
    }
  std::sort(files.begin(), files.end());
  return files;
}

/// Checkpoints are left out: a continued run may have others.
inline void expect_same_results(const std::filesystem::path& a, const std::filesystem::path& b) {
  EXPECT_EQ(files_in(a), files_in(b));
  for (const std::string& file : files_in(a)) {
    if (file.ends_with(".vtkhdf") || file.ends_with(".h5"))
      expect_same_hdf5(a / file, b / file);
    else if (file.ends_with("_history.csv"))
      EXPECT_EQ(without_seconds(content(a / file)), without_seconds(content(b / file)));
    else if (file == ".files")
      EXPECT_EQ(without_checkpoints(content(a / file)), without_checkpoints(content(b / file)));
    else
      expect_same_bytes(content(a / file), content(b / file), file + " in " + b.string());
  }
}

}  // namespace wavesim::testing
