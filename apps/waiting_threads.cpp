#include "apps/waiting_threads.hpp"

#include <omp.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "apps/all_cores.hpp"
#include "apps/signals.hpp"

namespace wavesim {

void let_waiting_threads_sleep(char** words) {
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"})
    if (std::getenv(name)) return;
  if (omp_get_max_threads() == 1) return;
  std::error_code none;
  // not the link itself: the process would bear its name
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  if (none) return;
  // GNU's OpenMP spins for some tenth of a millisecond first: of runs of small grids with 16 threads, whose loops are
  // that short, half of the time was waking up.
  const bool set = setenv("OMP_WAIT_POLICY", "passive", 1) == 0 && setenv("GOMP_SPINCOUNT", "10000", 1) == 0;
  const cpu_set_t cores = all_cores();
  sched_setaffinity(0, sizeof cores, &cores);
  if (set && hold_signals()) execv(program.c_str(), words);  // comes back if it fails: then they spin
  release_signals();
}

}  // namespace wavesim
