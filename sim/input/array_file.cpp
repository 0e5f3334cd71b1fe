#include "sim/input/array_file.hpp"

#include <algorithm>
#include <cmath>

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

std::optional<std::array<double, 2>> ArrayFile::step_of(const Hdf5Array& array) const {
  if (spacing || !array.spacing) return spacing;
  return {{(*array.spacing)[1], (*array.spacing)[0]}};
}

Samples ArrayFile::placed(const Hdf5Array& array, const Grid& grid) const {
  Samples s{array.rows, array.columns, {}};
  const auto step = step_of(array);
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
  return s;
}

RowsOfArray ArrayFile::rows_for(const Hdf5Array& array, const Grid& grid) const {
  if (!grid.own.ranks) return {0, array.rows};
  const Samples s = placed(array, grid);
  constexpr double beside = 2;  // rows of the grid, for means over cells
  const auto y = [&](double row) { return grid.origin[1] + row * grid.spacing[1]; };
  const auto sample = [&](double at) {
    return long(std::clamp((at - s.origin[1]) / s.spacing[1], 0.0, double(s.rows - 1)));
  };
  // Nodes in layers ask for samples where they lie (initial fields) or on the edge of the rectangle (shapes).
  const double lowest = std::min(y(double(grid.first_row()) - beside), grid.high(1)),
               highest = std::max(y(double(grid.end_row()) + beside), grid.low(1));
  const long low = std::max(0L, sample(lowest) - 1), end = std::min(s.rows, sample(highest) + 3);
  return flip == "y" ? RowsOfArray{s.rows - end, s.rows - low} : RowsOfArray{low, end};
}

Samples ArrayFile::read(const Grid& grid, const Where& where) const {
  Hdf5Array array = read_hdf5_array(file.path, dataset, where, false,
                                    [&](const Hdf5Array& outline) { return rows_for(outline, grid); });
  const std::size_t before = std::size_t(array.first_row) * std::size_t(array.columns);
  const auto wrong =
      std::find_if_not(array.values.begin(), array.values.end(), [](double v) { return std::isfinite(v); });
  if (const auto bad = grid.own.first_found(
          wrong != array.values.end()
              ? std::optional(NodeValue{before + std::size_t(wrong - array.values.begin()), *wrong})
              : std::nullopt))
    where.fail(file.path.string() + " holds " + text(bad->value) + " in " + array.dataset + "[" +
               std::to_string(long(bad->node) / array.columns) + ", " +
               std::to_string(long(bad->node) % array.columns) + "]; replace it by a finite number");

  if (!step_of(array) && origin)
    where.fail("'origin' needs a 'spacing', which neither the config nor " + file.path.string() + " gives");
  Samples s = placed(array, grid);
  s.values = std::move(array.values);
  s.first_row = array.first_row;
  if (flip == "y") {
    s.first_row = s.rows - array.first_row - long(s.values.size()) / s.columns;
    reverse_rows(s);
  }
  if (!step_of(array)) return s;
  std::array<double, 2> end;
  bool covers = true;
  for (int axis = 0; axis < 2; ++axis) {
    end[axis] = s.origin[axis] + s.spacing[axis] * double((axis == 0 ? s.columns : s.rows) - 1);
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
