#pragma once
// The processes of a run that share out its rows, and what they say to each other. Messages go between memory of the host.
// There are four kinds: processes of MPI (mpi_ranks.hpp), processes that were forked (forked_ranks.hpp), threads of one process
// (rank_threads.hpp), and one rank alone, which needs none of this.

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace wavesim {

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int count() const = 0;
  struct Place {
    int rank = 0, count = 1;
  };
  /// Among the processes of this host.
  virtual Place on_host() const { return {}; }

  struct Message {
    int rank;  // to which, or from which
    void* at;
    std::size_t bytes;
  };
  /// Sends and receives; all have been when it returns. Messages between two ranks keep their order. Between others than
  /// those that are named nobody waits.
  virtual void exchange(const std::vector<Message>& sends, const std::vector<Message>& receives) = 0;
  /// A second channel of the same ranks, for messages of another thread: between rank 0 and the others. Null, on all of them,
  /// where there is no way for them. All ranks together, once.
  virtual std::unique_ptr<Ranks> duplicate() { return nullptr; }
  /// Bytes start[k] .. start[k + 1] - 1 of `data` are those of rank k; afterwards each rank has all of them.
  virtual void all_gather(void* data, const std::vector<std::size_t>& start) {
    std::vector<Message> sends, receives;
    const auto part = [&](int of, int with) {
      const std::size_t first = start[std::size_t(of)];
      return Message{with, static_cast<char*>(data) + first, start[std::size_t(of) + 1] - first};
    };
    for (int k = 0; k < count(); ++k)
      if (k != rank()) sends.push_back(part(rank(), k)), receives.push_back(part(k, k));
    exchange(sends, receives);
  }

  /// What rank `from` has at `data` is there on all ranks.
  void broadcast(void* data, std::size_t bytes, int from = 0) {
    std::vector<Message> sends, receives;
    if (rank() != from)
      receives.push_back({from, data, bytes});
    else
      for (int k = 0; k < count(); ++k)
        if (k != from) sends.push_back({k, data, bytes});
    exchange(sends, receives);
  }
  /// The values of all ranks, in their order.
  template <class V>
  std::vector<V> all_of(const V& own) {
    std::vector<V> all(std::size_t(count()), own);
    std::vector<std::size_t> start;
    for (int k = 0; k <= count(); ++k) start.push_back(std::size_t(k) * sizeof(V));
    all_gather(all.data(), start);
    return all;
  }
  /// Of each fact whether any rank says so.
  template <std::size_t n>
  std::array<bool, n> any(std::array<bool, n> own) {
    for (const auto& of_one : all_of(own))
      for (std::size_t k = 0; k < n; ++k) own[k] = own[k] || of_one[k];
    return own;
  }
};

}  // namespace wavesim
