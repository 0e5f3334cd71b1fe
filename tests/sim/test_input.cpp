#include "sim/input/array_file.hpp"
#include "sim/input/expression.hpp"
#include "sim/input/hdf5_array.hpp"
#include "sim/input/png_image.hpp"

#include <hdf5.h>

#include <cmath>

#include "given.hpp"

using namespace wavesim;
using namespace wavesim::test;

namespace {

double value(const std::string& formula, double x = 0, double y = 0) {
  return Expression::Evaluator(Expression(formula, {"x", "y"}, {}))({x, y});
}

}  // namespace

TEST(Expression, KnowsTheUsualFunctions) {
  EXPECT_DOUBLE_EQ(value("1 + 2 * x ^ 2", 3), 19);
  EXPECT_DOUBLE_EQ(value("min(x, y, 5) + max(x, y)", 2, 7), 9);
  EXPECT_DOUBLE_EQ(value("hypot(x, y)", 3, 4), 5);
  EXPECT_DOUBLE_EQ(value("x > 1 && y < 2 ? 10 : 20", 2, 1), 10);
  EXPECT_DOUBLE_EQ(value("if(x > 1, 10, 20)", 0), 20);
  EXPECT_DOUBLE_EQ(value("mod(x, 3)", -1), 2);
  EXPECT_DOUBLE_EQ(value("floor(-0.5) + ceil(0.5) + pow(2, 3)"), 8);
  EXPECT_NEAR(value("cos(pi)"), -1, 1e-15);
}

TEST(Expression, KnowsWhichVariablesItUses) {
  const Expression e("1 + x", {"x", "y"}, {});
  EXPECT_TRUE(e.uses("x"));
  EXPECT_FALSE(e.uses("y"));
}

TEST(Expression, NamesTheFormulaAndThePositionOfAMistake) {
  EXPECT_SENTENCE(Expression("1 + z", {"x", "y"}, {}), "\"1 + z\"", "\"z\"", "it may use x, y, pi");
  EXPECT_SENTENCE(Expression("sin(x", {"x"}, {}), "\"sin(x\"", "arenthesis");
  EXPECT_SENTENCE(Expression("1 + * x", {"x"}, {}), "\"1 + * x\"", "at position 5");
  EXPECT_SENTENCE(Expression("  ", {"x"}, {}), "empty");
  EXPECT_SENTENCE(Expression("x, y", {"x", "y"}, {}), "2 values");
}

TEST(Expression, DoesNotAssign) {
  EXPECT_SENTENCE(Expression("x = 3 ? 1 : 2", {"x"}, {}), "single '='", "position 3", "==");
  EXPECT_DOUBLE_EQ(value("x == 3 ? 1 : 2", 3), 1);
  EXPECT_DOUBLE_EQ(value("x <= 3 && x >= 3 && x != 4", 3), 1);
}

