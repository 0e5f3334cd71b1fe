#include "sim/input/image_file.hpp"

namespace wavesim {

Samples read_image(const FilePath& file, const Grid& grid, const Where& where) {
  const PngImage image = read_png(file.path, where);
  Samples s{image.rows, image.columns, std::vector<double>(image.values.size())};
  for (long r = 0; r < s.rows; ++r)
    std::copy_n(image.values.begin() + r * s.columns, s.columns,
                s.values.begin() + (s.rows - 1 - r) * s.columns);
  const std::array<long, 2> count{s.columns, s.rows};
  for (int axis = 0; axis < 2; ++axis) {
    s.spacing[axis] = (grid.high(axis) - grid.low(axis)) / double(count[axis]);
    s.origin[axis] = grid.low(axis) + s.spacing[axis] / 2;
  }
  return s;
}

}  // namespace wavesim
