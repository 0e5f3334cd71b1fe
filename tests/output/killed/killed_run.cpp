// Killed at any write call, a run leaves every finished frame readable; and so does a disk that is full from
// any write on. Runs under kill_shim (preloaded by ctest). The file of a process that is killed before its k-th call is that
// of one that is stopped there: one child writes the run, and is stopped at each k. Some children are killed, one for each
// k, and so are those that meet a full disk.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <functional>
#include <optional>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "output/hdf5/vtkhdf_writer.hpp"
#include "tests/output/fresh_folder.hpp"
#include "tests/output/result_reader.hpp"
#include "tests/output/small_run.hpp"

namespace wavesim::testing {
namespace {

constexpr long steps_per_frame = 10;
constexpr int failed_as_it_should = 41;

constexpr long frames_of_a_small_run = 72;  // more than a node of HDF5's index of chunks has by default, 64

/// What a child has finished, in memory that outlives it: no system call.
struct Finished {
  long frames, calls;
  long calls_of[frames_of_a_small_run];  // until each frame was finished
  long next_stop;
};

using Arm = void (*)(long, int);
using Calls = long (*)();
using StopAt = void (*)(volatile long*);

/// The kill points are dealt out to `parts` tests, so that ctest -j runs them beside each other.
constexpr long parts = 4;

class KilledRun : public ::testing::TestWithParam<long> {
 protected:
  void SetUp() override { set_up(WAVESIM_KILLED_RESULTS); }

