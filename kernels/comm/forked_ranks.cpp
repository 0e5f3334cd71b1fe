#include "kernels/comm/forked_ranks.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "kernels/comm/handle_signal.hpp"
#include "kernels/comm/socket_messages.hpp"

namespace wavesim {

namespace {

using std::chrono::steady_clock;
double seconds_since(steady_clock::time_point begin) {
  return std::chrono::duration<double>(steady_clock::now() - begin).count();
}
void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }

constexpr int running = -1;
/// What each rank ended with, in memory that all processes share.
class Statuses {
 public:
  explicit Statuses(int count) : count_(count) {
    void* const memory = mmap(nullptr, sizeof(std::atomic<int>) * std::size_t(count), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    of_ = static_cast<std::atomic<int>*>(memory);
    for (int k = 0; k < count; ++k) of_[k] = running;
  }
  std::atomic<int>& operator[](int rank) const { return of_[rank]; }
  int count() const { return count_; }
  bool all_ended() const { return std::find(of_, of_ + count_, running) == of_ + count_; }
  std::vector<int> all() const { return {of_, of_ + count_}; }

 private:
  int count_;
  std::atomic<int>* of_;
};

class SecondChannel final : public Ranks {
 public:
  SecondChannel(int rank, int count, SocketMessages messages)
      : rank_(rank), count_(count), messages_(std::move(messages)) {}
  int rank() const override { return rank_; }
  int count() const override { return count_; }
  void exchange(const std::vector<Message>& sends, const std::vector<Message>& receives) override {
    messages_.exchange(rank_, sends, receives);
  }

 private:
  const int rank_, count_;
  SocketMessages messages_;
};

class ForkedRanks final : public ProcessRanks {
 public:
  ForkedRanks(int rank, int count, SocketMessages messages, SocketMessages second, Statuses statuses)
      : rank_(rank),
        count_(count),
        messages_(std::move(messages)),
        second_(std::move(second)),
        statuses_(statuses) {}
  int rank() const override { return rank_; }
  int count() const override { return count_; }
  Place on_host() const override { return {rank_, count_}; }
  void exchange(const std::vector<Message>& sends, const std::vector<Message>& receives) override {
    messages_.exchange(rank_, sends, receives);
  }
  std::unique_ptr<Ranks> duplicate() override {
    return std::make_unique<SecondChannel>(rank_, count_, second_);
  }

  End end(int status, double patience) override {
    statuses_[rank_] = status;
    for (const auto begin = steady_clock::now(); !statuses_.all_ended(); rest())
      if (status != 0 && seconds_since(begin) > patience) return {status, true, false};
    return end_together(statuses_.all());
  }
  /// The first process ends the others.
  void end_all(int status) override { std::_Exit(status); }

 private:
  const int rank_, count_;
  SocketMessages messages_, second_;
  const Statuses statuses_;
};

/// Processes that a signal is handed to; there is one set of ranks in a process.
std::vector<pid_t> children;  // NOLINT: for the handler
void hand_on(int number) {
  for (const pid_t p : children)
    if (p > 0) kill(p, number);
}

/// Waits for the ranks, and returns the status of all.
int status_of_all(const Statuses& statuses) {
  int result = 0, left = int(children.size());
  steady_clock::time_point failed_at;
  while (left > 0) {
    int ended = 0;
    const pid_t p = waitpid(-1, &ended, result == 0 ? 0 : WNOHANG);
    if (p > 0) {
      const auto at = std::find(children.begin(), children.end(), p);
      if (at == children.end()) continue;
      *at = 0, --left;
      const int status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
      if (status == 0 || result != 0) continue;
      result = status, failed_at = steady_clock::now();
      if (WIFSIGNALED(ended)) {
        std::fprintf(stderr, "wavesim: rank %d of %d was ended by a signal: %s; the others end, too\n",
                     int(at - children.begin()), statuses.count(), strsignal(WTERMSIG(ended)));
        hand_on(SIGKILL);
      }
    } else if (result != 0) {
      constexpr double patience = 10;  // for ranks that wait for one that failed
      if (seconds_since(failed_at) > patience || !statuses.all_ended()) hand_on(SIGKILL);
      rest();
    }
  }
  return result;
}

/// Signals wait, so that none comes while nobody can hand it on.
class SignalsWait {
 public:
  explicit SignalsWait(const std::vector<int>& numbers) {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : numbers) sigaddset(&set, number);
    sigprocmask(SIG_BLOCK, &set, &before_);
  }
  SignalsWait(const SignalsWait&) = delete;
  ~SignalsWait() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

std::unique_ptr<ProcessRanks> fork_ranks(int count, const std::vector<int>& signals) {
  const Statuses statuses(count);
  SocketMessages messages(count), second(count, SocketMessages::with_first);
  std::fflush(nullptr);
  const pid_t parent = getpid();
  std::optional<SignalsWait> wait(signals);
  for (int k = 0; k < count; ++k) {
    const pid_t p = fork();
    if (p < 0) {
      const std::string why = std::strerror(errno);
      hand_on(SIGKILL);
      throw DeviceError("the system starts no more processes: " + why + "; take fewer ranks");
    }
    if (p > 0) {
      children.push_back(p);
      continue;
    }
    children.clear();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) std::_Exit(1);
    setpgid(0, 0);  // the keyboard's signals come to the parent alone
    for (SocketMessages* m : {&messages, &second}) m->close_others(k);
    return std::make_unique<ForkedRanks>(k, count, std::move(messages), std::move(second), statuses);
  }
  for (SocketMessages* m : {&messages, &second}) m->close_others(-1);
  for (const int number : signals) handle_signal(number, hand_on);
  wait.reset();
  std::_Exit(status_of_all(statuses));
}

}  // namespace wavesim
