#pragma once
// Many small fields on one picture.

#include <vector>

#include "output/pictures/field_painter.hpp"

namespace wavesim {

struct Tile {
  double time;
  std::vector<float> values;
};

/// Left to right and top to bottom, with one colour bar and one scale bar. Two columns at most, or a single frame, have
/// letters twice as large: for a narrow window.
Canvas contact_sheet(const Scene& scene, const PicturesOutput& look, const std::vector<Tile>& tiles,
                     int most_columns = 12);

}  // namespace wavesim
