// Every writer goes on with what a stopped or killed run left: at the end the files are those of a run that was
// never stopped.

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/errors.hpp"
#include "output/run/make_writers.hpp"
#include "tests/output/same_results.hpp"
#include "tests/output/small_run.hpp"

namespace wavesim::testing {
namespace {

constexpr long frames = 14, steps = 10 * frames - 9;  // frames at steps 0, 10, 20, ...

struct Output {
  explicit Output(const std::filesystem::path& folder, const std::string& change = "")
      : info(small_info(folder, frames)) {
    config.frames->formats = {"vtkhdf"};
#ifdef WAVESIM_HAVE_VTK
    config.frames->formats.push_back("vti");
    config.pictures = std::make_shared<PicturesOutput>();
    config.pictures->width = 64;
    info.planned_pictures = frames;
#endif
    if (change == "doubles") info.single = false;
    if (change == "plain") info.compression = 0;
    writers = make_writers(config, info);
  }
  OutputConfig config;
  RunInfo info;
  std::unique_ptr<AsyncWriter> writers;
};

void tell(Writer& w, long from, long to) {
  for (long n = from; n < to; ++n) {
    if (n > 0) {
      StepRecord r = small_record(n);
      if (n % 3) r.energy = NAN;
      w.step(r);
    }
    w.sample(small_receiver_sample(n));
    if (n % 10 == 0) {
      Frame f = small_frame(n / 10);
      for (Plane& p : f.planes)
        if (p.quantity == "displacement" && n > 40) {  // the range of pictures grows late
          std::vector<float> v(p.values.as<float>().begin(), p.values.as<float>().end());
          for (float& x : v) x *= 3;
          p.values = v;
        }
      Frame picture = f;
      picture.planes.resize(1);
      w.picture(picture);
      w.frame(f);
    }
  }
}

RunSummary ended(bool complete) {
  RunSummary s;
  s.complete = complete;
  s.ending = complete ? "done" : "stopped by a signal";
  s.steps = steps;
  return s;
}

/// Saved before step `middle` is told, then told up to `beyond`.
void first_half(const std::filesystem::path& folder, long middle, long beyond, bool finished,
                SavedState& state) {
  Output o(folder);
  o.writers->begin(o.info);
  tell(*o.writers, 0, middle);
  SaveInMemory to(state);
  o.writers->save(to);
  tell(*o.writers, middle, beyond);
  if (finished) o.writers->finish(ended(false));
}

void second_half(const std::filesystem::path& folder, long middle, const SavedState& state) {
  Output o(folder);
  LoadFromMemory from(state);
  o.writers->resume(o.info, middle - 1, from);
  tell(*o.writers, middle, steps);
  o.writers->finish(ended(true));
}

class ResumedWriters : public ::testing::Test {
 protected:
  ResumedWriters() {
    Output o(never_stopped.path);
    o.writers->begin(o.info);
    tell(*o.writers, 0, steps);
    o.writers->finish(ended(true));
  }
  FreshFolder never_stopped;
};

TEST_F(ResumedWriters, LeaveTheFilesOfARunThatWasNeverStopped) {
  for (const long middle : {1, 2, 11, 12, 37, 100, 131})
    for (const long further : {0, 1, 9, 31})
      for (const bool finished : {false, true}) {
        SCOPED_TRACE("saved before step " + std::to_string(middle) + ", went on for " +
                     std::to_string(further) + (finished ? ", ended well" : ", killed"));
        const FreshFolder folder;
        SavedState state;
        first_half(folder.path, middle, std::min(middle + further, steps), finished, state);
        second_half(folder.path, middle, state);
        expect_same_results(never_stopped.path, folder.path);
      }
}

TEST_F(ResumedWriters, MayBeResumedFromTheSameStateAgain) {
  const FreshFolder folder;
  SavedState state, later;
  first_half(folder.path, 33, 60, false, state);
  {
    Output o(folder.path);
    LoadFromMemory from(state);
    o.writers->resume(o.info, 32, from);
    tell(*o.writers, 33, 48);
    SaveInMemory to(later);
    o.writers->save(to);
    tell(*o.writers, 48, 55);
  }
  {
    const FreshFolder copy;
    std::filesystem::copy(folder.path, copy.path, std::filesystem::copy_options::recursive);
    second_half(copy.path, 33, state);
    expect_same_results(never_stopped.path, copy.path);
  }
  second_half(folder.path, 48, later);
  expect_same_results(never_stopped.path, folder.path);
}

TEST_F(ResumedWriters, WriteFramesAgainWhereTheirFormChanges) {
  const FreshFolder folder;
  SavedState state;
  first_half(folder.path, 45, 70, false, state);
  Output o(folder.path, "plain");
  LoadFromMemory from(state);
  o.writers->resume(o.info, 44, from);
  tell(*o.writers, 45, steps);
  o.writers->finish(ended(true));
  expect_same_hdf5(never_stopped.path / "small.vtkhdf", folder.path / "small.vtkhdf");
}

TEST_F(ResumedWriters, RefuseFilesThatHoldLessThanWasSavedAndLeaveThem) {
  for (const std::string file : {"small.vtkhdf", "small_history.csv.partial", "small_receivers.csv.partial"})
    for (const bool absent : {false, true}) {
      const FreshFolder folder;
      SavedState state;
      first_half(folder.path, 45, 70, false, state);
      const auto path = folder.path / file;
      if (absent)
        std::filesystem::remove(path);
      else if (file == "small.vtkhdf")
        std::filesystem::resize_file(path, 4000);
      else
        std::filesystem::resize_file(path, 100);
      try {
        second_half(folder.path, 45, state);
        FAIL() << file << " was continued";
      } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("cannot continue"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("--output"), std::string::npos) << e.what();
      }
      if (!absent && file != "small.vtkhdf") {
        EXPECT_EQ(std::filesystem::file_size(path), 100u);
      }
      EXPECT_FALSE(std::filesystem::exists(folder.path / "small.vtkhdf.partial"));
    }
}

TEST_F(ResumedWriters, RefuseFramesOfAnotherShapeOrPrecision) {
  const FreshFolder folder;
  SavedState state;
  first_half(folder.path, 45, 45, false, state);
  Output o(folder.path, "doubles");
  LoadFromMemory from(state);
  EXPECT_THROW(o.writers->resume(o.info, 44, from), InputError);
}

}  // namespace
}  // namespace wavesim::testing
