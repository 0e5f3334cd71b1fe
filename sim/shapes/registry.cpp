// The list of shapes: a new one is its own file and a line here.
#include "sim/shapes/shape.hpp"

namespace wavesim {

Kind<Shape> circle_kind();
Kind<Shape> ellipse_kind();
Kind<Shape> polygon_kind();
Kind<Shape> rectangles_kind();
Kind<Shape> expression_shape_kind();
Kind<Shape> file_shape_kind();
Kind<Shape> image_shape_kind();
Kind<Shape> not_kind();

template <>
const std::vector<Kind<Shape>>& kinds<Shape>() {
  static const std::vector<Kind<Shape>> all{
      circle_kind(),           ellipse_kind(),    polygon_kind(),     rectangles_kind(),
      expression_shape_kind(), file_shape_kind(), image_shape_kind(), not_kind()};
  return all;
}

template <>
std::string_view family<Shape>() {
  return "shape";
}

}  // namespace wavesim
