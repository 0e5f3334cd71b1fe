#pragma once
// Pictures as numbers.

#include "sim/config/section.hpp"

namespace wavesim {

/// values[row * columns + column] from 0 (black) to 1 (white) as stored, no gamma; row 0 is the top.
/// Colours become their luminance (0.2126, 0.7152, 0.0722 of red, green, blue; Rec. 709); transparency is
/// taken off.
struct PngImage {
  long rows = 0, columns = 0;
  std::vector<double> values;
};

/// Reads 1 to 16 bit grey, palette and colour images. Throws InputError.
PngImage read_png(const std::filesystem::path& file, const Where& where);

}  // namespace wavesim
