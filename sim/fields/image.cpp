#include "sim/fields/field.hpp"
#include "sim/input/image_file.hpp"

namespace wavesim {

namespace {

/// {image: c.png, range: [80, 120]}: black is the first value, white the second.
struct ImageField : Field2 {
  FilePath image;
  std::array<double, 2> range{0, 1};

  void fields(Section& s) override {
    s("image", image, {.text = "PNG, stretched over grid.size; row 0 is the top", .required = true});
    s("range", range, {.text = "[value of black, value of white]"});
  }
  std::unique_ptr<PointValues> values(const Grid& grid) const override {
    Samples samples = read_image(image, grid, where);
    for (double& v : samples.values) v = range[0] + v * (range[1] - range[0]);
    return sampled_values(std::move(samples));
  }
};

}  // namespace

Kind<Field2> image_field_kind() {
  return {"image", "brightness of a PNG image, scaled to a range", Form::flat, make_kind<Field2, ImageField>};
}

}  // namespace wavesim
