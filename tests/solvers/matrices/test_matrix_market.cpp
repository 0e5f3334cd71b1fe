#include "solvers/matrices/matrix_market.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <fstream>
#include <sstream>
#include <string>

#include "kernels/backend/errors.hpp"

namespace wavesim::test {
namespace {

namespace fs = std::filesystem;

/// A file that is gone at the end of life.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& contents, const std::string& end = ".mtx") {
    static int count = 0;
    path_ = fs::temp_directory_path() /
            ("wavesim-mm-" + std::to_string(getpid()) + "-" + std::to_string(count++) + end);
    std::ofstream(path_, std::ios::binary) << contents;
  }
  ~TemporaryFile() { fs::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string gzipped(const std::string& text) {
  const TemporaryFile file("", ".gz");
  const gzFile gz = gzopen(file.path().c_str(), "wb");
  gzwrite(gz, text.data(), unsigned(text.size()));
  gzclose(gz);
  std::ostringstream all;
  all << std::ifstream(file.path(), std::ios::binary).rdbuf();
  return all.str();
}

using Dense = std::vector<std::vector<double>>;
using Columns = std::vector<std::vector<double>>;
Dense dense(const HostCsr& A) {
  Dense d(A.rows, std::vector<double>(A.rows, 0));
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) d[i][A.column[k]] = A.value[k];
  return d;
}
Dense read(const std::string& text) { return dense(read_matrix_market(TemporaryFile(text).path())); }

const std::string real_general = "%%MatrixMarket matrix coordinate real general\n";

TEST(MatrixMarket, ReadsCoordinatesInAnyOrderWithAscendingColumns) {
  const TemporaryFile file(real_general +
                           "% a comment\n\n3 3 5\n3 1 4\n1 3 -2.5e-1\n1 1 +1\n\n% another\n2 2 3\n3 3 5");
  const HostCsr A = read_matrix_market(file.path());
  EXPECT_EQ(A.start, (std::vector<int>{0, 2, 3, 5}));
  EXPECT_EQ(A.column, (std::vector<int>{0, 2, 1, 0, 2}));
  EXPECT_EQ(A.value, (std::vector<double>{1, -0.25, 3, 4, 5}));
}

TEST(MatrixMarket, ReadsBothTrianglesOfASymmetricFile) {
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 -1\n2 2 3\n"),
            (Dense{{2, -1}, {-1, 3}}));
}

TEST(MatrixMarket, ChangesTheSignOfTheOtherTriangleOfASkewSymmetricFile) {
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 3\n2 1 2\n3 1 1\n3 3 0\n"),
            (Dense{{0, -2, -1}, {2, 0, 0}, {1, 0, 0}}));
}

TEST(MatrixMarket, ReadsIntegersAndWordsInAnyCaseAndDosLines) {
  EXPECT_EQ(read("%%MatrixMarket MATRIX Coordinate Integer General\r\n1 1 1\r\n1 1 -7\r\n"), (Dense{{-7}}));
}

TEST(MatrixMarket, ReadsArraysColumnByColumn) {
  EXPECT_EQ(read("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n"), (Dense{{1, 3}, {2, 4}}));
  EXPECT_EQ(read("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"),
            (Dense{{1, 2, 3}, {2, 4, 5}, {3, 5, 6}}));
  EXPECT_EQ(read("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n"),
            (Dense{{0, -1, -2}, {1, 0, -3}, {2, 3, 0}}));
}

TEST(MatrixMarket, LeavesOutTheZerosOfAnArrayAndKeepsThoseOfCoordinates) {
  const TemporaryFile array("%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n4\n");
  EXPECT_EQ(read_matrix_market(array.path()).column.size(), 2u);
  const TemporaryFile coordinates(real_general + "2 2 3\n1 1 1\n2 1 0\n2 2 4\n");
  EXPECT_EQ(read_matrix_market(coordinates.path()).column.size(), 3u);
}

TEST(MatrixMarket, ReadsEveryDigitAndTakesWhatIsTooSmallForZero) {
  EXPECT_EQ(
      read(real_general + "2 2 2\n1 1 0.1000000000000000055511151231257827\n2 2 1.7976931348623157e308\n"),
      (Dense{{0.1, 0}, {0, 1.7976931348623157e308}}));
  EXPECT_EQ(read(real_general + "1 1 1\n1 1 1e-400\n"), (Dense{{0}}));
}

TEST(MatrixMarket, ReadsWhatIsCompressed) {
  std::string text = real_general + "20000 20000 20000\n";
  for (int i = 1; i <= 20000; ++i) text += std::to_string(i) + " " + std::to_string(i) + " 2.5\n";
  const HostCsr A = read_matrix_market(TemporaryFile(gzipped(text), ".mtx.gz").path());
  EXPECT_EQ(A.rows, 20000);
  EXPECT_EQ(A.value, std::vector<double>(20000, 2.5));
}

