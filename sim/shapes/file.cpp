#include "sim/input/array_file.hpp"
#include "sim/input/hdf5_array.hpp"
#include "sim/shapes/geometry.hpp"

namespace wavesim {

namespace {

/// {file: gulf.h5, dataset: /sea, flip: y}: inside where the dataset, bilinear between its samples, is above
/// the threshold.
struct FileShape : Shape {
  ArrayFile array;
  double threshold = 0.5;

  void fields(Section& s) override {
    array.fields(s);
    s("threshold", threshold, {.text = "inside where the values are greater"});
    rim_keys(s);
  }
  void verify() const override { prepare_to_read_hdf5(); }
  bool has_geometry() const override { return false; }
  std::unique_ptr<Outline> outline(const Grid& grid) const override {
    return samples_outline(array.read(grid, where), threshold);
  }
  std::string why_empty(const Grid& grid) const override {
    return threshold_hint(array.read(grid, where), threshold, "the range of " + array.file.path.string(),
                          grid.own);
  }
};

}  // namespace

Kind<Shape> file_shape_kind() {
  return {"file", "where a dataset of an HDF5 file is above a threshold", Form::flat,
          make_kind<Shape, FileShape>};
}

}  // namespace wavesim
