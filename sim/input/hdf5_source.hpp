#pragma once
// A two-dimensional dataset of an HDF5 file, read piece by piece. The library may crash on damaged files: to be used in a
// process that may (hdf5_array.cpp).

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "sim/input/hdf5_handle.hpp"

namespace wavesim {

class Hdf5Source {
 public:
  /// With an empty name the only two-dimensional dataset of the file. Throws InputError, without a place in a config,
  /// that says what the file holds if it has no such dataset, or one of another rank or type, or more than memory has
  /// space for.
  /// `column`: the dataset has one dimension, and is read as a column.
  Hdf5Source(const std::filesystem::path& file, const std::string& dataset, bool column = false);

  long rows() const { return rows_; }
  long columns() const { return columns_; }
  const std::string& dataset() const { return dataset_; }
  /// The attribute `spacing` of the dataset, or else of the file: metres, (row, column).
  const std::optional<std::array<double, 2>>& spacing() const { return spacing_; }

  /// `count` numbers from number `first` on, row by row: within one row, or whole rows. Throws InputError.
  void read(long first, long count, double* to) const;

 private:
  std::string file_, dataset_;
  hdf5::Handle h5_, set_;
  long rows_ = 0, columns_ = 0;
  std::optional<std::array<double, 2>> spacing_;
};

}  // namespace wavesim
