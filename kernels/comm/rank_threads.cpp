#include "kernels/comm/rank_threads.hpp"

#include <array>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>
#include <utility>

namespace wavesim {

namespace {

/// Messages on their way.
class Mail {
 public:
  void post(int from, int to, const Ranks::Message& m) {
    const std::lock_guard lock(mutex_);
    const char* bytes = static_cast<const char*>(m.at);
    boxes_[{from, to}].emplace(bytes, bytes + m.bytes);
    changed_.notify_all();
  }
  void take(int from, int to, const Ranks::Message& m) {
    std::unique_lock lock(mutex_);
    auto& box = boxes_[{from, to}];
    changed_.wait(lock, [&] { return !box.empty() || failed_; });
    if (box.empty()) throw std::runtime_error("another rank failed");
    if (box.front().size() != m.bytes) throw std::logic_error("a message of another length than expected");
    std::memcpy(m.at, box.front().data(), m.bytes);
    box.pop();
  }
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<int, int>, std::queue<std::vector<char>>> boxes_;
  bool failed_ = false;
};

class RankThread final : public Ranks {
 public:
  using Mails = std::array<std::shared_ptr<Mail>, 2>;  // a thread beside may outlive those of the ranks
  RankThread(const Mails& mails, int rank, int count) : mails_(mails), rank_(rank), count_(count) {}
  int rank() const override { return rank_; }
  int count() const override { return count_; }
  void exchange(const std::vector<Message>& sends, const std::vector<Message>& receives) override {
    for (const Message& m : sends) mails_[0]->post(rank_, m.rank, m);
    for (const Message& m : receives) mails_[0]->take(m.rank, rank_, m);
  }
  std::unique_ptr<Ranks> duplicate() override {
    return std::make_unique<RankThread>(Mails{mails_[1], nullptr}, rank_, count_);
  }

 private:
  const Mails mails_;
  const int rank_, count_;
};

}  // namespace

void run_rank_threads(int count, const std::function<void(Ranks&)>& body) {
  const RankThread::Mails mails{std::make_shared<Mail>(), std::make_shared<Mail>()};
  std::mutex mutex;
  std::exception_ptr first;
  std::vector<std::thread> threads;
  for (int k = 0; k < count; ++k)
    threads.emplace_back([&, k] {
      try {
        RankThread rank(mails, k, count);
        body(rank);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
        for (const auto& mail : mails) mail->fail();
      }
    });
  for (std::thread& t : threads) t.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace wavesim
