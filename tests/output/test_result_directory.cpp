#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "kernels/backend/errors.hpp"
#include "output/run/result_directory.hpp"
#include "tests/output/fresh_folder.hpp"

namespace wavesim::testing {
namespace {

namespace fs = std::filesystem;

std::string refusal(const fs::path& directory, bool overwrite) {
  try {
    ResultDirectory taken(directory, "drum", overwrite);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

void touch(const fs::path& file) { std::ofstream(file) << "something"; }

TEST(ResultDirectory, IsMadeWithItsParents) {
  const FreshFolder folder;
  const ResultDirectory made(folder.path / "a" / "drum", "drum", false);
  EXPECT_TRUE(fs::is_directory(made.path()));
}

TEST(ResultDirectory, LeavesNothingBehindWhenTheRunNeverStarts) {
  const FreshFolder folder;
  { const ResultDirectory made(folder.path / "a" / "drum", "drum", false); }
  EXPECT_TRUE(fs::is_empty(folder.path));
}

TEST(ResultDirectory, KeepsWhatWasWritten) {
  const FreshFolder folder;
  {
    const ResultDirectory made(folder.path / "drum", "drum", false);
    touch(made.path() / "drum.vtkhdf");
  }
  EXPECT_TRUE(fs::exists(folder.path / "drum" / "drum.vtkhdf"));
  EXPECT_FALSE(fs::exists(folder.path / "drum" / ".running"));
}

TEST(ResultDirectory, RefusesAnExistingResultAndNamesIt) {
  const FreshFolder folder;
  for (const char* result : {"drum.vtkhdf", "drum_receivers.csv.partial", "drum.pvd"}) {
    touch(folder.path / result);
    const std::string sentence = refusal(folder.path, false);
    EXPECT_NE(sentence.find(result), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("--overwrite"), std::string::npos) << sentence;
    fs::remove(folder.path / result);
  }
  touch(folder.path / "notes.txt");  // not ours
  EXPECT_EQ(refusal(folder.path, false), "");
}

TEST(ResultDirectory, RemovesTheOldResultOnlyWhenTheNewOneIsWritten) {
  const FreshFolder folder;
  touch(folder.path / "drum.vtkhdf");
  touch(folder.path / "notes.txt");
  fs::create_directories(folder.path / "pictures");
  { const ResultDirectory unused(folder.path, "drum", true); }
  EXPECT_TRUE(fs::exists(folder.path / "drum.vtkhdf"));
  ResultDirectory used(folder.path, "drum", true);
  used.start_writing();
  EXPECT_FALSE(fs::exists(folder.path / "drum.vtkhdf"));
  EXPECT_FALSE(fs::exists(folder.path / "pictures"));
  EXPECT_TRUE(fs::exists(folder.path / "notes.txt"));
}

TEST(ResultDirectory, RefusesASecondRunAndNamesTheProcess) {
  const FreshFolder folder;
  const ResultDirectory first(folder.path, "drum", false);
  const std::string sentence = refusal(folder.path, true);
  EXPECT_NE(sentence.find("process " + std::to_string(getpid())), std::string::npos) << sentence;
}

TEST(ResultDirectory, TakesOverTheLockOfADeadProcess) {
  const FreshFolder folder;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  std::ofstream(folder.path / ".running") << child << "\n";
  EXPECT_EQ(refusal(folder.path, false), "");
}

TEST(ResultDirectory, RefusesAPlaceThatIsAFile) {
  const FreshFolder folder;
  touch(folder.path / "file");
  EXPECT_NE(refusal(folder.path / "file" / "drum", false).find("--output"), std::string::npos);
  EXPECT_NE(refusal(folder.path / "file", false).find("--output"), std::string::npos);
}

TEST(ResultDirectory, RefusesMoreThanTheDiskHasRoomFor) {
  const FreshFolder folder;
  const ResultDirectory made(folder.path, "drum", false);
  EXPECT_NO_THROW(made.require_room(1000));
  try {
    made.require_room(std::uintmax_t(1) << 60);
    FAIL() << "an exabyte fits";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("1.15e+03 PB"), std::string::npos) << e.what();
  }
}

TEST(HumanBytes, HaveThreeDigits) {
  EXPECT_EQ(human_bytes(0), "0 bytes");
  EXPECT_EQ(human_bytes(1536), "1.54 kB");
  EXPECT_EQ(human_bytes(999.9e6), "1 GB");
}

}  // namespace
}  // namespace wavesim::testing
