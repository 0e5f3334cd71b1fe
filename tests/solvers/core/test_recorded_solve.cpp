#include "solvers/core/recorded_solve.hpp"

#include <gtest/gtest.h>

#include <string>

// What is kept of recorded solves and what they count, without a backend that records.
namespace wavesim::test {
namespace {

struct Recorder {
  struct Recording {
    bool made = true;
    explicit operator bool() const { return made; }
  };
};

OperationCounts one_pass(const char* label) {
  OperationCounts c;
  c.add(label, 8, false);
  return c;
}

TEST(RecordedSolve, CountsEachPartAsOftenAsARunDoesIt) {
  const std::vector<const char*> labels{"step 0", "step 1", "step 2", "step 3", "step 4"};
  for (const std::size_t repeats : {0, 1, 2, 4}) {  // from which step on they are done in turns
    RecordedSolve<Recorder> solve;
    solve.before = one_pass("before");
    solve.claim = one_pass("claim");
    for (const char* label : labels) solve.steps.push_back(one_pass(label));
    solve.repeats = repeats;
    for (long done = 0; done < 20; ++done)
      for (const bool claimed : {false, true}) {
        std::vector<long> expected(labels.size(), 0);
        for (std::size_t k = 0; k < std::size_t(done); ++k)
          ++expected[k < repeats ? k : repeats + (k - repeats) % (labels.size() - repeats)];
        OperationCounts total;
        solve.count(total, done, claimed);
        for (std::size_t k = 0; k < labels.size(); ++k)
          EXPECT_EQ(total.count(labels[k]), expected[k]) << repeats << " " << done << " " << labels[k];
        EXPECT_EQ(total.count("before"), 1);
        EXPECT_EQ(total.count("claim"), claimed ? 1 : 0);
        EXPECT_EQ(total.passes, done + 1 + claimed);
        EXPECT_EQ(total.bytes, 8 * double(done + 1 + claimed));
      }
  }
}

/// Asks for solves by a number, and counts how many are made.
struct Asking {
  RecordedSolves<Recorder> solves;
  bool possible = true;
  int tried = 0;

  /// Whether there is one for the key after it was asked for.
  bool ask(long number) {
    SolveKey key;
    key.version = number;
    const RecordedSolve<Recorder>* found = solves.find(key, [&] {
      ++tried;
      RecordedSolve<Recorder> made;
      made.work.made = possible;
      return made;
    });
    EXPECT_TRUE(!found || found->key == key);
    return found != nullptr;
  }
};

TEST(RecordedSolves, AreMadeOnceEach) {
  Asking a;
  for (int k = 0; k < 3; ++k)
    for (const long number : {1, 2, 3, 4}) EXPECT_TRUE(a.ask(number));
  EXPECT_EQ(a.solves.made(), 4);
  EXPECT_EQ(a.tried, 4);
}

TEST(RecordedSolves, KeepTheFourThatWereUsedLast) {
  Asking a;
  for (int k = 0; k < 2; ++k)
    for (const long number : {1, 2, 3, 4}) a.ask(number);
  a.ask(1);
  EXPECT_TRUE(a.ask(5));  // in the place of 2
  for (const long number : {1, 3, 4, 5}) a.ask(number);
  EXPECT_EQ(a.solves.made(), 5);
  a.ask(2);
  EXPECT_EQ(a.solves.made(), 6);
}

TEST(RecordedSolves, AfterOneThatWasOfNoUseAreMadeForWhatIsAskedTwiceRunning) {
  Asking a;
  a.ask(1);
  a.solves.clear();  // used once
  EXPECT_FALSE(a.ask(2));
  EXPECT_FALSE(a.ask(3));
  EXPECT_FALSE(a.ask(2));
  EXPECT_TRUE(a.ask(2));
  EXPECT_EQ(a.solves.made(), 2);
  EXPECT_TRUE(a.ask(2));  // of use: the next is made at once again
  EXPECT_TRUE(a.ask(4));
  a.ask(4);
  a.solves.clear();  // both were of use
  EXPECT_TRUE(a.ask(5));
}

TEST(RecordedSolves, AreTriedOnceWhereTheBackendCannotRecord) {
  Asking a;
  a.possible = false;
  for (int k = 0; k < 3; ++k) EXPECT_FALSE(a.ask(1));
  EXPECT_FALSE(a.ask(2));
  EXPECT_EQ(a.tried, 1);
  EXPECT_EQ(a.solves.made(), 0);
}

}  // namespace
}  // namespace wavesim::test
