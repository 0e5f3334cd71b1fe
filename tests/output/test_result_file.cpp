// The result file through the HDF5 API: layout, values, and what happens when it cannot be written.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmath>

#include "kernels/backend/errors.hpp"
#include "output/hdf5/vtkhdf_writer.hpp"
#include "tests/output/fresh_folder.hpp"
#include "tests/output/result_reader.hpp"
#include "tests/output/small_run.hpp"

namespace wavesim::testing {
namespace {

RunSummary done() {
  RunSummary s;
  s.complete = true;
  s.ending = "done";
  s.steps = 50;
  s.energy_drift = 1e-12;
  return s;
}

TEST(ResultFile, GivesBackDoublesWithoutCompressionToTheBit) {
  const FreshFolder folder;
  RunInfo info = small_info(folder.path, 3);
  info.single = false;
  info.compression = 0;
  info.quantities = {"displacement"};
  info.once.clear();
  const auto writer = make_vtkhdf_writer();
  writer->begin(info);
  std::vector<double> all;
  for (long n = 0; n < 3; ++n) {
    Frame f = small_frame(n);
    std::vector<double> u;
    for (long k = 0; k < small_nx * small_ny; ++k) u.push_back(std::sqrt(double(k + 1 + n)));
    all.insert(all.end(), u.begin(), u.end());
    f.planes = {{"displacement", u}};
    writer->frame(f);
  }
  writer->finish(done());
  const ResultReader r((folder.path / "small.vtkhdf").string());
  EXPECT_EQ(r.shape("/VTKHDF/PointData/displacement"), (std::vector<hsize_t>{3, small_ny, small_nx}));
  EXPECT_EQ(r.numbers("/VTKHDF/PointData/displacement"), all);
}

/// What another process sees while the writer has the file open (HDF5 refuses to open it twice in one
/// process).
struct Seen {
  explicit Seen(const std::filesystem::path& file) {
    std::filesystem::copy_file(file, folder.path / "seen.h5");
    const int descriptor = open(file.c_str(), O_RDONLY);
    locked = flock(descriptor, LOCK_SH | LOCK_NB) != 0;  // as a reading HDF5 does
    close(descriptor);
  }
  FreshFolder folder;
  bool locked = false;
  ResultReader reader() const { return ResultReader((folder.path / "seen.h5").string()); }
};

TEST(ResultFile, HasTwoStepsFromItsFirstFrameOn) {
  const FreshFolder folder;
  const auto writer = make_vtkhdf_writer();
  writer->begin(small_info(folder.path, 5));
  writer->frame(small_frame(0));
  const Seen seen(folder.path / "small.vtkhdf");
  EXPECT_FALSE(seen.locked);
  const ResultReader r = seen.reader();
  EXPECT_EQ(r.attribute("/VTKHDF/Steps", "NSteps").at(0), 2);
  EXPECT_EQ(r.numbers("/VTKHDF/Steps/PointDataOffsets/displacement"), (std::vector<double>{0, 0}));
  const std::vector<double> times = r.numbers("/VTKHDF/Steps/Values");
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0], 0);
  EXPECT_GT(times[1], 0);
}

TEST(ResultFile, CommitsFramesThatWaitTogetherAndTheLastOfThemAtOnce) {
  const FreshFolder folder;
  const std::filesystem::path file = folder.path / "small.vtkhdf";
  RunInfo info = small_info(folder.path, 7);
  const auto writer = make_vtkhdf_writer();
  writer->begin(info);
  const auto seen = [&] {
    const Seen now(file);
    const ResultReader r = now.reader();
    const std::size_t frames = std::size_t(r.attribute("/VTKHDF/Steps", "NSteps").at(0));
    EXPECT_EQ(r.numbers("/VTKHDF/Steps/Values").size(), frames);
    return frames;
  };
  const auto add = [&](long n, bool more) {
    writer->more_wait(more);
    writer->frame(small_frame(n));
  };
  add(0, true);
  add(1, true);
  EXPECT_EQ(seen(), 2u);  // a reader needs two
  const auto begin = std::chrono::steady_clock::now();
  add(2, true);
  add(3, true);
  const bool busy = std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(100);
  if (!busy) {
    EXPECT_EQ(seen(), 2u);
  }
  add(4, false);
  EXPECT_EQ(seen(), 5u);
  add(5, true);
  writer->finish(done());
  const ResultReader r(file.string());
  EXPECT_EQ(r.attribute("/VTKHDF/Steps", "NSteps").at(0), 6);
  EXPECT_EQ(r.numbers("/VTKHDF/Steps/PointDataOffsets/displacement"),
            (std::vector<double>{0, 1, 2, 3, 4, 5}));
  std::vector<double> times;
  for (long n = 0; n < 6; ++n) times.push_back(small_frame(n).time);
  EXPECT_EQ(r.numbers("/VTKHDF/Steps/Values"), times);
  EXPECT_EQ(r.numbers("/wavesim/energy/value").size(), 6u);
}

