#include "sim/input/array_file.hpp"
#include "sim/shapes/geometry.hpp"

namespace wavesim {

namespace {

/// {file: gulf.h5, dataset: /sea, flip: y}: inside where the dataset, bilinear between its samples, is above
/// the threshold.
struct FileShape : MaskedShape {
  ArrayFile array;
  double threshold = 0.5;

  void fields(Section& s) override {
    array.fields(s);
    s("threshold", threshold, {.text = "inside where the values are greater"});
    rim(s);
  }

 protected:
  std::vector<std::uint8_t> mask(const Grid& grid, NodesOf ask) const override {
    const Samples samples = array.read(grid, where);
    return mask_nodes(
        grid, ask, [&] { return [&](double x, double y) { return samples.at(x, y) > threshold ? 1 : -1; }; });
  }
};

}  // namespace

Kind<Shape> file_shape_kind() {
  return {"file", "where a dataset of an HDF5 file is above a threshold", Form::flat,
          make_kind<Shape, FileShape>};
}

}  // namespace wavesim