TEST(MatrixMarket, ReadsBackTheBitsOfAVectorThatItWrote) {
  const std::vector<double> v{1.0 / 3, -0.0, 1e-310, 1.7976931348623157e308, 12345678901234567.0};
  const TemporaryFile file("");
  write_matrix_market_columns(file.path(), {v});
  EXPECT_EQ(read_matrix_market_columns(file.path(), 5), Columns{v});
  EXPECT_FALSE(fs::exists(file.path().string() + ".partial"));
}

TEST(MatrixMarket, ReadsSparseVectors) {
  const TemporaryFile file(real_general + "4 1 2\n3 1 7\n1 1 -1\n");
  EXPECT_EQ(read_matrix_market_columns(file.path(), 4), (Columns{{-1, 0, 7, 0}}));
}

TEST(MatrixMarket, ReadsBackTheColumnsThatItWrote) {
  const Columns columns{{1, 2.5, -3}, {0, 0, 1e-300}};
  const TemporaryFile file("");
  write_matrix_market_columns(file.path(), columns);
  EXPECT_EQ(read_matrix_market_columns(file.path(), 3), columns);
  const TemporaryFile sparse(real_general + "3 4 2\n3 2 7\n1 3 -1\n");
  EXPECT_EQ(read_matrix_market_columns(sparse.path(), 3),
            (Columns{{0, 0, 0}, {0, 0, 7}, {-1, 0, 0}, {0, 0, 0}}));
}

TEST(MatrixMarket, ReadsMatricesOfAnyShapeAsSquareOnes) {
  const TemporaryFile wide(real_general + "2 3 2\n1 3 4\n2 1 5\n"), tall(real_general + "3 1 1\n2 1 4\n"),
      empty(real_general + "2 2 1\n2 1 4\n"), full(real_general + "2 2 2\n2 1 4\n1 1 3\n");
  const MatrixOfAnyShape w = read_matrix_market_of_any_shape(wide.path(), false);
  EXPECT_EQ(w.rows, 2);
  EXPECT_EQ(w.columns, 3);
  EXPECT_FALSE(w.square.square);
  EXPECT_EQ(dense(w.square), (Dense{{0, 0, 4}, {5, 0, 0}, {0, 0, 0}}));
  EXPECT_EQ(dense(read_matrix_market_of_any_shape(tall.path(), false).square),
            (Dense{{0, 0, 0}, {4, 0, 0}, {0, 0, 0}}));
  EXPECT_THROW(read_matrix_market_of_any_shape(empty.path(), false), InputError);
  EXPECT_FALSE(read_matrix_market_of_any_shape(empty.path(), true).square.square);
  EXPECT_TRUE(read_matrix_market_of_any_shape(full.path(), true).square.square);
}

TEST(MatrixMarket, SaysWhatItCouldNotWrite) {
  EXPECT_THROW(write_matrix_market_columns("/nowhere/x.mtx", {{1}}), OutputError);
}

struct Wrong {
  const char* name;
  std::string text;
  std::vector<const char*> says;  // the file's name and ":" come first
};

