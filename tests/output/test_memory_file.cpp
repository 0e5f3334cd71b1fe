// Large writes through maps of files in memory: the bytes of plain writes, and errors where those have them.

#include "output/hdf5/memory_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>

#include "kernels/backend/errors.hpp"
#include "output/hdf5/vtkhdf_writer.hpp"
#include "tests/output/fresh_folder.hpp"
#include "tests/output/result_reader.hpp"
#include "tests/output/small_run.hpp"

namespace wavesim::testing {
namespace {

constexpr std::size_t MiB = 1 << 20;

struct OpenFile {
  explicit OpenFile(const std::filesystem::path& path)
      : number(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {}
  OpenFile(const OpenFile&) = delete;
  ~OpenFile() { close(number); }
  const int number;
};

/// Bytes that name their place.
std::string pattern(std::size_t size, unsigned seed) {
  std::string s(size, '\0');
  for (std::size_t i = 0; i < size; ++i) s[i] = char((i * 2654435761u + seed) >> 13);
  return s;
}

/// Of a file system in memory, where there is one that maps well.
class MemoryFile : public ::testing::Test {
 protected:
  static constexpr const char* memory = "/dev/shm";
  void SetUp() override {
    if (!std::filesystem::is_directory(memory)) GTEST_SKIP() << "no " << memory;
    const FreshFolder folder(memory);
    if (!maps_well(OpenFile(folder.path / "file").number)) GTEST_SKIP() << memory << " does not map well";
  }
};

TEST_F(MemoryFile, GetsTheBytesThatAreWrittenWhereverTheyLie) {
  // Within a page, across pages and huge pages, over several pieces, behind a hole.
  const std::pair<std::size_t, std::size_t> places[] = {{0, 1},
                                                        {4095, 2},
                                                        {2 * MiB - 1, 2},
                                                        {0, 8 * MiB},
                                                        {17, 9 * MiB + 5},
                                                        {3 * MiB + 17, 20 * MiB},
                                                        {6 * MiB, 2 * MiB},
                                                        {30 * MiB + 4096, 12 * MiB + 1}};
  for (const bool huge : {true, false})
    for (const unsigned threads : {1u, 2u, 5u, 64u}) {
      prctl(PR_SET_THP_DISABLE, !huge, 0, 0, 0);
      const FreshFolder folder(memory);
      const OpenFile file(folder.path / "file");
      std::string expected = pattern(5 * MiB + 3, 1);
      ASSERT_EQ(pwrite(file.number, expected.data(), expected.size(), 0), ssize_t(expected.size()));
      unsigned seed = 2;
      for (const auto& [at, size] : places) {
        const std::string bytes = pattern(size, seed++);
        ASSERT_EQ(write_mapped(file.number, at, bytes.data(), size, threads), 0);
        expected.resize(std::max(expected.size(), at + size), '\0');
        std::memcpy(expected.data() + at, bytes.data(), size);
        ASSERT_TRUE(content(folder.path / "file") == expected)
            << size << " bytes at " << at << ", " << threads << " threads";
      }
    }
  prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
}

TEST_F(MemoryFile, IsNoPipeAndNoDevice) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(maps_well(ends[1]));
  close(ends[0]);
  close(ends[1]);
  EXPECT_FALSE(maps_well(-1));
  EXPECT_FALSE(maps_well(OpenFile("/proc/self/maps").number));
}

/// work() in a process of its own, whose exit status is its value; `skipped` where the system does not allow
/// what it needs.
constexpr int skipped = 77;
int in_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    int status = 1;
    try {
      status = work();
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s\n", e.what());
    }
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

/// A file system in memory of so many bytes, seen by this process only.
bool mount_memory(const std::filesystem::path& folder, std::size_t bytes) {
  const std::string user = "0 " + std::to_string(geteuid()) + " 1";
  if (unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    std::ofstream("/proc/self/uid_map") << user;
  }
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("none", folder.c_str(), "tmpfs", 0, ("size=" + std::to_string(bytes)).c_str()) == 0;
}

#define EXPECT_IN_CHILD(status)                                                     \
  const int ended = (status);                                                       \
  if (ended == skipped) GTEST_SKIP() << "this process may not mount a file system"; \
  EXPECT_EQ(ended, 0)

TEST_F(MemoryFile, SaysThatThereIsNoSpaceAndGivesBackWhatItTook) {
  const FreshFolder folder;
  EXPECT_IN_CHILD(in_child([&] {
    if (!mount_memory(folder.path, 16 * MiB)) return skipped;
    const OpenFile file(folder.path / "file");
    const std::string before = pattern(3 * MiB, 1), bytes = pattern(32 * MiB, 2);
    if (write_mapped(file.number, 0, before.data(), before.size()) != 0) return 2;
    struct statfs free, after;
    statfs(folder.path.c_str(), &free);
    for (const unsigned threads : {1u, 4u}) {
      if (write_mapped(file.number, before.size(), bytes.data(), bytes.size(), threads) != ENOSPC) return 3;
      if (content(folder.path / "file") != before) return 4;
      statfs(folder.path.c_str(), &after);
      if (after.f_bfree != free.f_bfree) return 5;
    }
    return write_mapped(file.number, before.size(), bytes.data(), 12 * MiB) == 0 ? 0 : 6;
  }));
}

TEST_F(MemoryFile, SaysThatItMayNotBeSoLong) {
  EXPECT_IN_CHILD(in_child([&] {
    const FreshFolder folder(memory);
    const OpenFile file(folder.path / "file");
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{9 * MiB, 9 * MiB};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string bytes = pattern(10 * MiB, 2);
    if (write_mapped(file.number, 0, bytes.data(), bytes.size()) != EFBIG) return 2;
    struct stat now;
    fstat(file.number, &now);
    if (now.st_size != 0) return 3;
    return write_mapped(file.number, 0, bytes.data(), 9 * MiB) == 0 ? 0 : 4;
  }));
}

RunInfo large_info(const std::filesystem::path& folder, long frames, bool single) {
  RunInfo info = small_info(folder, frames);
  info.nx = 1501;
  info.ny = 1403;
  info.single = single;
  info.compression = 0;
  info.once.clear();
  info.inside = {};
  return info;
}

Frame large_frame(const RunInfo& info, long n) {
  Frame f = small_frame(n, info.nx, info.ny);
  if (!info.single)
    for (Plane& p : f.planes) {
      const auto floats = p.values.as<float>();
      std::vector<double> wide(floats.begin(), floats.end());
      for (double& v : wide) v += 1e-9;
      p.values = wide;
    }
  return f;
}

RunSummary done() {
  RunSummary s;
  s.complete = true;
  s.ending = "done";
  return s;
}

/// Whether the values of one plane of a result are those of its frames.
bool holds(const std::filesystem::path& file, const RunInfo& info, std::size_t quantity, long frames) {
  const ResultReader r(file.string());
  const std::string name = "/VTKHDF/PointData/" + info.quantities[quantity];
  const std::vector<double> all = r.rows(name, hsize_t(frames));
  const std::size_t plane = std::size_t(info.nx * info.ny);
  for (long n = 0; n < frames; ++n) {
    const Frame f = large_frame(info, n);
    if (!f.planes[quantity].values.visit([&](auto values) {
          return std::equal(values.begin(), values.end(), all.begin() + long(plane) * n);
        }))
      return false;
  }
  return true;
}

TEST_F(MemoryFile, HoldsTheFramesOfAResultAsAFileOnDiskDoes) {
  for (const bool single : {true, false}) {
    const FreshFolder in_memory(memory), usual;
    for (const FreshFolder* folder : {&in_memory, &usual}) {
      const RunInfo info = large_info(folder->path, 3, single);
      const auto writer = make_vtkhdf_writer();
      writer->begin(info);
      for (long n = 0; n < 3; ++n) {
        writer->step(small_record(n));
        writer->sample(small_receiver_sample(n));
        writer->frame(large_frame(info, n));
      }
      writer->finish(done());
      const std::filesystem::path file = folder->path / "small.vtkhdf";
      for (std::size_t q = 0; q < 2; ++q) EXPECT_TRUE(holds(file, info, q, 3)) << file << ", " << q;
      const ResultReader r(file.string());
      EXPECT_EQ(r.shape("/VTKHDF/PointData/velocity"), (std::vector<hsize_t>{3, 1403, 1501}));
      EXPECT_EQ(r.numbers("/VTKHDF/Steps/Values"), (std::vector<double>{0, 0.25, 0.5}));
      EXPECT_EQ(r.attribute("/wavesim", "complete").at(0), 1);
    }
    // No space is left over or missing.
    EXPECT_EQ(std::filesystem::file_size(in_memory.path / "small.vtkhdf"),
              std::filesystem::file_size(usual.path / "small.vtkhdf"));
  }
}

TEST_F(MemoryFile, KeepsTheFramesBeforeTheOneThatFoundNoSpace) {
  const FreshFolder folder;
  EXPECT_IN_CHILD(in_child([&] {
    if (!mount_memory(folder.path, 44 * MiB)) return skipped;  // two frames of 16.1 MiB, and half a third one
    RunInfo info = large_info(folder.path, 5, true);
    const auto writer = make_vtkhdf_writer();
    writer->begin(info);
    std::string sentence;
    try {
      for (long n = 0; n < 3; ++n) writer->frame(large_frame(info, n));
    } catch (const OutputError& e) {
      sentence = e.what();
    }
    if (sentence.find("append a frame: No space left on device") == std::string::npos ||
        sentence.find("its first 2 frames are readable") == std::string::npos) {
      std::fprintf(stderr, "'%s'\n", sentence.c_str());
      return 2;
    }
    const std::filesystem::path file = folder.path / "small.vtkhdf";
    if (ResultReader(file.string()).attribute("/VTKHDF/Steps", "NSteps").at(0) != 2) return 3;
    return holds(file, info, 0, 2) && holds(file, info, 1, 2) ? 0 : 4;
  }));
}

}  // namespace
}  // namespace wavesim::testing
