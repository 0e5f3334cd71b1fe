#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>

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

/// A folder with a result and what somebody else put there.
void make_result(const fs::path& folder) {
  {
    ResultDirectory used(folder, "drum", true);
    used.start_writing();
    fs::create_directories(folder / "pictures");
    for (const char* file : {"drum.vtkhdf", "drum_history.csv", "pictures/drum_000010.png"})
      std::ofstream(folder / file) << "old";
  }
  for (const char* file : {"drum_notes.txt", "pictures/my_photo.jpg"}) touch(folder / file);
}

void expect_old_result(const fs::path& folder) {
  for (const char* file : {"drum.vtkhdf", "drum_history.csv", "pictures/drum_000010.png"})
    EXPECT_EQ(content(folder / file), "old") << file;
  for (const char* file : {"drum_notes.txt", "pictures/my_photo.jpg"})
    EXPECT_TRUE(fs::exists(folder / file)) << file;
  EXPECT_FALSE(fs::exists(folder / ".old"));
}

TEST(ResultDirectory, ListsTheFilesOfAResultAndNoOthers) {
  const FreshFolder folder;
  make_result(folder.path);
  const std::string list = content(folder.path / ".files");
  EXPECT_NE(list.find("\ndrum.vtkhdf\ndrum_history.csv\npictures/drum_000010.png\n"), std::string::npos)
      << list;
  EXPECT_EQ(list.find("photo"), std::string::npos) << list;
}

TEST(ResultDirectory, RemovesTheOldResultAndNothingElseOnceTheNewOneHasAFrame) {
  for (const bool listed : {true, false}) {
    const FreshFolder folder;
    make_result(folder.path);
    if (!listed) fs::remove(folder.path / ".files");
    { const ResultDirectory unused(folder.path, "drum", true); }
    expect_old_result(folder.path);
    ResultDirectory used(folder.path, "drum", true);
    used.start_writing();
    EXPECT_FALSE(fs::exists(folder.path / "drum.vtkhdf"));
    EXPECT_EQ(content(folder.path / ".old/drum.vtkhdf"), "old");
    touch(folder.path / "drum.vtkhdf");
    used.discard_old();
    EXPECT_FALSE(fs::exists(folder.path / ".old"));
    EXPECT_FALSE(fs::exists(folder.path / "drum_history.csv"));
    EXPECT_FALSE(fs::exists(folder.path / "pictures/drum_000010.png"));
    EXPECT_EQ(content(folder.path / "drum.vtkhdf"), "something");
    EXPECT_TRUE(fs::exists(folder.path / "drum_notes.txt"));
    EXPECT_TRUE(fs::exists(folder.path / "pictures/my_photo.jpg"));
  }
}

TEST(ResultDirectory, KeepsAFileOfSomebodyElseThatIsNotOnTheList) {
  const FreshFolder folder;
  make_result(folder.path);
  std::ofstream(folder.path / "pictures/drum_000020.png") << "mine";
  ResultDirectory used(folder.path, "drum", true);
  used.start_writing();
  used.discard_old();
  EXPECT_EQ(content(folder.path / "pictures/drum_000020.png"), "mine");
}

TEST(ResultDirectory, BringsTheOldResultBackWhereTheNewOneHasNoFrame) {
  const FreshFolder folder;
  make_result(folder.path);
  {
    ResultDirectory used(folder.path, "drum", true);
    used.start_writing();
    touch(folder.path / "drum.vtkhdf");
    touch(folder.path / "drum_receivers.csv.partial");
  }
  expect_old_result(folder.path);
  EXPECT_FALSE(fs::exists(folder.path / "drum_receivers.csv.partial"));
}

