#include "output/hdf5/stored_frame.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>

#include "sim/input/hdf5_handle.hpp"
#include "tests/output/fresh_folder.hpp"

namespace wavesim::testing {
namespace {

using hdf5::Failure;
using hdf5::Handle;
using hdf5::StoredFrame;

constexpr hsize_t planes = 2, ny = 7, nx = 5;

double value(std::size_t k) { return std::sin(1.3 * double(k)) * std::pow(10.0, double(k % 5)); }

/// A series of frames as HDF5 itself writes it.
struct Series {
  FreshFolder folder;
  Handle file, data;

  Series(hid_t type, hsize_t tile, hsize_t across, bool shuffle, bool deflate)
      : file(H5Fcreate((folder.path / "a.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
             "file") {
    const hsize_t shape[3] = {planes, ny, nx}, chunk[3] = {1, tile, across};
    const Handle space(H5Screate_simple(3, shape, nullptr), H5Sclose, "space"),
        properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "properties");
    if (tile) H5Pset_chunk(properties, 3, chunk);
    if (shuffle) H5Pset_shuffle(properties);
    if (deflate) H5Pset_deflate(properties, 4);
    data = Handle(H5Dcreate2(file, "u", type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose, "u");
    std::vector<double> all;
    for (std::size_t k = 0; k < planes * ny * nx; ++k) all.push_back(value(k));
    hdf5::check(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), "write");
    hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL), "flush");
  }
};

TEST(StoredFrame, IsWhatWasWrittenHoweverTheFileHoldsIt) {
  struct How {
    hsize_t tile, across;
    bool shuffle, deflate;
  };
  for (const hid_t type : {H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE, H5T_IEEE_F32BE})
    for (const How how : {How{ny, nx, true, true},
                          {3, nx, true, true},
                          {3, 2, true, true},
                          {1, nx, false, true},
                          {ny, nx, false, false},
                          {0, 0, false, false}}) {
      const Series series(type, how.tile, how.across, how.shuffle, how.deflate);
      StoredFrame frame;
      std::vector<float> values;
      for (const hsize_t plane :
           {hsize_t(1), hsize_t(0), hsize_t(9)}) {  // the last one stands for later ones
        frame.fetch(series.data, plane);
        frame.decode(values);
        ASSERT_EQ(values.size(), ny * nx);
        for (std::size_t k = 0; k < values.size(); ++k)
          ASSERT_EQ(values[k], float(value(std::min<std::size_t>(plane, 1) * ny * nx + k))) << how.tile << k;
      }
    }
}

TEST(StoredFrame, ThatIsDamagedIsAFailure) {
  const Series series(H5T_NATIVE_FLOAT, ny, nx, true, true);
  const hsize_t first[3] = {0, 0, 0};
  StoredFrame frame;
  std::vector<float> values;
  for (const std::size_t size : {1ul, 40ul}) {
    const std::vector<unsigned char> nonsense(size, 0x78);
    ASSERT_GE(H5Dwrite_chunk(series.data, H5P_DEFAULT, 0, first, size, nonsense.data()), 0);
    frame.fetch(series.data, 0);
    EXPECT_THROW(frame.decode(values), Failure) << size;
  }
  frame.fetch(series.data, 1);  // the other one is whole
  EXPECT_NO_THROW(frame.decode(values));
}

}  // namespace
}  // namespace wavesim::testing
