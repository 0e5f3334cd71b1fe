#include "output/run/async_writer.hpp"

#include <algorithm>
#include <chrono>

#include "kernels/backend/errors.hpp"
#include "output/run/in_threads.hpp"

namespace wavesim {

namespace {

constexpr std::size_t most_records = 1 << 16;  // samples and history rows that may wait: a few megabytes
/// So many of them wake the thread, or a moment: to wake it for each takes longer than a step of a small grid.
constexpr std::size_t records_that_wake = 256;
constexpr std::chrono::milliseconds moment{100};

/// The exception in flight, as an OutputError but for a device that failed: frames may still be on their way from it.
std::exception_ptr as_output_error() {
  try {
    throw;
  } catch (const OutputError&) {
    return std::current_exception();
  } catch (const DeviceError&) {
    return std::current_exception();
  } catch (const std::exception& e) {
    return std::make_exception_ptr(OutputError(std::string("writing the results failed: ") + e.what()));
  }
}

}  // namespace

AsyncWriter::AsyncWriter(std::vector<std::unique_ptr<Writer>> writers, long buffer)
    : writers_(std::move(writers)), buffer_(buffer < 1 ? 1 : buffer) {}

AsyncWriter::~AsyncWriter() {
  {
    const std::lock_guard lock(mutex_);
    queue_.clear();
    closing_ = true;
  }
  stop_thread();
}

void AsyncWriter::begin(const RunInfo& info) {
  for (auto& w : writers_) w->begin(info);
  start_thread();
}

void AsyncWriter::resume(const RunInfo& info, long step, Archive& saved) {
  std::vector<std::string> names;
  saved.list("names", names);
  for (auto& w : writers_) {
    const std::string name = w->name();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      w->begin(info);
      continue;
    }
    const auto part = saved.part(name);
    w->resume(info, step, saved);
  }
  start_thread();
}

void AsyncWriter::start_thread() {
  thread_ = std::thread([this, share = threads_of_this_thread] {
    threads_of_this_thread = share;
    work();
  });
}

void AsyncWriter::save(Archive& a) {
  {
    const auto before = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    hurry_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return error_ || (queue_.empty() && !delivering_); });
    hurry_ = false;
    blocked_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    rethrow();
  }
  // The thread has nothing to deliver until the caller hands on something.
  std::vector<std::string> names;
  for (const auto& w : writers_)
    if (!w->name().empty()) names.push_back(w->name());
  a.list("names", names);
  for (std::size_t k = 0; k < writers_.size(); ++k) {
    if (writers_[k]->name().empty()) continue;
    try {
      const auto part = a.part(writers_[k]->name());
      writers_[k]->save(a);
    } catch (const OutputError&) {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
      give_up(k, error_);
      throw;
    }
  }
}

void AsyncWriter::frame(const Frame& f) { push({Kind::frame, f}); }
void AsyncWriter::picture(const Frame& f) { push({Kind::picture, f}); }
void AsyncWriter::sample(const ReceiverSample& s) { push({Kind::sample, s}); }
void AsyncWriter::step(const StepRecord& r) { push({Kind::step, r}); }

void AsyncWriter::push(Item item) {
  std::unique_lock lock(mutex_);
  const auto has_space = [&] {
    return error_ || (item.large() ? large_waiting_ < buffer_ : queue_.size() < most_records);
  };
  if (!has_space()) {
    const auto before = std::chrono::steady_clock::now();
    changed_.notify_all();
    changed_.wait(lock, has_space);
    blocked_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  }
  rethrow();
  large_waiting_ += item.large();
  const bool wakes = item.large() || queue_.size() + 1 == records_that_wake;
  queue_.push_back(std::move(item));
  if (wakes) changed_.notify_all();
}

void AsyncWriter::finish(const RunSummary& summary) {
  const auto before = std::chrono::steady_clock::now();
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  stop_thread();  // after everything that waits was written
  blocked_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  rethrow();
  // The first one last: its file says that the result is complete.
  for (auto w = writers_.rbegin(); w != writers_.rend(); ++w) {
    try {
      (*w)->finish(summary);
    } catch (...) {
      if (!error_) error_ = as_output_error();  // the others are finished all the same
    }
  }
  rethrow();
}

std::vector<std::string> AsyncWriter::files() const {
  std::vector<std::string> all;
  for (const auto& w : writers_) {
    const auto some = w->files();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

void AsyncWriter::work() {
  std::vector<Item> items;
  for (;;) {
    bool more = false;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, moment, [&] {
        return closing_ || large_waiting_ > 0 || queue_.size() >= (hurry_ ? 1 : records_that_wake);
      });
      if (queue_.empty() && closing_) return;
      if (queue_.empty()) continue;
      take(items);
      delivering_ = true;
      more = frame_is_next();
    }
    for (const Item& item : items)
      if (!deliver(item, more)) return;
    const bool large = items.back().large();
    items.clear();  // releases its memory before another frame may take some
    const std::lock_guard lock(mutex_);
    large_waiting_ -= large;  // only now: what is being written needs memory too
    delivering_ = false;
    changed_.notify_all();
  }
}

/// All that wait, up to the first frame or picture.
void AsyncWriter::take(std::vector<Item>& items) {
  while (!queue_.empty() && (items.empty() || !items.back().large())) {
    items.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
}

bool AsyncWriter::frame_is_next() const {
  const auto large =
      std::find_if(queue_.begin(), queue_.end(), [](const Item& item) { return item.large(); });
  return large != queue_.end() && large->kind == Kind::frame;
}

bool AsyncWriter::deliver(const Item& item, bool more) {
  for (std::size_t k = 0; k < writers_.size(); ++k) {
    Writer& w = *writers_[k];
    try {
      switch (item.kind) {
        case Kind::frame:
          w.more_wait(more);
          w.frame(std::get<Frame>(item.value));
          break;
        case Kind::picture:
          w.picture(std::get<Frame>(item.value));
          break;
        case Kind::sample:
          w.sample(std::get<ReceiverSample>(item.value));
          break;
        case Kind::step:
          w.step(std::get<StepRecord>(item.value));
          break;
      }
    } catch (...) {
      const std::exception_ptr error = as_output_error();
      give_up(k, error);
      const std::lock_guard lock(mutex_);
      error_ = error;
      queue_.clear();
      changed_.notify_all();
      return false;
    }
  }
  return true;
}

/// Finishes the writers that did not fail, so that their files say why the run ended.
void AsyncWriter::give_up(std::size_t failed, const std::exception_ptr& error) {
  RunSummary summary;
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    summary.ending = e.what();
  }
  for (std::size_t k = 0; k < writers_.size(); ++k) {
    if (k == failed) continue;
    try {
      writers_[k]->finish(summary);
    } catch (const std::exception&) {
      continue;  // the first failure is reported
    }
  }
}

void AsyncWriter::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

void AsyncWriter::stop_thread() {
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

}  // namespace wavesim
