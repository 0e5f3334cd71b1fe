#pragma once
// Ranks that are processes: of MPI (mpi_ranks.hpp), or forked (forked_ranks.hpp).

#include <algorithm>
#include <vector>

#include "kernels/comm/ranks.hpp"

namespace wavesim {

class ProcessRanks : public Ranks {
 public:
  struct End {
    int status;      // of the run
    bool is_to_say;  // whether this rank is the one that prints why
    bool together;   // all ranks have come; else end_all is what is left
  };
  /// Where each rank comes last, with its exit status; 0: nothing failed. The run's is that of the first rank that failed. A
  /// rank that failed alone waits so many seconds for the others, which may wait for its part of the work.
  virtual End end(int status, double patience) = 0;
  /// Ends the processes of all ranks.
  [[noreturn]] virtual void end_all(int status) = 0;

 protected:
  /// Where all have come, each with its status.
  End end_together(const std::vector<int>& statuses) const {
    const auto first = std::find_if(statuses.begin(), statuses.end(), [](int s) { return s != 0; });
    return {first == statuses.end() ? 0 : *first, first - statuses.begin() == rank(), true};
  }
};

}  // namespace wavesim
