#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "kernels/backend/errors.hpp"
#include "output/run/async_writer.hpp"
#include "tests/output/small_run.hpp"

namespace wavesim::testing {
namespace {

/// What a writer was told, in order; may be held up, and may fail.
struct Log {
  std::vector<std::string> calls;
  std::vector<bool> more;  // what frames were told of those behind them
  std::atomic<long> begun{0};
  std::shared_future<void> gate;  // valid: frames wait for it
  long fail_at = -1;
  RunSummary summary;
};

class LoggingWriter final : public Writer {
 public:
  explicit LoggingWriter(Log& log) : log_(log) {}
  void begin(const RunInfo&) override { log_.calls.push_back("begin"); }
  void more_wait(bool more) override { log_.more.push_back(more); }
  void frame(const Frame& f) override {
    ++log_.begun;
    if (log_.gate.valid()) log_.gate.wait();
    if (f.step == log_.fail_at) throw OutputError("the disk is full");
    log_.calls.push_back("frame " + std::to_string(f.step));
  }
  void picture(const Frame& f) override { log_.calls.push_back("picture " + std::to_string(f.step)); }
  void sample(const ReceiverSample& s) override { log_.calls.push_back("sample " + std::to_string(s.step)); }
  void step(const StepRecord& r) override { log_.calls.push_back("step " + std::to_string(r.step)); }
  void finish(const RunSummary& s) override {
    log_.calls.push_back("finish");
    log_.summary = s;
  }
  std::vector<std::string> files() const override { return {"a file"}; }

 private:
  Log& log_;
};

std::unique_ptr<AsyncWriter> over(std::initializer_list<Log*> logs, long buffer) {
  std::vector<std::unique_ptr<Writer>> writers;
  for (Log* log : logs) writers.push_back(std::make_unique<LoggingWriter>(*log));
  return std::make_unique<AsyncWriter>(std::move(writers), buffer);
}

RunSummary done() {
  RunSummary s;
  s.complete = true;
  s.ending = "done";
  return s;
}

TEST(AsyncWriter, HandsEverythingToEveryWriterInOrder) {
  Log first, second;
  const auto writer = over({&first, &second}, 2);
  writer->begin({});
  writer->frame(small_frame(0));
  writer->step(small_record(1));
  writer->sample(small_receiver_sample(1));
  writer->picture(small_frame(1));
  writer->frame(small_frame(1));
  writer->finish(done());
  const std::vector<std::string> expected{"begin",      "frame 0",  "step 1", "sample 1",
                                          "picture 10", "frame 10", "finish"};
  EXPECT_EQ(first.calls, expected);
  EXPECT_EQ(second.calls, expected);
  EXPECT_TRUE(first.summary.complete);
  EXPECT_EQ(writer->files().size(), 2u);
}

TEST(AsyncWriter, LetsTheCallerGoOnWhileAFrameIsWrittenAndBlocksWhenTheBufferIsFull) {
  Log log;
  std::promise<void> open;
  log.gate = open.get_future().share();
  const auto writer = over({&log}, 3);
  writer->begin({});
  for (long n = 0; n < 3; ++n) writer->frame(small_frame(n));  // all three fit: none is finished
  EXPECT_TRUE(log.calls.size() == 1 && log.begun <= 1);
  std::atomic<bool> pushed{false};
  auto fourth = std::async(std::launch::async, [&] {
    writer->frame(small_frame(3));
    pushed = true;
  });
  EXPECT_EQ(fourth.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  EXPECT_FALSE(pushed);
  open.set_value();
  fourth.get();
  writer->finish(done());
  EXPECT_EQ(log.calls.size(), 6u);
  EXPECT_GT(writer->blocked_seconds(), 0.03);
}

TEST(AsyncWriter, TellsAFrameWhetherAnotherOneWaits) {
  Log log;
  std::promise<void> open;
  log.gate = open.get_future().share();
  const auto writer = over({&log}, 6);
  writer->begin({});
  writer->frame(small_frame(0));
  while (log.begun == 0) std::this_thread::yield();  // nothing waited when it began
  for (long n = 1; n < 4; ++n) writer->frame(small_frame(n));
  writer->picture(small_frame(3));  // no frame, and what comes behind it is far
  writer->frame(small_frame(4));
  open.set_value();
  writer->finish(done());
  EXPECT_EQ(log.more, (std::vector<bool>{false, true, true, false, false}));
}

TEST(AsyncWriter, TellsAFailureAtALaterCallAndFinishesTheOthersWithTheReason) {
  Log good, bad;
  bad.fail_at = 10;
  const auto writer = over({&good, &bad}, 1);
  writer->begin({});
  writer->frame(small_frame(0));
  EXPECT_THROW(
      {
        for (long n = 1; n < 1000; ++n) writer->frame(small_frame(n));
      },
      OutputError);
  EXPECT_THROW(writer->finish(done()), OutputError);
  EXPECT_EQ(good.calls.back(), "finish");
  EXPECT_FALSE(good.summary.complete);
  EXPECT_EQ(good.summary.ending, "the disk is full");
  EXPECT_EQ(bad.calls.back(), "frame 0");
}

TEST(AsyncWriter, TellsAFailureOfTheLastFrameInFinish) {
  Log bad;
  bad.fail_at = 0;
  const auto writer = over({&bad}, 4);
  writer->begin({});
  writer->frame(small_frame(0));
  EXPECT_THROW(writer->finish(done()), OutputError);
}

// Frames are copied from a device while they wait here.
TEST(AsyncWriter, TellsTheFailureOfADeviceAsWhatItIs) {
  struct Lost final : Writer {
    void begin(const RunInfo&) override {}
    void frame(const Frame&) override { throw DeviceError("the device is lost"); }
  };
  std::vector<std::unique_ptr<Writer>> writers;
  writers.push_back(std::make_unique<Lost>());
  AsyncWriter writer(std::move(writers), 4);
  writer.begin({});
  writer.frame(small_frame(0));
  EXPECT_THROW(writer.finish(done()), DeviceError);
}

TEST(AsyncWriter, EndsWithoutFinish) {
  Log log;
  {
    const auto writer = over({&log}, 4);
    writer->begin({});
    writer->frame(small_frame(0));
  }
  EXPECT_NE(log.calls.back(), "finish");
}

}  // namespace
}  // namespace wavesim::testing