  void set_up(const std::filesystem::path& within) {
    arm_ = reinterpret_cast<Arm>(dlsym(RTLD_DEFAULT, "kill_shim_arm"));
    calls_ = reinterpret_cast<Calls>(dlsym(RTLD_DEFAULT, "kill_shim_calls"));
    stop_at_ = reinterpret_cast<StopAt>(dlsym(RTLD_DEFAULT, "kill_shim_stop_at"));
    if (!arm_) GTEST_SKIP() << "start this through ctest, which preloads kill_shim";
    directory_ = within / ::testing::UnitTest::GetInstance()->current_test_info()->name();  // each test's own
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
    finished_ = static_cast<Finished*>(
        mmap(nullptr, sizeof(Finished), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  }

  /// One child that writes the whole run, killed before its k-th call (or with a disk full from there on).
  int run(long k, bool full_disk) {
    *finished_ = {};
    const pid_t child = start([&] { arm_(k, full_disk); });
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  /// One child that writes the whole run, stopped before each of these calls: `look` is told which, and the file.
  int run_stopped(const std::vector<long>& at, const std::function<void(long, const std::string&)>& look) {
    *finished_ = {};
    finished_->next_stop = at.at(0);
    const pid_t child = start([&] { arm_(-1, 0), stop_at_(&finished_->next_stop); });
    const std::string copy = file() + ".copy";  // no lock of the child's is on it
    int status = 0;
    for (std::size_t n = 0; waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status);) {
      if (std::filesystem::exists(file()))
        std::filesystem::copy_file(file(), copy, std::filesystem::copy_options::overwrite_existing);
      look(at.at(n), copy);
      ++n;
      finished_->next_stop = HasFatalFailure() || n == at.size() ? LONG_MAX : at[n];
      kill(child, SIGCONT);
    }
    std::filesystem::remove(copy);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  pid_t start(const std::function<void()>& arm) {
    const pid_t child = fork();
    if (child != 0) return child;
    arm();
    int status = 0;
    try {
      write();
    } catch (const OutputError&) {
      status = failed_as_it_should;
    } catch (...) {
      status = 1;
    }
    finished_->calls = calls_();
    arm_(-1, 0);
    _exit(status);
  }

  /// The calls to be tried, after a run that ended: of the frames in the middle, which are written alike, each fifth.
  std::vector<long> calls_to_try(long apart) const {
    const long alike_from = finished_->calls_of[12], alike_to = finished_->calls_of[60];
    std::vector<long> all;
    for (long k = 1 + GetParam(); k <= finished_->calls; k += parts * apart)
      if (k <= alike_from || k > alike_to || k / (parts * apart) % 5 == 0) all.push_back(k);
    return all;
  }

  void write() {
    const auto writer = make_vtkhdf_writer();
    RunInfo info = small_info(directory_, frames_);
    if (large_) {
      info.nx = nx_;
      info.ny = ny_;
      info.compression = 0;
      info.once.clear();
      info.inside = {};
    }
    writer->begin(info);
    long step = 0;
    for (long n = 0; n < frames_; ++n) {
      for (; step < n * steps_per_frame; ++step) {
        writer->step(small_record(step));
        writer->sample(small_receiver_sample(step));
      }
      const bool more = n % 3 != 2;  // the next one is committed together with this one
      writer->more_wait(more);
      writer->frame(small_frame(n, nx_, ny_));
      finished_->calls_of[n] = calls_();
      if (!more || n < 2) finished_->frames = n + 1;
    }
    RunSummary summary;
    summary.complete = true;
    summary.ending = "done";
    writer->finish(summary);
  }

  std::string file() const { return (directory_ / "small.vtkhdf").string(); }

  /// Empty if everything that was finished is there, else what is wrong.
  std::string wrong() const { return wrong(file()); }
  std::string wrong(const std::string& file) const {
    if (finished_->frames == 0) return "";
    try {
      const ResultReader r(file);
      const long known = long(r.attribute("/VTKHDF/Steps", "NSteps").at(0));
      if (known < std::max(finished_->frames, 2L)) return "NSteps is " + std::to_string(known);
      const std::vector<double> times = r.numbers("/VTKHDF/Steps/Values");
      if (long(times.size()) > known) return "more times than steps";
      const std::size_t steps = std::size_t((finished_->frames - 1) * steps_per_frame);
      for (const auto& [group, column] : {std::pair{"history", "step"}, std::pair{"receivers", "steps"}}) {
        const std::string place = std::string("/wavesim/") + group;
        const hsize_t rows = hsize_t(r.attribute(place, "rows").at(0));
        if (rows < steps) return place + " is short";
        const std::vector<double> step = r.rows(place + "/" + column, rows);
        for (hsize_t k = 0; k < rows; ++k)
          if (step[k] != double(k)) return place + ", row " + std::to_string(k);
      }
      const std::vector<double> samples = r.rows("/wavesim/receivers/values", steps);
      for (std::size_t k = 0; k < samples.size(); ++k)
        if (samples[k] != small_sample(long(k / 2), long(k % 2))) return "sample " + std::to_string(k / 2);
      for (const auto& [name, sign] : {std::pair{"displacement", 1.0}, std::pair{"velocity", -1.0}}) {
        const std::vector<double> offsets = r.numbers(std::string("/VTKHDF/Steps/PointDataOffsets/") + name);
        if (long(offsets.size()) < known) return "offsets are short";
        const double counted = *std::max_element(offsets.begin(), offsets.begin() + known) + 1;
        const std::vector<double> values = r.rows(std::string("/VTKHDF/PointData/") + name, hsize_t(counted));
        for (long n = 0; n < known;
             ++n) {  // also a frame that was begun: a reader will ask for all that NSteps says
          const std::size_t plane = std::size_t(nx_ * ny_), at = std::size_t(offsets[std::size_t(n)]) * plane;
          if (at + plane > values.size()) return "frame " + std::to_string(n) + " lies outside of the data";
          if (n >= finished_->frames) continue;
          if (times.at(std::size_t(n)) != small_time(n)) return "time of frame " + std::to_string(n);
          for (long iy = 0; iy < ny_; ++iy)
            for (long ix = 0; ix < nx_; ++ix)
              if (values[at + std::size_t(iy * nx_ + ix)] != sign * small_value(n, ix, iy))
                return std::string(name) + " of frame " + std::to_string(n);
        }
      }
      for (const char* name : {"step", "iterations", "residual", "energy"})
        if (long(r.numbers(std::string("/VTKHDF/FieldData/") + name).size()) < finished_->frames)
          return std::string(name) + " is short";
    } catch (const std::exception& e) {
      return e.what();
    }
    return "";
  }

  bool large_ = false;
  long nx_ = small_nx, ny_ = small_ny, frames_ = frames_of_a_small_run;
  Arm arm_ = nullptr;
  Calls calls_ = nullptr;
  StopAt stop_at_ = nullptr;
  Finished* finished_ = nullptr;
  std::filesystem::path directory_;
};

// A frame is committed in three flushes, each of which is on the disk before the next; the folder has the file's name
// from the start.
TEST(Durability, IsThatOfEachFrameUnlessTheEndIsEnough) {
  const auto syncs = reinterpret_cast<long (*)()>(dlsym(RTLD_DEFAULT, "kill_shim_syncs"));
  if (!syncs) GTEST_SKIP() << "start this through ctest, which preloads kill_shim";
  for (const bool durable : {true, false}) {
    const FreshFolder folder;
    const auto writer = make_vtkhdf_writer();
    RunInfo info = small_info(folder.path, 4);
    info.durable = durable;
    const long before = syncs();
    writer->begin(info);
    EXPECT_EQ(syncs() > before, durable);
    const long begun = syncs();
    for (long n = 0; n < 4; ++n) writer->frame(small_frame(n));
    if (durable)
      EXPECT_GE(syncs() - begun, 3 * 4);
    else
      EXPECT_EQ(syncs(), begun);
    RunSummary summary;
    summary.complete = true;
    summary.ending = "done";
    writer->finish(summary);
    EXPECT_GT(syncs(), begun);
  }
}

TEST_P(KilledRun, LeavesEveryFinishedFrameReadableWhicheverWriteIsItsLast) {
  ASSERT_EQ(run(-1, false), 0);
  const long calls = finished_->calls;
  ASSERT_EQ(finished_->frames, frames_);
  ASSERT_GT(calls, 3 * frames_);
  long losses = 0, after_frames = 0;
  const std::vector<long> all = calls_to_try(1);
  std::size_t tried = 0;
  const auto look = [&](long k, const std::string& left) {
    ++tried;
    const std::string loss = wrong(left);
    losses += !loss.empty();
    after_frames += finished_->frames > 0;
    EXPECT_EQ(loss, "") << "killed at write call " << k << " of " << calls << " after " << finished_->frames
                        << " frames";
    ASSERT_LT(losses, 20) << "and so on";
    // Samples for other readers (tests/python/read_killed.py), named by what they must hold.
    if (finished_->frames > 0 && k % 41 == 0)
      std::filesystem::copy_file(left, directory_ / ("killed_" + std::to_string(k) + "_" +
                                                     std::to_string(finished_->frames) + ".vtkhdf"));
  };
  ASSERT_EQ(run_stopped(all, look), 0);
  EXPECT_EQ(tried, all.size());
  for (std::size_t n = std::size_t(GetParam()); n < all.size(); n += 25) {
    ASSERT_EQ(run(all[n], false), 0) << "write call " << all[n];
    EXPECT_EQ(wrong(), "") << "killed at write call " << all[n];
  }
  ASSERT_EQ(run(all.back(), false), 0);
  EXPECT_EQ(finished_->frames, frames_);  // the last kills are in finish()
  EXPECT_GT(after_frames, 3 * frames_ / parts);
}

TEST_P(KilledRun, LeavesEveryFinishedFrameReadableWhenTheDiskIsFullFromAnyWriteOn) {
  ASSERT_EQ(run(-1, false), 0);
  const std::vector<long> calls = calls_to_try(3);
  long failures = 0, losses = 0;
  for (const long k : calls) {
    const int status = run(k, true);
    ASSERT_TRUE(status == 0 || status == failed_as_it_should)
        << "status " << status << " at write call " << k;
    failures += status != 0;
    const std::string loss = wrong();
    losses += !loss.empty();
    EXPECT_EQ(loss, "") << "disk full from write call " << k << " on, after " << finished_->frames
                        << " frames";
    ASSERT_LT(losses, 20) << "and so on";
  }
  EXPECT_GT(failures, long(calls.size()) / 2);
}

/// Frames large enough to be written through a map of a file in memory (output/hdf5/memory_file.hpp).
class KilledRunInMemory : public KilledRun {
 protected:
  void SetUp() override {
    if (!std::filesystem::is_directory("/dev/shm")) GTEST_SKIP() << "no /dev/shm";
    folder_.emplace("/dev/shm");
    large_ = true;
    nx_ = 1500;
    ny_ = 1400;
    frames_ = 2;
    set_up(folder_->path);
  }
  std::optional<FreshFolder> folder_;
};

TEST_P(KilledRunInMemory, LeavesEveryFinishedFrameReadableWhicheverCallIsItsLast) {
  for (const bool full : {false, true}) {
    ASSERT_EQ(run(-1, false), 0);
    const long calls = finished_->calls;
    ASSERT_EQ(finished_->frames, frames_);
    long ended = 0, tried = 0;
    const auto look = [&](long k, const std::string& left) {
      ++tried;
      ASSERT_EQ(wrong(left), "") << (full ? "no space" : "killed") << " from call " << k << " of " << calls
                                 << " on, after " << finished_->frames << " frames";
    };
    std::vector<long> all;
    for (long k = 1 + GetParam(); k <= calls; k += (full ? 3 : 1) * parts) all.push_back(k);
    if (!full) {
      const auto stopped = [&](long k, const std::string& left) {
        ended += finished_->frames < frames_;
        look(k, left);
      };
      ASSERT_EQ(run_stopped(all, stopped), 0);
      ASSERT_EQ(tried, long(all.size()));
    }
    for (std::size_t n = 0; n < all.size(); n += full ? 1 : 8) {
      const int status = run(all[n], full);
      ASSERT_TRUE(status == 0 || (full && status == failed_as_it_should))
          << "status " << status << " at " << all[n];
      ended += full ? status != 0 : finished_->frames < frames_;
      look(all[n], file());
    }
    EXPECT_GT(ended, tried / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Part, KilledRunInMemory, ::testing::Range(0L, parts));
INSTANTIATE_TEST_SUITE_P(Part, KilledRun, ::testing::Range(0L, parts));

}  // namespace
}  // namespace wavesim::testing
