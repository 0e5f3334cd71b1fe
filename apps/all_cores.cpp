#include "apps/all_cores.hpp"

#include <omp.h>

#include <vector>

namespace wavesim {

cpu_set_t all_cores() {
  cpu_set_t cores;
  sched_getaffinity(0, sizeof cores, &cores);
  if (omp_get_proc_bind() == omp_proc_bind_false) return cores;
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> ids(std::size_t(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, ids.data());
    for (const int id : ids)
      if (id < CPU_SETSIZE) CPU_SET(std::size_t(id), &cores);
  }
  return cores;
}

}  // namespace wavesim
