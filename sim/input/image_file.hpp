#pragma once
// A picture stretched over the user's rectangle.

#include "sim/input/png_image.hpp"
#include "sim/input/samples.hpp"
#include "sim/model/grid.hpp"

namespace wavesim {

/// The image's pixels tile grid.size: row 0 of the file is the top, values from 0 (black) to 1 (white) hold
/// at the pixels' centres. Throws InputError.
Samples read_image(const FilePath& file, const Grid& grid, const Where& where);

}  // namespace wavesim
