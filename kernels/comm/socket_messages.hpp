#pragma once
// Messages between processes of one host, over a connection of each two of them.

#include <vector>

#include "kernels/comm/ranks.hpp"

namespace wavesim {

/// Made before the processes are.
class SocketMessages {
 public:
  enum Pairs { of_all, with_first };  // that are connected: each two, or the first with each other one
  /// Throws DeviceError where the system has no more connections.
  explicit SocketMessages(int count, Pairs pairs = of_all);
  /// Closes what rank `rank` does not use; of -1 all.
  void close_others(int rank);
  /// Those of `rank`, as Ranks::exchange.
  void exchange(int rank, const std::vector<Ranks::Message>& sends,
                const std::vector<Ranks::Message>& receives);

 private:
  /// The end that rank i has of its connection with rank k.
  int& at(int i, int k) { return ends_[std::size_t(i) * std::size_t(count_) + std::size_t(k)]; }

  int count_;
  std::vector<int> ends_;
};

}  // namespace wavesim
