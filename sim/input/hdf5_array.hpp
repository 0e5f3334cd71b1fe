#pragma once
// Two-dimensional datasets of HDF5 files that others have written.

#include <functional>

#include "sim/config/section.hpp"

namespace wavesim {

/// values[(row - first_row) * columns + column], whatever number type the file holds.
struct Hdf5Array {
  long rows = 0, columns = 0;
  long first_row = 0;  // of those that were read
  std::vector<double> values;
  /// The `spacing` attribute of the dataset, or else of the file: metres, in the order of the array's axes
  /// (row, column).
  std::optional<std::array<double, 2>> spacing;
  std::string dataset;  // the one that was read
};

/// Rows from `first` to `end` - 1.
struct RowsOfArray {
  long first, end;
};
/// Which rows are wanted, where all else of an array is known; empty: all.
using RowChoice = std::function<RowsOfArray(const Hdf5Array&)>;

/// Reads a dataset in a child process, since the HDF5 library may crash on a damaged file; with an empty name the only
/// two-dimensional one of the file. Throws InputError that says what the file holds if it has no such dataset or one of
/// another rank or type, or that it is damaged.
/// `column`: a dataset of one dimension is one column.
Hdf5Array read_hdf5_array(const std::filesystem::path& file, const std::string& dataset, const Where& where,
                          bool column = false, const RowChoice& rows = {});

/// Starts that process, which read_hdf5_array does otherwise: to be called before a device is used.
void prepare_to_read_hdf5();

}  // namespace wavesim
