// Results, studies and checkpoints that HDF5 reads well and that hold something else than this program writes.

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <functional>
#include <limits>

#include "kernels/backend/errors.hpp"
#include "output/checkpoint/checkpoint_file.hpp"
#include "output/checkpoint/sealed_file.hpp"
#include "output/hdf5/result_reader.hpp"
#include "output/pages/html_report.hpp"
#include "output/run/make_writers.hpp"
#include "output/study/study_files.hpp"
#include "tests/output/fresh_folder.hpp"
#include "tests/output/small_run.hpp"

namespace wavesim::testing {
namespace {

constexpr hsize_t huge = hsize_t(1) << 40;

/// An HDF5 file of ours, to be changed.
class Edited {
 public:
  explicit Edited(const std::filesystem::path& file)
      : file_(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {
    EXPECT_GE(file_, 0);
  }
  ~Edited() { H5Fclose(file_); }
  Edited(const Edited&) = delete;

  /// Puts a dataset without values in the place of another one.
  void dataset(const char* path, hid_t type, const std::vector<hsize_t>& shape) const {
    EXPECT_GE(H5Ldelete(file_, path, H5P_DEFAULT), 0) << path;
    const hid_t space = H5Screate_simple(int(shape.size()), shape.data(), nullptr);
    H5Dclose(H5Dcreate2(file_, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
  }
  void remove(const char* path) const { EXPECT_GE(H5Ldelete(file_, path, H5P_DEFAULT), 0) << path; }
  /// The same for an attribute.
  void attribute(const char* object, const char* name, hid_t type, hsize_t count, const void* values) const {
    if (H5Aexists_by_name(file_, object, name, H5P_DEFAULT) > 0)
      H5Adelete_by_name(file_, object, name, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t a =
        H5Acreate_by_name(file_, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (values) H5Awrite(a, type, values);
    H5Aclose(a);
    H5Sclose(space);
  }
  void number(const char* object, const char* name, double v) const {
    attribute(object, name, H5T_NATIVE_DOUBLE, 1, &v);
  }

 private:
  hid_t file_;
};

std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

class HostileResult : public ::testing::Test {
 protected:
  HostileResult() {
    const RunInfo info = small_info(folder_.path, 2);
    const auto writer = make_writers({}, info);
    writer->begin(info);
    for (long n = 0; n < 2; ++n) {
      writer->step(small_record(n));
      writer->sample(small_receiver_sample(n));
      writer->frame(small_frame(n));
    }
    writer->finish({});
  }
  /// Of what the report says of it.
  std::string refused() const {
    return refusal([&] {
      const ResultReader result(path_);
      std::vector<float> values;
      if (!result.frames().empty()) result.read("displacement", 0, values);
      html_of(result, "", "a test");
    });
  }
  const FreshFolder folder_;
  const std::filesystem::path path_ = folder_.path / "small.vtkhdf";
};

TEST_F(HostileResult, IsReadAsItWasWritten) { EXPECT_EQ(refused(), ""); }

TEST_F(HostileResult, MayAnnounceMoreValuesThanTheFileHolds) {
  Edited(path_).dataset("/wavesim/history/iterations", H5T_NATIVE_INT64, {huge});
  EXPECT_NE(refused().find("announces more values than the file holds"), std::string::npos) << refused();
}

TEST_F(HostileResult, MayAnnounceFramesThatNoMemoryHolds) {
  Edited(path_).dataset("/VTKHDF/PointData/displacement", H5T_NATIVE_FLOAT, {2, huge, huge});
  EXPECT_NE(refused().find("announces more values than the file holds"), std::string::npos) << refused();
}

TEST_F(HostileResult, MayHoldFramesOfAnotherSizeThanTheGrid) {
  Edited(path_).dataset("/VTKHDF/PointData/displacement", H5T_NATIVE_FLOAT, {2, 2, 2});
  EXPECT_NE(refused().find("another size than the grid"), std::string::npos) << refused();
}

TEST_F(HostileResult, MayHoldAMaskOfAnotherSizeThanTheGrid) {
  Edited(path_).dataset("/VTKHDF/PointData/inside", H5T_NATIVE_UINT8, {1, 2, 2});
  EXPECT_NE(refused().find("arrays differ in size"), std::string::npos) << refused();
}

TEST_F(HostileResult, MayHoldNumbersWhereTextsShouldBe) {
  Edited(path_).dataset("/wavesim/receivers/names", H5T_NATIVE_DOUBLE, {2});
  EXPECT_NE(refused().find("no text of fixed length"), std::string::npos) << refused();
}

TEST_F(HostileResult, MayHoldTextsOfAnyLength) {
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  Edited(path_).dataset("/wavesim/config", text, {1});
  H5Tclose(text);
  EXPECT_NE(refused().find("no text of fixed length"), std::string::npos) << refused();
}

TEST_F(HostileResult, MayHoldManyTextsInAnAttribute) {
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, 8);
  const std::string many(8 * 1000, 'x');
  Edited(path_).attribute("/wavesim", "device", text, 1000, many.data());
  H5Tclose(text);
  EXPECT_EQ(ResultReader(path_).info().facts.count("device"), 0u);
}

TEST_F(HostileResult, MayLackAPartThatIsReadLater) {
  Edited(path_).remove("/wavesim/history/time");
  EXPECT_NE(refused().find("the file is damaged"), std::string::npos) << refused();
}

TEST_F(HostileResult, MayLackItsSummary) {
  Edited(path_).remove("/wavesim/summary");
  EXPECT_NE(refused().find("the file is damaged"), std::string::npos) << refused();
}

TEST_F(HostileResult, MayCountInNumbersThatAreNoCounts) {
  for (const double count : {-1.0, 0.5, 1e300, double(NAN), double(INFINITY)}) {
    Edited(path_).number("/wavesim/history", "rows", count);
    EXPECT_NE(refused().find("rows is no whole number"), std::string::npos) << count << refused();
  }
  const double extent[] = {0, 1e300, 0, 3, 0, 0};
  Edited(path_).attribute("/VTKHDF", "WholeExtent", H5T_NATIVE_DOUBLE, 6, extent);
  EXPECT_NE(refused().find("WholeExtent is no whole number"), std::string::npos) << refused();
}

TEST(HostileStudy, MayHoldHistoriesThatLieOutsideOfItsValues) {
  const FreshFolder folder;
  StudyRow row;
  row.history = {1, 0.1};
  write_study(folder.path, {"name: small\n", "", {}}, {row});
  const std::int64_t first = std::numeric_limits<std::int64_t>::max();
  {
    const hid_t file = H5Fopen((folder.path / "study.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t data = H5Dopen2(file, "/history/first", H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &first);
    H5Dclose(data);
    H5Fclose(file);
  }
  const std::string sentence = refusal([&] { read_study(folder.path); });
  EXPECT_NE(sentence.find("histories do not fit"), std::string::npos) << sentence;
}

TEST(HostileStudy, MayHoldNoConfig) {
  const FreshFolder folder;
  write_study(folder.path, {"name: small\n", "", {}}, {StudyRow()});
  const hid_t text = H5Tcopy(H5T_C_S1);
  Edited(folder.path / "study.h5").dataset("/config", text, {0});
  H5Tclose(text);
  const std::string sentence = refusal([&] { read_study(folder.path); });
  EXPECT_NE(sentence.find("config is empty"), std::string::npos) << sentence;
}

/// The sentence of a checkpoint that was changed and sealed again.
std::string refusal_of_checkpoint(const std::function<void(const Edited&)>& change) {
  const FreshFolder folder;
  const std::string path = (folder.path / "a.h5").string();
  std::vector<double> list{1, 2};
  const auto name_state = [&](Archive& a) { a.list("list", list); };
  write_checkpoint(path, {3, 0.3, 0.1, "name: small\n", {}}, name_state);
  change(Edited(path));
  std::filesystem::rename(path, path + ".partial");
  seal_and_rename(path + ".partial", path);
  return refusal([&] { name_state(CheckpointFile(path).state()); });
}

TEST(HostileCheckpoint, IsReadAsItWasWritten) {
  EXPECT_EQ(refusal_of_checkpoint([](const Edited&) {}), "");
}

TEST(HostileCheckpoint, MayCountInNumbersThatAreNoCounts) {
  EXPECT_NE(refusal_of_checkpoint([](const Edited& e) {
              e.number(".", "step", 1e300);
            }).find("step is no whole number"),
            std::string::npos);
  EXPECT_NE(refusal_of_checkpoint([](const Edited& e) {
              e.number(".", "time-step", -1);
            }).find("no number of seconds"),
            std::string::npos);
}

TEST(HostileCheckpoint, MayAnnounceMoreValuesThanTheFileHolds) {
  const std::string sentence =
      refusal_of_checkpoint([](const Edited& e) { e.dataset("/state/list", H5T_NATIVE_DOUBLE, {huge}); });
  EXPECT_NE(sentence.find("'list' cannot be read"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace wavesim::testing
