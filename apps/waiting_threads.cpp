#include "apps/waiting_threads.hpp"

#include <omp.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

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
  // A signal that comes now is one to the program anew.
  if (hold_signals() && setenv("OMP_WAIT_POLICY", "passive", 1) == 0)
    execv(program.c_str(), words);  // comes back if it fails: then they spin
  release_signals();
}

}  // namespace wavesim
