#include "sim/input/image_file.hpp"
#include "sim/shapes/geometry.hpp"

namespace wavesim {

namespace {

/// {image: mask.png}: inside where the picture is brighter than the threshold.
struct ImageShape : Shape {
  FilePath image;
  double threshold = 0.5;

  void fields(Section& s) override {
    s("image", image, {.text = "PNG, stretched over grid.size; row 0 is the top", .required = true});
    s("threshold", threshold,
      {.text = "inside where it is brighter; 0 is black, 1 white", .least = 0, .most = 1});
    rim_keys(s);
  }
  bool has_geometry() const override { return false; }
  std::unique_ptr<Outline> outline(const Grid& grid) const override {
    return samples_outline(read_image(image, grid, where), threshold);
  }
  std::string why_empty(const Grid& grid) const override {
    return threshold_hint(read_image(image, grid, where), threshold,
                          "the brightness of " + image.path.string(), grid.own);
  }
};

}  // namespace

Kind<Shape> image_shape_kind() {
  return {"image", "where a PNG image is bright", Form::flat, make_kind<Shape, ImageShape>};
}

}  // namespace wavesim
