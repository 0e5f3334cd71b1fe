#pragma once
// Asynchronous output: one thread, a bounded queue.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <variant>

#include "sim/run/writer.hpp"

namespace wavesim {

/// Hands every call on to a list of writers in one thread of its own, in order. At most `buffer` frames and
/// pictures wait (one more blocks until the queue has space), so memory is bounded. What fails in the thread is
/// thrown at the next call, at the latest by finish(); the other writers are then finished with an
/// incomplete summary that says why.
class AsyncWriter final : public Writer {
 public:
  AsyncWriter(std::vector<std::unique_ptr<Writer>> writers, long buffer);
  ~AsyncWriter() override;  // drops what waits; writers that were not finished keep what they have written

  void begin(const RunInfo&) override;  // in the calling thread, so that its errors are thrown here
  /// Writers that have saved nothing begin.
  void resume(const RunInfo&, long step, Archive& saved) override;
  void save(Archive&) override;  // after all that waits is written
  void frame(const Frame&) override;
  void picture(const Frame&) override;
  void sample(const ReceiverSample&) override;
  void step(const StepRecord&) override;
  void finish(const RunSummary&) override;  // returns when everything is on disk
  std::vector<std::string> files() const override;

  /// Seconds the caller has waited for space in the queue or for the end.
  double blocked_seconds() const { return blocked_; }

 private:
  enum class Kind { frame, picture, sample, step };
  struct Item {
    Kind kind;
    std::variant<Frame, ReceiverSample, StepRecord> value;
    bool large() const { return kind == Kind::frame || kind == Kind::picture; }
  };
  void push(Item item);
  void work();
  void take(std::vector<Item>& items);
  bool frame_is_next() const;                 // of what is large in the queue
  bool deliver(const Item& item, bool more);  // false: a writer failed, and all are finished
  void give_up(std::size_t failed, const std::exception_ptr& error);
  void rethrow() const;
  void start_thread();
  void stop_thread();

  std::vector<std::unique_ptr<Writer>> writers_;
  const long buffer_;
  double blocked_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> queue_;
  long large_waiting_ = 0;
  bool closing_ = false, delivering_ = false;
  bool hurry_ = false;  // somebody waits until all is delivered
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace wavesim