TEST(ResultDirectory, BringsTheOldResultBackAfterAKillAtAnyMoment) {
  for (const char* moment : {"moving", "written", "coming back"}) {
    const FreshFolder folder;
    make_result(folder.path);
    // as a killed run leaves it
    const fs::path old = folder.path / (std::string(moment) == "written" ? ".old" : ".old-moving");
    fs::create_directories(old / "pictures");
    fs::rename(folder.path / "drum.vtkhdf", old / "drum.vtkhdf");
    if (std::string(moment) != "moving") {
      fs::rename(folder.path / "pictures/drum_000010.png", old / "pictures/drum_000010.png");
      fs::rename(folder.path / ".files", old / ".files");
    }
    if (std::string(moment) == "written") {
      fs::rename(folder.path / "drum_history.csv", old / "drum_history.csv");
      touch(folder.path / "drum.vtkhdf");
    }
    EXPECT_NE(refusal(folder.path, false), "") << moment;
    expect_old_result(folder.path);
  }
}

TEST(ResultDirectory, ForgetsAnOldResultThatWasBeingRemovedWhenTheRunWasKilled) {
  const FreshFolder folder;
  fs::create_directories(folder.path / ".old-removing");
  touch(folder.path / ".old-removing" / "drum.vtkhdf");
  std::ofstream(folder.path / "drum.vtkhdf") << "new";
  EXPECT_NE(refusal(folder.path, false), "");
  EXPECT_FALSE(fs::exists(folder.path / ".old-removing"));
  EXPECT_EQ(content(folder.path / "drum.vtkhdf"), "new");
}

TEST(ResultDirectory, TakesNoPathOfAListThatLeavesTheFolder) {
  const FreshFolder folder;
  fs::create_directories(folder.path / "drum");
  touch(folder.path / "outside");
  touch(folder.path / "drum" / "drum.vtkhdf");
  std::ofstream(folder.path / "drum" / ".files") << "../outside\n"
                                                 << (folder.path / "outside").string() << "\ndrum.vtkhdf\n";
  {
    ResultDirectory used(folder.path / "drum", "drum", true);
    used.start_writing();
    used.discard_old();
  }
  EXPECT_TRUE(fs::exists(folder.path / "outside"));
  EXPECT_FALSE(fs::exists(folder.path / "drum" / "drum.vtkhdf"));
}

TEST(ResultDirectory, TakesNoFileOfAListThatThisProgramDoesNotWrite) {
  const FreshFolder folder;
  const fs::path drum = folder.path / "drum";
  fs::create_directories(drum);
  fs::create_directories(folder.path / "elsewhere");
  touch(folder.path / "elsewhere" / "thesis.txt");
  touch(folder.path / "elsewhere" / "drum_000001.png");
  touch(drum / "my_notes.txt");
  touch(drum / "drum.vtkhdf");
  fs::create_directory_symlink(folder.path / "elsewhere", drum / "sub");
  std::ofstream(drum / ".files") << "sub/thesis.txt\nsub/drum_000001.png\nmy_notes.txt\ndrum.vtkhdf\n";
  {
    ResultDirectory used(drum, "drum", true);
    used.start_writing();
    used.discard_old();
  }
  EXPECT_TRUE(fs::exists(folder.path / "elsewhere" / "thesis.txt"));
  EXPECT_TRUE(fs::exists(folder.path / "elsewhere" / "drum_000001.png"));
  EXPECT_TRUE(fs::exists(drum / "my_notes.txt"));
  EXPECT_TRUE(fs::is_symlink(drum / "sub"));
  EXPECT_FALSE(fs::exists(drum / "drum.vtkhdf"));
}

TEST(ResultDirectory, LeavesTheOldResultWhereItIsIfItCannotBeSetAside) {
  const FreshFolder folder;
  touch(folder.path / "drum.vtkhdf");
  touch(folder.path / ".old");  // in the way
  {
    ResultDirectory used(folder.path, "drum", true);
    EXPECT_THROW(used.start_writing(), InputError);
  }
  EXPECT_TRUE(fs::exists(folder.path / "drum.vtkhdf"));
  EXPECT_FALSE(fs::exists(folder.path / ".old-moving"));
}

