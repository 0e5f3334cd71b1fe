// Work that may end its process ends no other.

#include "sim/input/child_process.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <vector>

namespace wavesim {
namespace {

TEST(ChildProcess, AnswersUntilNobodyAsks) {
  ChildProcess child([](Connection& to) {
    for (std::string text; to.receive(text);) to.send(text + text);
  });
  for (const std::string& text :
       {std::string("a"), std::string("\0\n", 2), std::string(100000, 'x'), std::string()}) {
    std::string answer;
    ASSERT_TRUE(child.connection().send(text) && child.connection().receive(answer));
    EXPECT_EQ(answer, text + text);
  }
  const ChildEnd end = child.end();
  EXPECT_EQ(end.death, "");
  EXPECT_EQ(end.status, 0);
}

TEST(ChildProcess, DiesAloneAndSaysOfWhat) {
  for (const int number : {SIGSEGV, SIGABRT, SIGKILL}) {
    ChildProcess child([&](Connection& to) {
      std::string text;
      to.receive(text);
      raise(number);
    });
    std::string answer;
    EXPECT_TRUE(child.connection().send("now"));
    EXPECT_FALSE(child.connection().receive(answer));
    EXPECT_EQ(child.end().death, strsignal(number));
  }
}

TEST(ChildProcess, EndsWithTheObjectThatItBelongsTo) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    const ChildProcess child([&](Connection&) {
      for (;;) pause();
    });
    close(ends[1]);  // the child has the other copy
  }
  char byte = 0;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);  // the end of the file: that copy is closed
  close(ends[0]);
}

TEST(ChildProcess, IsRefusedMemoryThatIsNotFree) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer has its own bounds";
#endif
  EXPECT_EQ(death_of([] {
              try {
                std::vector<char> all(std::size_t(1) << 46);  // 70 TB
                raise(all[1] ? SIGUSR1 : SIGUSR2);
              } catch (const std::bad_alloc&) {
                return;
              }
            }),
            "");
}

TEST(ChildProcess, IsDeadWhereALibraryEndsIt) {
  EXPECT_EQ(death_of([] { _exit(3); }), "exit status 3");
  EXPECT_EQ(death_of([] {}), "");
}

TEST(ChildProcess, GoesOnInAChildAsForkDoes) {
  const auto ended = go_on_in_child();
  if (!ended) _exit(7);
  EXPECT_EQ(ended->status, 7);
  EXPECT_EQ(ended->death, "");
  const auto killed = go_on_in_child();
  if (!killed) raise(SIGBUS);
  EXPECT_EQ(killed->death, strsignal(SIGBUS));
}

}  // namespace
}  // namespace wavesim
