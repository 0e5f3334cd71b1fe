#include "sim/fields/field.hpp"
#include "sim/input/array_file.hpp"
#include "sim/input/hdf5_array.hpp"

namespace wavesim {

namespace {

/// {file: vp.h5, dataset: /speed, flip: y}; the keys are described in array_file.hpp.
struct FileField : Field2 {
  ArrayFile array;
  double scale = 1, offset = 0;

  void fields(Section& s) override {
    array.fields(s);
    s("scale", scale, {.text = "factor on the values: 1000 for a file in km/s, -1 for heights as depths"});
    s("offset", offset, {.text = "added to the scaled values"});
  }
  void verify() const override { prepare_to_read_hdf5(); }
  std::unique_ptr<PointValues> values(const Grid& grid) const override {
    Samples samples = array.read(grid, where);
    for (double& v : samples.values) v = scale * v + offset;
    return sampled_values(std::move(samples));
  }
};

}  // namespace

Kind<Field2> file_field_kind() {
  return {"file", "dataset of an HDF5 file, bilinear between its samples", Form::flat,
          make_kind<Field2, FileField>};
}

}  // namespace wavesim
