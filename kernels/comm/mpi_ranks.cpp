#include "kernels/comm/mpi_ranks.hpp"

#include <cstdlib>
#include <string>

#include "kernels/backend/errors.hpp"

#ifdef WAVESIM_HAVE_MPI
#define OMPI_SKIP_MPICXX 1  // the C++ interface, which MPI has no more
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <memory>
#include <thread>
#endif

namespace wavesim {

namespace {

/// How many processes were started together, as Open MPI, MPICH and Slurm with PMI tell them; 1 where nothing does.
int started_together() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* count = std::getenv(name)) return std::atoi(count);
  // srun tells every process how many there are, with a way for them to meet or without
  const char *count = std::getenv("SLURM_NTASKS"), *meet = std::getenv("PMIX_RANK");
  return count && meet ? std::atoi(count) : 1;
}

#ifdef WAVESIM_HAVE_MPI

/// MPI counts bytes in an int.
template <class F>
void in_pieces(const Ranks::Message& m, const F& f) {
  constexpr std::size_t most = std::size_t(1) << 30;
  for (std::size_t k = 0; k < m.bytes; k += most)
    f(static_cast<char*>(m.at) + k, int(std::min(most, m.bytes - k)));
}

std::vector<MPI_Request> begin_exchange(MPI_Comm comm, const std::vector<Ranks::Message>& sends,
                                        const std::vector<Ranks::Message>& receives) {
  std::vector<MPI_Request> requests;
  for (const Ranks::Message& m : receives)
    in_pieces(m, [&](char* at, int bytes) {
      MPI_Irecv(at, bytes, MPI_BYTE, m.rank, 0, comm, &requests.emplace_back());
    });
  for (const Ranks::Message& m : sends)
    in_pieces(m, [&](char* at, int bytes) {
      MPI_Isend(at, bytes, MPI_BYTE, m.rank, 0, comm, &requests.emplace_back());
    });
  return requests;
}

/// Waits asleep for messages of a few bytes, which may be long in coming: MPI's own ways to wait take a processor each.
class SecondChannel final : public Ranks {
 public:
  /// `alive`: how many there are of these.
  explicit SecondChannel(std::shared_ptr<std::atomic<int>> alive) : alive_(std::move(alive)) {
    ++*alive_;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &count_);
  }
  SecondChannel(const SecondChannel&) = delete;
  ~SecondChannel() override { --*alive_; }
  int rank() const override { return rank_; }
  int count() const override { return count_; }
  void exchange(const std::vector<Message>& sends, const std::vector<Message>& receives) override {
    std::vector<MPI_Request> requests = begin_exchange(comm_, sends, receives);
    const auto is_long = [](const Message& m) { return m.bytes > 256; };
    if (std::any_of(sends.begin(), sends.end(), is_long) ||
        std::any_of(receives.begin(), receives.end(), is_long)) {
      MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
      return;
    }
    constexpr std::chrono::microseconds longest{1000};
    for (std::chrono::microseconds rest{10};; rest = std::min(2 * rest, longest)) {
      int done = 0;
      MPI_Testall(int(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
      if (done) return;
      std::this_thread::sleep_for(rest);
    }
  }

 private:
  const std::shared_ptr<std::atomic<int>> alive_;
  MPI_Comm comm_ = MPI_COMM_NULL;  // to the end of the process
  int rank_ = 0, count_ = 1;
};

class Processes final : public ProcessRanks {
 public:
  Processes() {
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &threads_);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &on_host_.rank);
    MPI_Comm_size(here, &on_host_.count);
    MPI_Comm_free(&here);
  }
  ~Processes() override {
    if (together_ && *second_ == 0) MPI_Finalize();
  }
  int rank() const override { return rank_; }
  int count() const override { return count_; }
  Place on_host() const override { return on_host_; }

  void exchange(const std::vector<Message>& sends, const std::vector<Message>& receives) override {
    std::vector<MPI_Request> requests = begin_exchange(MPI_COMM_WORLD, sends, receives);
    MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }
  std::unique_ptr<Ranks> duplicate() override {
    return threads_ == MPI_THREAD_MULTIPLE ? std::make_unique<SecondChannel>(second_) : nullptr;
  }
  void all_gather(void* data, const std::vector<std::size_t>& start) override {
    std::vector<int> first, bytes;
    for (int k = 0; k < count_; ++k) {
      first.push_back(int(start[std::size_t(k)]));
      bytes.push_back(int(start[std::size_t(k) + 1] - start[std::size_t(k)]));
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, data, bytes.data(), first.data(), MPI_BYTE, MPI_COMM_WORLD);
  }

  End end(int status, double patience) override {
    // members: where others do not come, they are still to be written when this returns
    status_ = status;
    statuses_.assign(std::size_t(count_), 0);
    MPI_Iallgather(&status_, 1, MPI_INT, statuses_.data(), 1, MPI_INT, MPI_COMM_WORLD, &statuses_come_);
    const auto begin = std::chrono::steady_clock::now();
    for (int here = 0;;) {
      MPI_Test(&statuses_come_, &here, MPI_STATUS_IGNORE);
      if (here) break;
      const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
      if (status != 0 && waited.count() > patience) return {status, true, together_ = false};
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    // rank 0 has released the threads that still wait for its requests; after MPI_Finalize they must not
    for (int k = 0; k < 1000 && *second_ > 0; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return end_together(statuses_);
  }
  void end_all(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::_Exit(status);
  }

 private:
  int rank_ = 0, count_ = 1, threads_ = MPI_THREAD_SINGLE;
  Place on_host_;
  bool together_ = true;
  const std::shared_ptr<std::atomic<int>> second_ = std::make_shared<std::atomic<int>>(0);
  int status_ = 0;
  std::vector<int> statuses_;
  MPI_Request statuses_come_ = MPI_REQUEST_NULL;
};

#endif

}  // namespace

bool mpi_is_built() {
#ifdef WAVESIM_HAVE_MPI
  return true;
#else
  return false;
#endif
}

std::unique_ptr<ProcessRanks> mpi_ranks_of_this_process() {
  const int count = started_together();
  if (count <= 1) return nullptr;
#ifdef WAVESIM_HAVE_MPI
  return std::make_unique<Processes>();
#else
  throw InputError("this program was started " + std::to_string(count) +
                   " times together and is built without MPI; install libopenmpi-dev and build it again, or "
                   "start it once");
#endif
}

}  // namespace wavesim
