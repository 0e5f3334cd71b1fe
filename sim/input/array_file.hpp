#pragma once
// The keys that place a dataset of an HDF5 file in the plane; used by fields and shapes.

#include "sim/config/section.hpp"
#include "sim/input/hdf5_array.hpp"
#include "sim/input/samples.hpp"
#include "sim/model/grid.hpp"

namespace wavesim {

/// {file: vp.h5, dataset: /speed, flip: y, spacing: [dx, dy], origin: [x, y]}
///   spacing  of the samples in metres; default the file's own `spacing` attribute (row, column); where there
///            is neither, the first and last samples are put on the edges of grid.size
///   flip: y  row 0 is the top; without it row 0 is the bottom
///   origin   where the lower left sample lies; default the lower left corner of grid.size, with flip: y such
///            that row 0 lies on the upper edge of grid.size
struct ArrayFile {
  FilePath file;
  std::string dataset;
  std::string flip = "none";
  std::optional<std::array<double, 2>> spacing, origin;

  void fields(Section& s);
  /// Reads and places it. Throws InputError for a file that is not there or not right, for NaN and infinity
  /// (with the index), and for one that does not cover grid.size to a hundredth of a
  /// sample (with both extents). Where ranks share out the grid, each reads the rows that it needs.
  Samples read(const Grid& grid, const Where& where) const;

 private:
  std::optional<std::array<double, 2>> step_of(const Hdf5Array& array) const;
  /// Where samples lie, without their values.
  Samples placed(const Hdf5Array& array, const Grid& grid) const;
  /// Of the file.
  RowsOfArray rows_for(const Hdf5Array& array, const Grid& grid) const;
};

}  // namespace wavesim
