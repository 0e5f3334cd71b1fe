#include "sim/input/image_file.hpp"
#include "sim/shapes/geometry.hpp"

namespace wavesim {

namespace {

/// {image: mask.png}: inside where the picture is brighter than the threshold.
struct ImageShape : MaskedShape {
  FilePath image;
  double threshold = 0.5;

  void fields(Section& s) override {
    s("image", image, {.text = "PNG, stretched over grid.size; row 0 is the top", .required = true});
    s("threshold", threshold,
      {.text = "inside where it is brighter; 0 is black, 1 white", .least = 0, .most = 1});
    rim(s);
  }

 protected:
  std::vector<std::uint8_t> mask(const Grid& grid, NodesOf ask) const override {
    const Samples samples = read_image(image, grid, where);
    return mask_nodes(
        grid, ask, [&] { return [&](double x, double y) { return samples.at(x, y) > threshold ? 1 : -1; }; });
  }
};

}  // namespace

Kind<Shape> image_shape_kind() {
  return {"image", "where a PNG image is bright", Form::flat, make_kind<Shape, ImageShape>};
}

}  // namespace wavesim
