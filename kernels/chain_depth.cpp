#include "kernels/chain_depth.hpp"

#include <algorithm>

#include "kernels/host.hpp"

namespace wavesim {

int chains_at_once(Host&, int) { return 0; }

/// Each chain in its turn, as far as it gets: for tests of the deal.
template <int E>
void chain_depths(Host& be, const ChainRows<E>& chains, int, bool forward, Dependencies on, int* depth) {
  be.tally().add("depths by chains", 0, false);
  std::vector<int> next(chains.start, chains.start + chains.count), known(chains.count, 0);
  /// One more than the deepest that the row waits for, or -1.
  const auto resolve = [&](int chain, const ChainRow<E>& r) {
    int d = known[chain];
    const auto raise = [&](int row) {
      if (depth[row] < 0) return false;
      d = std::max(d, depth[row] + 1);
      return true;
    };
    for (const int w : r.other) {
      if (w == ChainWord::nobody) continue;
      if (w == ChainWord::more) {
        for (int k = on.start[r.row]; k < on.start[r.row + 1]; ++k)
          if (const int j = on.neighbour[k]; (forward ? j < r.row : j > r.row) && !raise(j)) return -1;
      } else {
        const int c = chain / chain_group * chain_group + ChainWord::lane(w);
        if (!raise(w < 0 ? ~w : chains.row[chains.start[c] + ChainWord::place(w)].row)) return -1;
      }
    }
    return d;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (int c = 0; c < chains.count; ++c)
      for (; next[c] < chains.start[c + 1]; ++next[c], moved = true) {
        const ChainRow<E>& r = chains.row[next[c]];
        const int d = resolve(c, r);
        if (d < 0) break;
        depth[r.row] = d;
        known[c] = d + 1;
      }
  }
}

template void chain_depths(Host&, const ChainRows<1>&, int, bool, Dependencies, int*);
template void chain_depths(Host&, const ChainRows<3>&, int, bool, Dependencies, int*);

}  // namespace wavesim
