#include "apps/join_ranks.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdio>

#include "apps/signals.hpp"
#include "kernels/backend/errors.hpp"
#include "kernels/comm/forked_ranks.hpp"
#include "kernels/comm/mpi_ranks.hpp"

namespace wavesim {

namespace {

std::unique_ptr<ProcessRanks> start_ranks(int count) {
  const int threads = omp_get_max_threads();
  std::unique_ptr<ProcessRanks> ranks = fork_ranks(count, heeded_signals());
  omp_set_num_threads(std::max(1, threads / count));
  return ranks;
}

}  // namespace

std::unique_ptr<ProcessRanks> join_ranks(int to_start) {
  std::unique_ptr<ProcessRanks> ranks = mpi_ranks_of_this_process();
  if (ranks && to_start > 0)
    throw InputError(
        "mpirun has started several ranks, and --ranks or --gpus would start more; take one of both");
  if (to_start > 1) ranks = start_ranks(to_start);
  if (ranks && ranks->rank() > 0 && !std::freopen("/dev/null", "w", stdout))
    throw OutputError("cannot open /dev/null");
  return ranks;
}

}  // namespace wavesim
