#include "sim/input/array_file.hpp"

#include "sim/input/hdf5_array.hpp"
#include "sim/input/text.hpp"

namespace wavesim {

namespace {

std::string extent(double x0, double x1, double y0, double y1) {
  return "x = " + text(x0) + " to " + text(x1) + ", y = " + text(y0) + " to " + text(y1) + " m";
}

}  // namespace

void ArrayFile::fields(Section& s) {
  s("file", file, {.text = "HDF5 file", .required = true});
  s("dataset", dataset, {.text = "its two-dimensional dataset; may be left out where there is one only"});
  s("flip", flip, {.text = "y: row 0 is the top of the picture, not the bottom", .choices = {"none", "y"}});
  s("spacing", spacing,
    {.text = "[dx, dy] between samples; default: the file's attribute 'spacing' (row, column), or else "
             "stretched over grid.size",
     .unit = "m",
     .above = 0});
  s("origin", origin,
    {.text = "[x, y] of the lower left sample; default: the corner of grid.size where row 0 begins",
     .unit = "m"});
}

Samples ArrayFile::read(const Grid& grid, const Where& where) const {
  Hdf5Array array = read_hdf5_array(file.path, dataset, where);
  for (std::size_t i = 0; i < array.values.size(); ++i)
    if (!std::isfinite(array.values[i]))
      where.fail(file.path.string() + " holds " + text(array.values[i]) + " in " + array.dataset + "[" +
                 std::to_string(long(i) / array.columns) + ", " + std::to_string(long(i) % array.columns) +
                 "]; replace it by a finite number");

  Samples s{array.rows, array.columns, std::move(array.values)};
  if (flip == "y") reverse_rows(s);
  std::optional<std::array<double, 2>> step = spacing;
  if (!step && array.spacing) step = {(*array.spacing)[1], (*array.spacing)[0]};
  if (!step && origin)
    where.fail("'origin' needs a 'spacing', which neither the config nor " + file.path.string() + " gives");
  const std::array<long, 2> count{s.columns, s.rows};
  for (int axis = 0; axis < 2; ++axis) {
    const double low = grid.low(axis), high = grid.high(axis);
    if (!step) {
      s.spacing[axis] = count[axis] > 1 ? (high - low) / double(count[axis] - 1) : high - low;
      s.origin[axis] = low;
      continue;
    }
    s.spacing[axis] = (*step)[axis];
    const bool from_top = axis == 1 && flip == "y";
    s.origin[axis] = origin ? (*origin)[axis] : from_top ? high - s.spacing[axis] * double(s.rows - 1) : low;
  }
  if (!step) return s;
  std::array<double, 2> end;
  bool covers = true;
  for (int axis = 0; axis < 2; ++axis) {
    end[axis] = s.origin[axis] + s.spacing[axis] * double(count[axis] - 1);
    const double slack = 0.01 * s.spacing[axis];  // sizes are often rounded to whole metres
    covers = covers && s.origin[axis] <= grid.low(axis) + slack && end[axis] >= grid.high(axis) - slack;
  }
  if (!covers)
    where.fail(file.path.string() + " covers " + extent(s.origin[0], end[0], s.origin[1], end[1]) +
               ", but the grid is " + extent(grid.low(0), grid.high(0), grid.low(1), grid.high(1)) +
               "; make grid.size smaller or set 'origin' or 'spacing'");
  return s;
}

}  // namespace wavesim