TEST(ResultDirectory, KeepsAnOldResultThatCannotBeBroughtBackForTheNextRun) {
  const FreshFolder folder;
  fs::create_directories(folder.path / "pictures");
  for (const char* file : {"drum.vtkhdf", "pictures/drum_000000.png"}) touch(folder.path / file);
  {
    std::optional<ResultDirectory> used(std::in_place, folder.path, "drum", true);
    used->start_writing();
    rlimit usual{};
    getrlimit(RLIMIT_NOFILE, &usual);
    const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const rlimit one{rlim_t(next) + 1, usual.rlim_max};  // a folder may be opened, and none in it
    setrlimit(RLIMIT_NOFILE, &one);
    close(next);
    used.reset();
    setrlimit(RLIMIT_NOFILE, &usual);
  }
  EXPECT_FALSE(fs::exists(folder.path / "drum.vtkhdf"));
  EXPECT_NE(refusal(folder.path, false).find("there is a result already"), std::string::npos);
  for (const char* file : {"drum.vtkhdf", "pictures/drum_000000.png"})
    EXPECT_TRUE(fs::exists(folder.path / file)) << file;
}

TEST(ResultDirectory, RefusesASecondRunAndNamesTheProcess) {
  const FreshFolder folder;
  const ResultDirectory first(folder.path, "drum", false);
  const std::string sentence = refusal(folder.path, true);
  EXPECT_NE(sentence.find("process " + std::to_string(getpid()) + " on "), std::string::npos) << sentence;
  EXPECT_NE(sentence.find((folder.path / ".running").string()), std::string::npos) << sentence;
}

TEST(ResultDirectory, LetsOneOfManyProcessesIn) {
  for (int round = 0; round < 100; ++round) {
    const FreshFolder folder;
    std::array<int, 2> begin{}, said{}, leave{};
    for (auto* p : {&begin, &said, &leave}) ASSERT_EQ(pipe(p->data()), 0);
    const auto wait_for_the_end_of = [](int descriptor) {
      char none = 0;
      [[maybe_unused]] const ssize_t n = read(descriptor, &none, 1);
    };
    std::array<pid_t, 4> processes{};
    for (pid_t& process : processes) {
      process = fork();
      if (process != 0) continue;
      close(begin[1]), close(leave[1]);
      wait_for_the_end_of(begin[0]);
      [[maybe_unused]] ssize_t n = 0;
      try {
        const ResultDirectory taken(folder.path, "drum", false);
        n = write(said[1], "y", 1);
        wait_for_the_end_of(leave[0]);
      } catch (const InputError&) {
        n = write(said[1], "n", 1);
      }
      _exit(0);
    }
    close(begin[1]);
    std::string answers;
    for (char c = 0; answers.size() < processes.size() && read(said[0], &c, 1) == 1;) answers += c;
    close(leave[1]);
    for (const pid_t process : processes) waitpid(process, nullptr, 0);  // another test may have left a child
    for (const int d : {begin[0], said[0], said[1], leave[0]}) close(d);
    ASSERT_EQ(std::count(answers.begin(), answers.end(), 'y'), 1) << answers;
  }
}

TEST(ResultDirectory, IsFreeWhenTheProcessThatLockedItIsDead) {
  const FreshFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    const FileLock lock(folder.path);
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(folder.path / ".running"));
  EXPECT_EQ(refusal(folder.path, false), "");
}

TEST(ResultDirectory, IsFreeWhereALockNamesAProcessThatRunsButDoesNotHoldIt) {
  const FreshFolder folder;
  std::ofstream(folder.path / ".running") << getpid() << "\n";  // of another container, say
  EXPECT_EQ(refusal(folder.path, false), "");
}

TEST(ResultDirectory, RefusesToLockWhatALinkLeadsTo) {
  const FreshFolder folder;
  touch(folder.path / "mine");
  fs::create_symlink(folder.path / "mine", folder.path / ".running");
  EXPECT_NE(refusal(folder.path, false).find(".running"), std::string::npos);
  EXPECT_EQ(content(folder.path / "mine"), "something");
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
