#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/backend/errors.hpp"
#include "kernels/backend/host.hpp"
#include "output/checkpoint/checkpoint_folder.hpp"
#include "output/checkpoint/sealed_file.hpp"
#include "tests/output/fresh_folder.hpp"

namespace wavesim::testing {
namespace {

/// Some of everything that a part can name.
struct State {
  Host backend;
  Field<Host, double> u{backend, make_extent(7, 5)};
  Field<Host, float> v{backend, make_extent(3, 4)};
  Field<Host, double> arrival{backend, make_extent(7, 5)};
  long steps = 0;
  int count = 0;
  bool flag = false;
  double energy = 0;
  std::string text;
  std::vector<std::string> words;
  std::vector<double> list;
  std::vector<long> none;

  static State filled() {
    State s;
    std::vector<double> u(s.u.memory().size());
    for (std::size_t k = 0; k < u.size(); ++k) u[k] = std::sqrt(double(k)) * 1e-310;
    s.u.memory().upload(u);
    std::vector<float> v(s.v.memory().size(), -0.0f);
    s.v.memory().upload(v);
    s.arrival.memory().upload(std::vector<double>(s.arrival.memory().size(), NAN));
    s.steps = 1L << 40;
    s.count = -3;
    s.flag = true;
    s.energy = NAN;
    s.text = "a\nb";
    s.words = {"one", "", "three"};
    s.list = {1.0 / 3, INFINITY};
    return s;
  }
  void archive(Archive& a) {
    a.number("steps", steps);
    {
      const auto part = a.part("inner");
      a.number("count", count);
      a.field("u", u);
      const auto deeper = a.part("deeper");
      a.field("v", v);
    }
    a.number("flag", flag);
    a.number("energy", energy);
    a.text("a text", text);
    a.list("words", words);
    a.list("list", list);
    a.list("none", none);
    a.field("arrival", arrival);
  }
};

SavedState in_memory(State& s) {
  SavedState all;
  SaveInMemory to(all);
  s.archive(to);
  return all;
}

CheckpointHead head(long step) {
  return {step,
          0.1 * double(step),
          0.1,
          "name: small\ngrid: {size: [1, 1]}\n",
          {{"device", "a CPU"}, {"empty", ""}}};
}

void write(const std::string& path, State& s, long step = 3) {
  write_checkpoint(path, head(step), [&](Archive& a) { s.archive(a); });
}

std::string why_not(const std::string& path) {
  try {
    CheckpointFile file(path);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(CheckpointFile, GivesBackEveryBit) {
  const FreshFolder folder;
  const std::string path = (folder.path / "a.h5").string();
  State saved = State::filled(), loaded;
  write(path, saved);
  CheckpointFile file(path);
  loaded.archive(file.state());
  EXPECT_EQ(in_memory(loaded), in_memory(saved));
  EXPECT_EQ(file.head().step, 3);
  EXPECT_EQ(file.head().time, head(3).time);
  EXPECT_EQ(file.head().dt, 0.1);
  EXPECT_EQ(file.head().config, head(3).config);
  EXPECT_EQ(file.head().facts, head(3).facts);
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
}

TEST(CheckpointFile, IsRefusedWhereAnyByteIsAnotherOneOrMissing) {
  const FreshFolder folder;
  const std::string path = (folder.path / "a.h5").string();
  State s = State::filled();
  write(path, s);
  const std::string whole = content(path);
  ASSERT_EQ(why_not(path), "");
  for (std::size_t k = 0; k < whole.size(); k += k < 600 ? 1 : 97) {
    std::string damaged = whole;
    damaged[k] = char(damaged[k] ^ 1 << k % 8);
    std::ofstream(path, std::ios::binary) << damaged;
    const std::string why = why_not(path);
    ASSERT_NE(why.find("damaged"), std::string::npos) << "byte " << k << ": " << why;
    ASSERT_NE(why.find(path), std::string::npos) << why;
  }
  for (const std::size_t length : {std::size_t(0), std::size_t(100), std::size_t(512), whole.size() - 1}) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, length);
    EXPECT_NE(why_not(path).find("cannot continue from"), std::string::npos) << length;
  }
  std::ofstream(path, std::ios::binary) << whole << "x";
  EXPECT_NE(why_not(path).find("damaged"), std::string::npos);
  EXPECT_NE(why_not((folder.path / "none.h5").string()).find("No such file"), std::string::npos);
}

TEST(CheckpointFile, IsNotWrittenWithAFieldThatIsNotFinite) {
  const FreshFolder folder;
  const std::string path = (folder.path / "a.h5").string();
  State good = State::filled(), bad = State::filled();
  write(path, good);
  const std::string before = content(path);
  for (const double wrong : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    std::vector<double> u = bad.u.memory().download();
    u[3 * std::size_t(bad.u.extent().pitch) + 2] = wrong;  // a row of ghosts comes first
    bad.u.memory().upload(u);
    try {
      write(path, bad);
      FAIL();
    } catch (const SolveError& e) {
      EXPECT_NE(std::string(e.what()).find("'inner/u' is not finite in row 2, column 2"), std::string::npos)
          << e.what();
    }
    EXPECT_TRUE(content(path) == before);
    EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
  }
}

TEST(CheckpointFile, SaysWhatDoesNotFit) {
  const FreshFolder folder;
  const std::string path = (folder.path / "a.h5").string();
  State s = State::filled();
  write(path, s);
  CheckpointFile file(path);
  Archive& a = file.state();
  const auto sentence = [&](const auto& take) -> std::string {
    try {
      take();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  Host backend;
  Field<Host, double> other(backend, make_extent(6, 5));
  double number = 0;
  EXPECT_NE(sentence([&] { a.number("absent", number); }).find("'absent' is missing"), std::string::npos);
  EXPECT_NE(sentence([&] { a.number("steps", number); }).find("another kind"), std::string::npos);
  EXPECT_NE(sentence([&] { a.field("inner/u", other); }).find("5 x 7, and 5 x 6"), std::string::npos);
}

TEST(CheckpointFolder, KeepsTheLatestAndTakesTheOneBeforeADamagedOne) {
  const FreshFolder folder;
  CheckpointFolder checkpoints(folder.path, "small");
  std::vector<std::string> notes;
  EXPECT_EQ(checkpoints.latest(notes), nullptr);
  State s = State::filled();
  CheckpointKeeper keeper(checkpoints, head(0), {}, 2);
  const auto save = [&](long step) { keeper.save(step, 0, [&](Archive& a) { s.archive(a); }); };
  for (const long step : {5, 999999, 1000000}) save(step);
  EXPECT_EQ(keeper.latest(), checkpoints.file(1000000));
  EXPECT_FALSE(std::filesystem::exists(checkpoints.file(5)));
  EXPECT_TRUE(std::filesystem::exists(checkpoints.file(999999)));
  EXPECT_EQ(checkpoints.latest(notes)->head().step, 1000000);
  EXPECT_TRUE(notes.empty());
  std::filesystem::resize_file(checkpoints.file(1000000), 2000);
  EXPECT_EQ(checkpoints.latest(notes)->head().step, 999999);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("small_1000000.h5"), std::string::npos) << notes[0];
  std::filesystem::resize_file(checkpoints.file(999999), 0);
  EXPECT_THROW(checkpoints.latest(notes), InputError);
  checkpoints.forget_after(5);
  EXPECT_EQ(checkpoints.latest(notes), nullptr);
}

TEST(CheckpointFolder, LeavesFilesOfOthersAlone) {
  const FreshFolder folder;
  CheckpointFolder checkpoints(folder.path, "small");
  std::filesystem::create_directory(checkpoints.path());
  for (const char* name : {"notes.txt", "small_12.h5", "other_000012.h5", "small_000012.h5.bak"})
    std::ofstream(checkpoints.path() / name) << "mine";
  State s = State::filled();
  CheckpointKeeper keeper(checkpoints, head(0), {}, 1);
  for (const long step : {1, 2}) keeper.save(step, 0, [&](Archive& a) { s.archive(a); });
  for (const char* name : {"notes.txt", "small_12.h5", "other_000012.h5", "small_000012.h5.bak"})
    EXPECT_EQ(content(checkpoints.path() / name), "mine");
}

TEST(CheckpointFolder, KeepsTheOldCheckpointWhereTheNewOneCannotBeWritten) {
  const FreshFolder folder;
  CheckpointFolder checkpoints(folder.path, "small");
  State s = State::filled();
  CheckpointKeeper keeper(checkpoints, head(0), {}, 1);
  keeper.save(1, 0, [&](Archive& a) { s.archive(a); });
  std::filesystem::create_directories(checkpoints.file(2) + ".partial/in the way");
  EXPECT_THROW(keeper.save(2, 0, [&](Archive& a) { s.archive(a); }), OutputError);
  std::vector<std::string> notes;
  EXPECT_EQ(checkpoints.latest(notes)->head().step, 1);
}

}  // namespace
}  // namespace wavesim::testing
