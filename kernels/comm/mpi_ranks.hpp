#pragma once
// Ranks that are processes which mpirun or srun has started.

#include <memory>

#include "kernels/comm/ranks.hpp"

namespace wavesim {

class MpiRanks : public Ranks {
 public:
  /// Those that this process is one of; null where nothing has started several. Throws InputError where something has, and the
  /// program is built without MPI. Once in a process.
  static std::unique_ptr<MpiRanks> of_this_process();

  /// Whether the program is built with MPI.
  static bool are_built();

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
};

}  // namespace wavesim