TEST(ResultFile, KeepsEveryEnergyOnce) {
  const FreshFolder folder;
  const auto writer = make_vtkhdf_writer();
  writer->begin(small_info(folder.path, 3));
  writer->frame(small_frame(0));  // step 0: energy 7
  StepRecord without = small_record(5);
  without.energy = std::nan("");
  writer->step(without);
  writer->step(small_record(10));  // energy 7 at step 10
  writer->frame(small_frame(1));   // the same step again
  writer->finish(done());
  const ResultReader r((folder.path / "small.vtkhdf").string());
  EXPECT_EQ(r.numbers("/wavesim/energy/step"), (std::vector<double>{0, 10}));
  EXPECT_EQ(r.numbers("/wavesim/energy/value"), (std::vector<double>{7, 7}));
  EXPECT_EQ(r.attribute("/wavesim/energy", "rows").at(0), 2);
}

TEST(ResultFile, SaysHowTheRunEnded) {
  const FreshFolder folder;
  const std::string file = (folder.path / "small.vtkhdf").string();
  const auto writer = make_vtkhdf_writer();
  writer->begin(small_info(folder.path, 3));
  {
    const Seen seen(file);
    const ResultReader r = seen.reader();
    EXPECT_EQ(r.attribute("/wavesim", "complete").at(0), 0);
    EXPECT_EQ(r.text_attribute("/wavesim", "ending"), "running");
  }
  writer->finish(done());
  const ResultReader r(file);
  EXPECT_EQ(r.attribute("/wavesim", "complete").at(0), 1);
  EXPECT_EQ(r.text_attribute("/wavesim", "ending"), "done");
  EXPECT_EQ(r.attribute("/wavesim/summary", "steps").at(0), 50);
  EXPECT_EQ(r.attribute("/wavesim/summary", "energy_drift").at(0), 1e-12);
  EXPECT_EQ(r.texts("/wavesim/config").at(0), "name: small\n");
}

TEST(ResultFile, NamesTheLargestValueOfItsReceivers) {
  const FreshFolder folder;
  const auto writer = make_vtkhdf_writer();
  writer->begin(small_info(folder.path, 3));
  ReceiverSample sample = small_receiver_sample(1);
  writer->sample(sample);
  sample.values[1] = -1e6;
  writer->sample(sample);
  writer->sample(small_receiver_sample(2));
  writer->finish(done());
  const ResultReader r((folder.path / "small.vtkhdf").string());
  EXPECT_EQ(r.attribute("/wavesim/summary", "largest_received").at(0), 1e6);
}

TEST(ResultFile, WithoutFramesIsPlainHdf5) {
  const FreshFolder folder;
  const auto writer = make_vtkhdf_writer({false, true});
  writer->begin(small_info(folder.path, 3));
  for (long k = 1; k <= 3000; ++k) {
    writer->step(small_record(k));
    writer->sample(small_receiver_sample(k));
  }
  writer->finish(done());
  const ResultReader r((folder.path / "small.h5").string());
  EXPECT_FALSE(r.has("/VTKHDF"));
  EXPECT_EQ(r.numbers("/wavesim/history/step").size(), 3000u);  // far more than was planned
  EXPECT_EQ(r.numbers("/wavesim/receivers/values").at(5999), small_sample(3000, 1));
}

TEST(ResultFile, RefusesMoreFramesThanItsIndexHolds) {
  const FreshFolder folder;
  const auto writer = make_vtkhdf_writer();
  EXPECT_THROW(writer->begin(small_info(folder.path, 70000)), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

TEST(ResultFile, NamesItselfAndTheReasonWhenItCannotBeMade) {
  const FreshFolder folder;
  const auto writer = make_vtkhdf_writer();
  try {
    writer->begin(small_info(folder.path / "absent", 3));
    FAIL() << "written into a folder that is not there";
  } catch (const OutputError& e) {
    const std::string sentence = e.what();
    EXPECT_NE(sentence.find("absent/small.vtkhdf"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("No such file or directory"), std::string::npos) << sentence;
  }
}

}  // namespace
}  // namespace wavesim::testing
