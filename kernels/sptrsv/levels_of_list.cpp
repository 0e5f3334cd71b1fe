#include "kernels/sptrsv/levels_of_list.hpp"

#include <algorithm>

#include "kernels/backend/host.hpp"

namespace wavesim {

void levels_of(Host& be, int n, bool forward, Dependencies on, int* level) {
  be.counts().add("depths", 0, false);
  for (int k = 0; k < n; ++k) {
    const int i = forward ? k : n - 1 - k;
    int d = 0;
    for (int e = on.start[i]; e < on.start[i + 1]; ++e)
      if (const int j = on.neighbour[e]; forward ? j < i : j > i) d = std::max(d, level[j] + 1);
    level[i] = d;
  }
}

}  // namespace wavesim
