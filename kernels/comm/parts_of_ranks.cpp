#include "kernels/comm/parts_of_ranks.hpp"

#include <algorithm>
#include <chrono>
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
  enum { read, release, end } what;
  long number = 0;
  std::size_t first = 0, bytes = 0;  // of the part
};

}  // namespace

/// On the first rank. The last owner ends the answers of the others.
class PartsOfRanks::Client {
 public:
  explicit Client(std::unique_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {}
  Client(const Client&) = delete;
  ~Client() { tell_all({Request::end}); }

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
class PartsOfRanks::Server {
 public:
  explicit Server(std::unique_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {}

  void keep(long number, std::shared_ptr<const PendingCopy> own) {
    const std::lock_guard lock(mutex_);
    parts_[number] = std::move(own);
    changed_.notify_all();
  }
  /// Until the first rank wants no more, or is lost.
  void answer() {
    try {
      for (Request r{}; next(r);) serve(r);
    } catch (const std::exception&) {
      // the other thread of this rank sees it, too
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  /// Nothing more will be kept. Waits until the first rank wants no more, or has asked for nothing for a while.
  void close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
    for (long seen = -1; !ended_ && seen != requests_;) {
      seen = requests_;
      changed_.wait_for(lock, std::chrono::seconds(3), [&] { return ended_ || requests_ != seen; });
    }
  }

 private:
  bool next(Request& r) {
    ranks_->exchange({}, {{0, &r, sizeof r}});
    const std::lock_guard lock(mutex_);
    ++requests_;
    changed_.notify_all();
    return r.what != Request::end;
  }
  void serve(const Request& r) {
    const std::shared_ptr<const PendingCopy> part = part_of(r);
    if (r.what == Request::read) send(part.get(), r);
  }
  /// Waits for it: the first rank may be ahead of this one. Null where it will not come.
  std::shared_ptr<const PendingCopy> part_of(const Request& r) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return parts_.count(r.number) > 0 || closed_; });
    const auto at = parts_.find(r.number);
    if (at == parts_.end()) return nullptr;
    std::shared_ptr<const PendingCopy> part = at->second;
    if (r.what == Request::release) parts_.erase(at);
    return part;
  }
  void send(const PendingCopy* part, const Request& r) {
    const char* from = nullptr;
    if (part) try {
        from = static_cast<const char*>(part->wait());
      } catch (const std::exception&) {
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
  long requests_ = 0;
  bool closed_ = false, ended_ = false;
};

/// On the first rank: all parts, as one copy that has not come yet.
class PartsOfRanks::Whole final : public PendingCopy {
 public:
  Whole(std::shared_ptr<Client> client, long number, std::shared_ptr<const PendingCopy> own,
        std::vector<std::size_t> start)
      : client_(std::move(client)), number_(number), own_(std::move(own)), start_(std::move(start)) {}
  Whole(const Whole&) = delete;
  ~Whole() override { client_->tell_all({Request::release, number_}); }

  bool is_local() const override { return false; }
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
        client_->read(int(k), {Request::read, number_, from - start_[k], end - from}, at);
    }
  }

 private:
  const std::shared_ptr<Client> client_;
  const long number_;
  const std::shared_ptr<const PendingCopy> own_;
  const std::vector<std::size_t> start_;
  mutable std::mutex mutex_;
  mutable std::vector<char> all_;  // for those who want all at once
};

std::unique_ptr<PartsOfRanks> PartsOfRanks::make(Ranks& ranks) {
  std::unique_ptr<Ranks> second = ranks.duplicate();
  if (!second) return nullptr;
  const bool first = second->rank() == 0;
  return std::unique_ptr<PartsOfRanks>(
      new PartsOfRanks(first ? std::make_shared<Client>(std::move(second)) : nullptr,
                       first ? nullptr : std::make_shared<Server>(std::move(second))));
}

PartsOfRanks::PartsOfRanks(std::shared_ptr<Client> client, std::shared_ptr<Server> server)
    : client_(std::move(client)), server_(std::move(server)) {
  if (server_) answers_ = std::thread([server = server_] { server->answer(); });
}

PartsOfRanks::~PartsOfRanks() {
  if (!answers_.joinable()) return;
  if (std::uncaught_exceptions() == 0) {
    answers_.join();
  } else {
    server_->close();
    answers_.detach();  // the first rank may wait for this one elsewhere, and write no more
  }
}

std::shared_ptr<const PendingCopy> PartsOfRanks::share(std::shared_ptr<const PendingCopy> own,
                                                       std::vector<std::size_t> start) {
  const long number = next_++;
  if (client_) return std::make_shared<Whole>(client_, number, std::move(own), std::move(start));
  server_->keep(number, std::move(own));
  return nullptr;
}

}  // namespace wavesim
