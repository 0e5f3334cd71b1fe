#include "sim/input/array_file.hpp"
#include "sim/input/expression.hpp"
#include "sim/input/hdf5_array.hpp"
#include "sim/input/png_image.hpp"

#include <hdf5.h>
#include <zlib.h>

#include <cmath>
#include <fstream>

#include "given.hpp"

using namespace wavesim;
using namespace wavesim::test;

namespace {

double value(const std::string& formula, double x = 0, double y = 0) {
  return Expression::Evaluator(Expression(formula, {"x", "y"}, {}))({x, y});
}

std::string big_endian(unsigned long v) {
  std::string s;
  for (int shift = 24; shift >= 0; shift -= 8) s += char(v >> shift & 255);
  return s;
}

std::string chunk(const std::string& name, const std::string& data) {
  const std::string both = name + data;
  const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(both.data()), uInt(both.size()));
  return big_endian(data.size()) + both + big_endian(sum);
}

/// A grey PNG file that says it has so many pixels and holds these rows.
std::string png_bytes(unsigned width, unsigned height, int bits, const std::string& rows,
                      bool interlaced = false) {
  std::string deflated(compressBound(uLong(rows.size())), '\0');
  uLongf size = uLongf(deflated.size());
  compress(reinterpret_cast<Bytef*>(deflated.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
           uLong(rows.size()));
  deflated.resize(size);
  const std::string end{char(bits), 0, 0, 0, char(interlaced)};
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", big_endian(width) + big_endian(height) + end) +
         chunk("IDAT", deflated) + chunk("IEND", "");
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

TEST(Expression, RefusesAByteThatWouldEndItEarly) {
  EXPECT_SENTENCE(Expression(std::string("x\0y", 3), {"x", "y"}, {}), "control character", "remove it");
  EXPECT_DOUBLE_EQ(value("x +\n\ty", 1, 2), 3);
}

TEST(Expression, RefusesMoreCharactersThanMuParserTakes) {
  const std::string long_one = "x" + std::string(100000, ' ');
  EXPECT_SENTENCE(Expression(long_one, {"x"}, {}), "100001 characters", "at most 5000");
  EXPECT_LT(sentence([&] { Expression(long_one, {"x"}, {}); }).size(), 200u);
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

namespace {

/// A dataset of doubles in chunks of which none is written: it takes nothing on the disk.
void write_empty(const std::string& name, hsize_t rows, hsize_t columns) {
  const hid_t f = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t sizes[2] = {rows, columns}, chunk[2] = {64, 64};
  const hid_t space = H5Screate_simple(2, sizes, nullptr), made = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(made, 2, chunk);
  H5Dclose(H5Dcreate2(f, "speed", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, made, H5P_DEFAULT));
  H5Pclose(made);
  H5Sclose(space);
  H5Fclose(f);
}

/// A dataset of `rows` x `columns` numbers, 0, 1, 2, ..., in chunks where `chunk` is not {0, 0}.
void write_count(const std::string& name, hsize_t rows, hsize_t columns, std::array<hsize_t, 2> chunk,
                 unsigned level = 0) {
  const hid_t f = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t sizes[2] = {rows, columns};
  const hid_t space = H5Screate_simple(2, sizes, nullptr), made = H5Pcreate(H5P_DATASET_CREATE);
  if (chunk[0]) H5Pset_chunk(made, 2, chunk.data());
  if (level) H5Pset_deflate(made, level);
  const hid_t set = H5Dcreate2(f, "speed", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, made, H5P_DEFAULT);
  std::vector<float> values(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i);
  H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(set);
  H5Pclose(made);
  H5Sclose(space);
  H5Fclose(f);
}

}  // namespace

TEST(Hdf5Array, IsHandedOverInPiecesOfRowsOrPartsOfThem) {
  const Folder folder;
  const std::string file = (folder.path / "a.h5").string();
  const std::array<hsize_t, 2> whole{0, 0}, tiles{100, 70};
  struct Case {
    hsize_t rows, columns;
    std::array<hsize_t, 2> chunk;
    unsigned level;
  };
  for (const Case& c : {Case{3, 700001, whole, 0}, Case{700001, 3, whole, 0}, Case{1500, 1000, tiles, 3},
                        Case{1, 1, whole, 0}, Case{2, 1 << 19, whole, 0}}) {
    write_count(file, c.rows, c.columns, c.chunk, c.level);
    const Hdf5Array a = read_hdf5_array(file, "", {});
    ASSERT_EQ(a.rows, long(c.rows));
    ASSERT_EQ(a.columns, long(c.columns));
    ASSERT_EQ(a.values.size(), c.rows * c.columns);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) wrong += a.values[i] != double(float(i));
    EXPECT_EQ(wrong, 0u) << c.rows << " x " << c.columns;
  }
}

// The HDF5 library crashes on some of these; the test does not.
TEST(Hdf5Array, IsReadOrRefusedWhateverByteIsDamaged) {
  const Folder folder;
  const std::string file = (folder.path / "a.h5").string();
  write_count(file, 24, 20, {8, 8}, 1);
  std::ifstream in(file, std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(in), {}};
  ASSERT_GT(good.size(), 1000u);
  int refused = 0;
  std::uint32_t random = 1;
  const auto next = [&](std::size_t below) {
    random = random * 1664525 + 1013904223;
    return std::size_t(random >> 8) % below;
  };
  for (int k = 0; k < 150; ++k) {
    std::string damaged = good;
    for (int n = 0; n < 4; ++n) damaged[next(good.size())] = char(next(256));
    std::ofstream(file, std::ios::binary) << damaged;
    try {
      const Hdf5Array a = read_hdf5_array(file, "", {});
      EXPECT_EQ(a.values.size(), std::size_t(a.rows * a.columns));
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 5);
}

TEST(Hdf5Array, RefusesWhatAnnouncesMoreThanTheFileHoldsBeforeMemoryIsTaken) {
  const Folder folder;
  const auto file = (folder.path / "a.h5").string();
  write_empty(file, 9000, 9000);
  EXPECT_SENTENCE(read_hdf5_array(file, "", {}), "/speed", "announces more values than the file holds",
                  "write it again");
}

TEST(Hdf5Array, RefusesWhatMemoryHasNoSpaceFor) {
  const Folder folder;
  const auto file = (folder.path / "a.h5").string();
  write_empty(file, hsize_t(1) << 40, hsize_t(1) << 20);
  EXPECT_SENTENCE(read_hdf5_array(file, "", {}), "1099511627776 x 1048576", "memory has no space");
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

TEST(PngImage, ReadsInterlacedOnesAndSingleBits) {
  const Folder folder;
  // 3 x 3 white pixels but for the middle, in the passes of Adam7; a byte 0, no filter, before each row.
  const std::string rows("\0\x80\0\x80\0\xc0\0\x80\0\x80\0\xa0", 12);
  folder.write("1.png", png_bytes(3, 3, 1, rows, true));
  EXPECT_EQ(read_png(folder.path / "1.png", {}).values, (std::vector<double>{1, 1, 1, 1, 0, 1, 1, 1, 1}));
}

TEST(PngImage, RefusesMorePixelsThanThereIsMemoryFor) {
  const Folder folder;
  folder.write("large.png", png_bytes(1000000, 1000000, 8, ""));
  EXPECT_SENTENCE(read_png(folder.path / "large.png", {}), "1000000 x 1000000 pixels", "at most 268435456",
                  "save it smaller");
}

TEST(PngImage, RefusesMorePixelsThanItsBytesCanHold) {
  const Folder folder;
  folder.write("short.png", png_bytes(16000, 16000, 1, ""));
  EXPECT_SENTENCE(read_png(folder.path / "short.png", {}), "too short for so many pixels");
}
