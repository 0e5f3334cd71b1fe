#include "sim/input/image_file.hpp"

namespace wavesim {

Samples read_image(const FilePath& file, const Grid& grid, const Where& where) {
  PngImage image = read_png(file.path, where);
  Samples s{image.rows, image.columns, std::move(image.values)};
  reverse_rows(s);
  const std::array<long, 2> count{s.columns, s.rows};
  for (int axis = 0; axis < 2; ++axis) {
    s.spacing[axis] = (grid.high(axis) - grid.low(axis)) / double(count[axis]);
    s.origin[axis] = grid.low(axis) + s.spacing[axis] / 2;
  }
  return s;
}

}  // namespace wavesim
