#pragma once
// What each rank has a part of, read on the first rank piece by piece: parts stay where they are until then, so that no rank
// has room for all of them.

#include <memory>
#include <thread>
#include <vector>

#include "kernels/comm/ranks.hpp"
#include "kernels/memory/pending_copy.hpp"

namespace wavesim {

class PartsOfRanks {
 public:
  /// All ranks together. Null, on all of them, where the ranks have no way for messages of another thread.
  static std::unique_ptr<PartsOfRanks> make(Ranks& ranks);
  PartsOfRanks(const PartsOfRanks&) = delete;
  /// On the first rank: releases the others, once nothing is left that `share` returned. On those: waits until it has; during
  /// stack unwinding no longer than the first rank goes on reading.
  ~PartsOfRanks();

  /// All ranks together, in the same order: bytes start[k] to start[k + 1] - 1 are rank k's, which has them at `own`. Returns,
  /// on the first rank, all of them: reading waits for the others, and throws DeviceError where theirs do not arrive. On the
  /// others null: `own` is kept until the first rank has destroyed what it was returned.
  std::shared_ptr<const PendingCopy> share(std::shared_ptr<const PendingCopy> own,
                                           std::vector<std::size_t> start);

 private:
  class Client;
  class Server;
  class Whole;
  PartsOfRanks(std::shared_ptr<Client> client, std::shared_ptr<Server> server);

  long next_ = 0;                   // number of what is shared next
  std::shared_ptr<Client> client_;  // on the first rank
  std::shared_ptr<Server> server_;  // on the others
  std::thread answers_;
};

}  // namespace wavesim