TEST(Hdf5Array, ReadsAnyNumberType) {
  const Folder folder;
  const auto file = (folder.path / "a.h5").string();
  const hid_t f = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t sizes[2] = {2, 3};
  const hid_t space = H5Screate_simple(2, sizes, nullptr);
  const short values[6] = {1, -2, 3, 4, 5, 6};
  const hid_t ints = H5Dcreate2(f, "ints", H5T_STD_I16BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(ints, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  // Truth values as h5py writes them: an enumeration of bytes.
  const hid_t truth = H5Tenum_create(H5T_NATIVE_INT8);
  const signed char no = 0, yes = 1, truths[6] = {1, 0, 1, 1, 0, 0};
  H5Tenum_insert(truth, "FALSE", &no);
  H5Tenum_insert(truth, "TRUE", &yes);
  const hid_t bools = H5Dcreate2(f, "bools", truth, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(bools, truth, H5S_ALL, H5S_ALL, H5P_DEFAULT, truths);
  H5Dclose(ints);
  H5Dclose(bools);
  H5Tclose(truth);
  H5Sclose(space);
  H5Fclose(f);

  const Hdf5Array a = read_hdf5_array(file, "/ints", {});
  EXPECT_EQ(a.rows, 2);
  EXPECT_EQ(a.columns, 3);
  EXPECT_EQ(a.values, (std::vector<double>{1, -2, 3, 4, 5, 6}));
  EXPECT_FALSE(a.spacing);
  EXPECT_EQ(read_hdf5_array(file, "bools", {}).values, (std::vector<double>{1, 0, 1, 1, 0, 0}));
}

TEST(Hdf5Array, SaysWhatTheFileHolds) {
  const Folder folder;
  folder.write_hdf5("a.h5", "/speed", 2, 3, std::vector<double>(6));
  const auto file = folder.path / "a.h5";
  EXPECT_SENTENCE(read_hdf5_array(file, "/sped", {}), "no dataset /sped", "/speed (2 x 3)");
  EXPECT_SENTENCE(read_hdf5_array(folder.path / "b.h5", "", {}), "there is no file", "b.h5");
  folder.write("c.h5", "not HDF5");
  EXPECT_SENTENCE(read_hdf5_array(folder.path / "c.h5", "", {}), "cannot be opened as an HDF5 file");
}

TEST(Hdf5Array, RefusesOtherRanks) {
  const Folder folder;
  const auto file = (folder.path / "a.h5").string();
  const hid_t f = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t n = 7;
  const hid_t space = H5Screate_simple(1, &n, nullptr);
  const hid_t group = H5Gcreate2(f, "media", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dclose(H5Dcreate2(group, "line", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Gclose(group);
  H5Sclose(space);
  H5Fclose(f);
  EXPECT_SENTENCE(read_hdf5_array(file, "/media/line", {}), "is 7, not two-dimensional");
  EXPECT_SENTENCE(read_hdf5_array(file, "/media", {}), "no dataset /media", "/media/line (7)");
  EXPECT_SENTENCE(read_hdf5_array(file, "", {}), "no two-dimensional dataset", "/media/line (7)");
}

TEST(Hdf5Array, FindsTheOnlyDatasetByItself) {
  const Folder folder;
  folder.write_hdf5("a.h5", "/speed", 1, 2, {3, 4}, {5, 6});
  const Hdf5Array a = read_hdf5_array(folder.path / "a.h5", "", {});
  EXPECT_EQ(a.dataset, "/speed");
  EXPECT_EQ(a.spacing.value(), (std::array<double, 2>{5, 6}));
}

TEST(PngImage, ReadsGreyOfEightAndSixteenBits) {
  const Folder folder;
  folder.write_png("8.png", 2, 2, 1, 8, {0, 255, 51, 102});
  const PngImage a = read_png(folder.path / "8.png", {});
  EXPECT_EQ(a.rows, 2);
  EXPECT_EQ(a.values, (std::vector<double>{0, 1, 0.2, 0.4}));
  folder.write_png("16.png", 1, 3, 1, 16, {0, 65535, 257});
  const PngImage b = read_png(folder.path / "16.png", {});
  EXPECT_EQ(b.columns, 3);
  EXPECT_DOUBLE_EQ(b.values[1], 1);
  EXPECT_DOUBLE_EQ(b.values[2], 257 / 65535.0);
}

TEST(PngImage, TakesTheLuminanceOfColours) {
  const Folder folder;
  folder.write_png("rgb.png", 1, 4, 3, 8, {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255});
  const PngImage a = read_png(folder.path / "rgb.png", {});
  EXPECT_DOUBLE_EQ(a.values[0], 0.2126);
  EXPECT_DOUBLE_EQ(a.values[1], 0.7152);
  EXPECT_DOUBLE_EQ(a.values[2], 0.0722);
  EXPECT_DOUBLE_EQ(a.values[3], 1);
}

TEST(PngImage, RefusesWhatIsNone) {
  const Folder folder;
  folder.write("a.png", "GIF89a");
  EXPECT_SENTENCE(read_png(folder.path / "a.png", {}), "a.png", "cannot be read as a PNG", "save it as PNG");
  EXPECT_SENTENCE(read_png(folder.path / "b.png", {}), "there is no file", "b.png");
  // Cut short in the middle of its pixels.
  folder.write_png("c.png", 64, 64, 1, 8, std::vector<unsigned>(64 * 64, 7));
  std::filesystem::resize_file(folder.path / "c.png", 60);
  EXPECT_SENTENCE(read_png(folder.path / "c.png", {}), "c.png", "cannot be read as a PNG");
}

TEST(Samples, AreBilinearAndGoOnByTheirEdgeValues) {
  const Samples s{2, 3, {0, 1, 2, 10, 11, 12}, {100, 200}, {2, 4}};
  EXPECT_DOUBLE_EQ(s.at(100, 200), 0);
  EXPECT_DOUBLE_EQ(s.at(103, 202), 6.5);
  EXPECT_DOUBLE_EQ(s.at(104, 204), 12);
  EXPECT_DOUBLE_EQ(s.at(0, 0), 0);
  EXPECT_DOUBLE_EQ(s.at(1000, 202), 7);
}

TEST(ArrayFile, RowZeroLiesAtTheBottomUnlessFlipped) {
  const Folder folder;
  folder.write_hdf5("a.h5", "/v", 3, 2, {1, 1, 2, 2, 3, 3}, {10, 20});
  ArrayFile file;
  file.file.path = folder.path / "a.h5";
  const Grid g = grid({20, 20}, {2, 2}, {5, 7});
  EXPECT_EQ(file.read(g, {}).at(5, 7), 1);
  EXPECT_EQ(file.read(g, {}).at(25, 27), 3);
  file.flip = "y";
  EXPECT_EQ(file.read(g, {}).at(5, 7), 3);
  EXPECT_EQ(file.read(g, {}).at(25, 27), 1);
}

TEST(ArrayFile, FlippedItHangsFromTheTop) {
  const Folder folder;
  folder.write_hdf5("a.h5", "/v", 3, 2, {1, 1, 2, 2, 3, 3}, {10, 20});
  ArrayFile file;
  file.file.path = folder.path / "a.h5";
  file.flip = "y";
  const Samples s = file.read(grid({20, 10}, {2, 1}), {});  // half as high as the file
  EXPECT_EQ(s.at(0, 10), 1);
  EXPECT_EQ(s.at(0, 0), 2);
}

TEST(ArrayFile, WithoutSpacingItIsStretchedOverTheGrid) {
  const Folder folder;
  folder.write_hdf5("a.h5", "/v", 2, 3, {0, 1, 2, 0, 1, 2});
  ArrayFile file;
  file.file.path = folder.path / "a.h5";
  const Samples s = file.read(grid({8, 1}, {4, 1}), {});
  EXPECT_DOUBLE_EQ(s.at(8, 0), 2);
  EXPECT_DOUBLE_EQ(s.at(2, 0.5), 0.5);
  file.origin = {0, 0};
  EXPECT_SENTENCE(file.read(grid({8, 1}, {4, 1}), {}), "'origin' needs a 'spacing'");
}

TEST(ArrayFile, NamesBothExtentsWhereItDoesNotCoverTheGrid) {
  const Folder folder;
  folder.write_hdf5("a.h5", "/v", 3, 2, std::vector<double>(6, 1.0), {10, 20});
  ArrayFile file;
  file.file.path = folder.path / "a.h5";
  EXPECT_SENTENCE(file.read(grid({21, 20}, {2, 2}), {}), "covers x = 0 to 20, y = 0 to 20 m",
                  "the grid is x = 0 to 21, y = 0 to 20 m");
  file.origin = {-1, 0};
  file.spacing = {22, 10};
  EXPECT_EQ(file.read(grid({21, 20}, {2, 2}), {}).at(21, 20), 1);
}

TEST(ArrayFile, NamesTheIndexOfANan) {
  const Folder folder;
  folder.write_hdf5("a.h5", "/v", 2, 3, {0, 0, 0, 0, 0, NAN}, {10, 10});
  ArrayFile file;
  file.file.path = folder.path / "a.h5";
  EXPECT_SENTENCE(file.read(grid({20, 10}, {2, 1}), {}), "a.h5", "nan in /v[1, 2]");
}