const std::vector<Wrong>& wrong_files() {
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n",
                    array = "%%MatrixMarket matrix array real general\n";
  static const std::vector<Wrong> all{
      {"EmptyFile", "", {" the file is empty", "%%MatrixMarket matrix"}},
      {"NoBanner", "3 3 1\n1 1 1\n", {"1: not a Matrix Market file"}},
      {"Binary", std::string("\x89HDF\r\n\x1a\n\0\0\0", 11), {"1: not a Matrix Market file"}},
      {"Vector", "%%MatrixMarket vector coordinate real general\n", {"1: 'vector' is not supported"}},
      {"UnknownFormat", "%%MatrixMarket matrix csr real general\n", {"1: the format is 'csr'", "coordinate"}},
      {"Complex",
       "%%MatrixMarket matrix coordinate complex general\n",
       {"1: 'complex'", "'real' and 'integer' are"}},
      {"Pattern",
       "%%MatrixMarket matrix coordinate pattern general\n",
       {"1: a 'pattern' matrix has no values"}},
      {"Hermitian",
       "%%MatrixMarket matrix coordinate real hermitian\n",
       {"1: 'hermitian' is not supported", "'symmetric'"}},
      {"BannerCutOff", "%%MatrixMarket matrix coordinate real\n", {"1: '' is not supported"}},
      {"NoSizes", real_general + "% nothing\n", {"2: the file ends before the line of its sizes"}},
      {"NotSquare", real_general + "2 3 1\n1 1 1\n", {"2: the matrix has 2 rows and 3 columns", "square"}},
      {"SymmetricNotSquare",
       symmetric + "2 3 1\n1 1 1\n",
       {"2: a symmetric matrix has to be square", "2 x 3"}},
      {"NoRows", real_general + "0 0 0\n", {"2: the matrix has no rows"}},
      {"NegativeSize", real_general + "-1 -1 0\n", {"2: the number of rows, -1, is less than 0"}},
      {"LineWithoutEnd", std::string(100000, '%'), {"1: the line has more than 65536 characters"}},
      {"ByteZero", real_general + std::string("2 2 2\n1 1 \0", 11), {"3: the line holds a byte 0"}},
      {"DigitsWithoutEnd",
       real_general + "2 2 " + std::string(1000, '9') + "\n",
       {"2: the number of entries, 9999999999999999999999999999999999999999, is larger"}},
      {"TooManyRowsForAnInt",
       real_general + "3000000000 3000000000 1\n1 1 1\n",
       {"2: the number of rows, 3000000000, is larger than"}},
      {"SizeBeyondALong",
       real_general + "2 2 99999999999999999999\n",
       {"2: the number of entries", "is larger than 2147483647"}},
      {"SizesMissing", real_general + "2 2\n", {"2: the number of entries is missing"}},
      {"SizesTooMany", real_general + "2 2 2 2\n", {"2: '2' is too much"}},
      {"RowOutOfRange", real_general + "2 2 2\n1 1 1\n3 1 1\n", {"4: the row, 3, is larger than 2"}},
      {"ColumnZero", real_general + "2 2 2\n1 0 1\n2 2 1\n", {"3: the column, 0, is less than 1"}},
      {"IndexBeyondAnInt",
       real_general + "2 2 2\n4294967297 1 1\n",
       {"3: the row, 4294967297, is larger than 2"}},
      {"IndexNotWhole", real_general + "2 2 2\n1.5 1 1\n", {"3: the row, '1.5', is not a whole number"}},
      {"ValueMissing", real_general + "2 2 2\n1 1\n", {"3: the value is missing"}},
      {"ValueNoNumber", real_general + "2 2 2\n1 1 1.0D+00\n", {"3: the value, '1.0D+00', is not a number"}},
      {"TwoValues", real_general + "2 2 2\n1 1 1 0\n", {"3: '0' is too much", "a row, a column and a value"}},
      {"Nan", real_general + "1 1 1\n1 1 nan\n", {"3: the value, 'nan', is not finite"}},
      {"Infinity", real_general + "1 1 1\n1 1 -inf\n", {"3: the value, '-inf', is not finite"}},
      {"TooLarge", real_general + "1 1 1\n1 1 1e400\n", {"3: the value, '1e400', is not finite"}},
      {"NoInteger",
       "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 0.5\n",
       {"3: the value, '0.5', is not a whole number"}},
      {"IntegerBeyondADouble",
       "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 9007199254740994\n",
       {"3: the value", "2^53"}},
      {"TooFewEntries",
       real_general + "2 2 3\n1 1 1\n2 2 1\n",
       {"4: the file ends after 2 of the 3 entries that line 2"}},
      {"TooManyEntries",
       real_general + "2 2 1\n1 1 1\n2 2 1\n",
       {"4: there are more entries than the 1 that line 2"}},
      {"Duplicate",
       real_general + "2 2 3\n1 1 1\n2 2 1\n1 1 2\n",
       {"5: row 1, column 1 is given a second time, after line 3"}},
      {"BothTriangles",
       symmetric + "2 2 4\n1 1 1\n2 2 1\n1 2 1\n2 1 1\n",
       {"6: row ", "is given a second time, after line 5"}},
      {"SkewDiagonal",
       "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n2 1 1\n2 2 3\n",
       {"4: the diagonal of a skew-symmetric matrix is zero", "row 2, column 2 is 3"}},
      {"EmptyRow", real_general + "3 3 3\n1 1 1\n3 3 1\n1 2 1\n", {"2: row 2 has no entries", "singular"}},
      {"HardlyAnEntry",
       real_general + "2000000000 2000000000 1\n1 1 1\n",
       {"2: the matrix has 2000000000 rows and only 1 entries"}},
      {"PromisesTooMuch",
       real_general + "2 2 2000000000\n1 1 1\n",
       {"3: the file ends after 1 of the 2000000000 entries"}},
      {"ArrayTooShort", array + "2 2\n1\n2\n3\n", {"5: the file ends after 3 of the 4 entries"}},
      {"ArrayTooLong", array + "1 1\n1\n2\n", {"4: there are more entries than the 1"}},
      {"ArrayLineOfTwo", array + "2 2\n1 2\n3 4\n", {"3: '2' is too much", "one value"}},
  };
  return all;
}

void PrintTo(const Wrong& wrong, std::ostream* to) { *to << wrong.name; }

