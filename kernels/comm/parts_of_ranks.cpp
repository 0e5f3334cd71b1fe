#include "kernels/comm/parts_of_ranks.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {

/// What the first rank tells another one.
struct Request {
  enum { read, give_back, end } what;
  long number = 0;
  std::size_t first = 0, bytes = 0;  // of the part
};

}  // namespace

/// On the first rank. The last owner ends the answers of the others.
class PartsOfRanks::Reader {
 public:
  explicit Reader(std::unique_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {}
  Reader(const Reader&) = delete;
  ~Reader() { tell_all({Request::end}); }

  void read(int rank, Request r, void* to) {
    const std::lock_guard lock(mutex_);
    bool arrived = false;
    ranks_->exchange({{rank, &r, sizeof r}}, {});
    ranks_->exchange({}, {{rank, &arrived, sizeof arrived}});
    if (!arrived)
      throw DeviceError("what rank " + std::to_string(rank) + " is to write has not arrived from its device");
    ranks_->exchange({}, {{rank, to, r.bytes}});
  }
  void tell_all(Request r) {
    const std::lock_guard lock(mutex_);
    std::vector<Ranks::Message> sends;
    for (int k = 1; k < ranks_->count(); ++k) sends.push_back({k, &r, sizeof r});
    ranks_->exchange(sends, {});
  }

 private:
  const std::unique_ptr<Ranks> ranks_;
  std::mutex mutex_;  // one request at a time
};

/// On the other ranks.
class PartsOfRanks::Keeper {
 public:
  explicit Keeper(std::unique_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {}

  void keep(long number, std::shared_ptr<const PendingCopy> own) {
    const std::lock_guard lock(mutex_);
    parts_[number] = std::move(own);
    changed_.notify_all();
  }
  /// Until the first rank wants no more.
  void answer() {
    for (;;) {
      Request r{};
      ranks_->exchange({}, {{0, &r, sizeof r}});
      if (r.what == Request::end) return;
      const std::shared_ptr<const PendingCopy> part = part_of(r);
      if (r.what == Request::read) send(*part, r);
    }
  }

 private:
  /// Waits for it: the first rank may be ahead of this one.
  std::shared_ptr<const PendingCopy> part_of(const Request& r) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return parts_.count(r.number) > 0; });
    if (r.what == Request::read) return parts_[r.number];
    std::shared_ptr<const PendingCopy> part = std::move(parts_[r.number]);
    parts_.erase(r.number);
    return part;
  }
  void send(const PendingCopy& part, const Request& r) {
    const char* from = nullptr;
    try {
      from = static_cast<const char*>(part.wait());
    } catch (const DeviceError&) {
      // the first rank says so
    }
    bool arrived = from;
    ranks_->exchange({{0, &arrived, sizeof arrived}}, {});
    if (arrived) ranks_->exchange({{0, const_cast<char*>(from) + r.first, r.bytes}}, {});
  }

  const std::unique_ptr<Ranks> ranks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<long, std::shared_ptr<const PendingCopy>> parts_;
};

/// On the first rank: all parts, as one copy that has not come yet.
class PartsOfRanks::Whole final : public PendingCopy {
 public:
  Whole(std::shared_ptr<Reader> reader, long number, std::shared_ptr<const PendingCopy> own,
        std::vector<std::size_t> start)
      : reader_(std::move(reader)), number_(number), own_(std::move(own)), start_(std::move(start)) {}
  Whole(const Whole&) = delete;
  ~Whole() override { reader_->tell_all({Request::give_back, number_}); }

  bool is_here() const override { return false; }
  const void* wait() const override {
    const std::lock_guard lock(mutex_);
    if (all_.empty() && start_.back() > 0) {
      std::vector<char> all(start_.back());
      read(0, all.size(), all.data());
      all_ = std::move(all);
    }
    return all_.data();
  }
  void read(std::size_t first, std::size_t bytes, void* to) const override {
    for (std::size_t k = 0; k + 1 < start_.size(); ++k) {
      const std::size_t from = std::max(first, start_[k]), end = std::min(first + bytes, start_[k + 1]);
      if (from >= end) continue;
      char* const at = static_cast<char*>(to) + (from - first);
      if (k == 0)
        own_->read(from, end - from, at);
      else
        reader_->read(int(k), {Request::read, number_, from - start_[k], end - from}, at);
    }
  }

 private:
  const std::shared_ptr<Reader> reader_;
  const long number_;
  const std::shared_ptr<const PendingCopy> own_;
  const std::vector<std::size_t> start_;
  mutable std::mutex mutex_;
  mutable std::vector<char> all_;  // for those who want all at once
};

std::unique_ptr<PartsOfRanks> PartsOfRanks::make(Ranks& ranks) {
  std::unique_ptr<Ranks> beside = ranks.beside();
  if (!beside) return nullptr;
  const bool first = beside->rank() == 0;
  return std::unique_ptr<PartsOfRanks>(
      new PartsOfRanks(first ? std::make_shared<Reader>(std::move(beside)) : nullptr,
                       first ? nullptr : std::make_shared<Keeper>(std::move(beside))));
}

PartsOfRanks::PartsOfRanks(std::shared_ptr<Reader> reader, std::shared_ptr<Keeper> keeper)
    : reader_(std::move(reader)), keeper_(std::move(keeper)) {
  if (keeper_) answers_ = std::thread([k = keeper_] { k->answer(); });
}

PartsOfRanks::~PartsOfRanks() {
  if (!answers_.joinable()) return;
  if (std::uncaught_exceptions() > 0)
    answers_.detach();  // the first rank may wait for this one elsewhere, and write no more
  else
    answers_.join();
}

std::shared_ptr<const PendingCopy> PartsOfRanks::share(std::shared_ptr<const PendingCopy> own,
                                                       std::vector<std::size_t> start) {
  const long number = next_++;
  if (reader_) return std::make_shared<Whole>(reader_, number, std::move(own), std::move(start));
  keeper_->keep(number, std::move(own));
  return nullptr;
}

}  // namespace wavesim