class WrongMatrixMarket : public testing::TestWithParam<Wrong> {};

TEST_P(WrongMatrixMarket, IsRefusedWithFileAndLine) {
  const Wrong& wrong = GetParam();
  const TemporaryFile plain(wrong.text), compressed(gzipped(wrong.text), ".mtx.gz");
  for (const TemporaryFile* file : {&plain, &compressed}) {
    try {
      read_matrix_market(file->path());
      FAIL() << "was taken";
    } catch (const InputError& e) {
      const std::string sentence = e.what();
      EXPECT_EQ(sentence.rfind(file->path().string() + ":" + wrong.says.front(), 0), 0u) << sentence;
      for (const char* words : wrong.says)
        EXPECT_NE(sentence.find(words), std::string::npos) << words << " is not in: " << sentence;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, WrongMatrixMarket, testing::ValuesIn(wrong_files()),
                         [](const auto& info) { return std::string(info.param.name); });

std::string refusal(const fs::path& path) {
  try {
    read_matrix_market(path);
  } catch (const InputError& e) {
    return e.what();
  }
  return "was taken";
}

TEST(MatrixMarket, RefusesCompressedFilesThatAreCutOffAnywhereOrDamaged) {
  std::string text = real_general + "300 300 300\n";
  for (int i = 1; i <= 300; ++i) text += std::to_string(i) + " " + std::to_string(i) + " 2.5\n";
  const std::string whole = gzipped(text);
  ASSERT_EQ(refusal(TemporaryFile(whole, ".mtx.gz").path()), "was taken");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string sentence = refusal(TemporaryFile(whole.substr(0, length), ".mtx.gz").path());
    EXPECT_NE(sentence, "was taken") << length << " of " << whole.size() << " bytes";
    if (length > 20) {
      EXPECT_NE(sentence.find("cut off or damaged"), std::string::npos) << sentence;
    }
  }
  std::string damaged = whole;
  damaged[damaged.size() - 6] = char(damaged[damaged.size() - 6] ^ 1);  // in the check sum
  EXPECT_NE(refusal(TemporaryFile(damaged, ".mtx.gz").path()).find("cut off or damaged"), std::string::npos);
}

TEST(MatrixMarket, NamesFilesThatAreNotThere) {
  EXPECT_EQ(refusal("/nowhere/A.mtx").rfind("/nowhere/A.mtx: cannot be opened: ", 0), 0u);
  EXPECT_NE(refusal(fs::temp_directory_path()).find("cannot be read"), std::string::npos)
      << refusal(fs::temp_directory_path());
}

TEST(MatrixMarket, RefusesVectorsOfTheWrongShape) {
  const auto sentence = [](const std::string& text) -> std::string {
    const TemporaryFile file(text);
    try {
      read_matrix_market_columns(file.path(), 3);
    } catch (const InputError& e) {
      return e.what();
    }
    return "was taken";
  };
  const std::string array = "%%MatrixMarket matrix array real general\n";
  EXPECT_NE(sentence(array + "3 2\n1\n2\n3\n4\n5\n").find("7: the file ends after 5 of the 6 entries"),
            std::string::npos);
  EXPECT_NE(sentence("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n")
                .find("2: right-hand sides are no symmetric matrix"),
            std::string::npos);
  EXPECT_NE(
      sentence(real_general + "3 2 2\n1 2 1\n1 2 1\n").find("4: row 1, column 2 is given a second time"),
      std::string::npos);
  EXPECT_NE(sentence(array + "2 1\n1\n2\n").find("2: the vector has 2 rows, and the matrix has 3"),
            std::string::npos);
  EXPECT_NE(sentence(array + "3 1\n1\nnan\n3\n").find("4: the value, 'nan', is not finite"),
            std::string::npos);
  EXPECT_NE(sentence(real_general + "3 1 2\n2 1 1\n2 1 1\n").find("4: row 2 is given a second time"),
            std::string::npos);
}

TEST(Asymmetry, IsTheLargestDifferenceToTheTransposeByRow) {
  const auto of = [](const std::string& entries, int count) {
    return asymmetry(read_matrix_market(
        TemporaryFile(real_general + "2 2 " + std::to_string(count) + "\n" + entries).path()));
  };
  EXPECT_EQ(of("1 1 4\n1 2 1\n2 1 1\n2 2 2\n", 4), 0);
  EXPECT_EQ(of("1 1 4\n1 2 1\n2 1 0.5\n2 2 2\n", 4), 0.25);  // row 2 holds nothing larger than 2
  EXPECT_EQ(of("1 1 4\n1 2 1\n2 2 2\n", 3), 0.5);
  EXPECT_EQ(of("1 1 4\n1 2 0\n2 2 2\n", 3), 0);  // a stored zero
}

}  // namespace
}  // namespace wavesim::test
