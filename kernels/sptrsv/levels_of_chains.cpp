#include "kernels/sptrsv/levels_of_chains.hpp"

#include <algorithm>

#include "kernels/backend/host.hpp"

namespace wavesim {

int chains_at_once(Host&) { return 0; }

/// Advances each chain in turn as far as it can: for tests, which also run on a CPU.
void levels_of_chains(Host& be, const ChainRows& chains, bool, Dependencies, int* level) {
  be.counts().add("depths by chains", 0, false);
  std::vector<int> next(chains.start, chains.start + chains.count), above(chains.count, 0);
  /// One more than the level of a row that a row of this chain depends on; 0 if it is not known yet.
  const auto look = [&](int chain, int word) {
    if (ChainWord::is_far(word)) return level[ChainWord::row(word)] + 1;
    const int other = chain / chain_group * chain_group + ChainWord::lane(word);
    return level[chains.row[chains.start[other] + ChainWord::place(word)].row] + 1;
  };
  const auto step = [&](int chain) {
    const ChainRow& r = chains.row[next[chain]];
    int d = above[chain];
    for (const int w : r.other) {
      const int its = ChainWord::is_known(w) ? ChainWord::above(w) : look(chain, w);
      if (its == 0 && !ChainWord::is_known(w)) return false;
      d = std::max(d, its);
    }
    level[r.row] = d;
    above[chain] = d + 1;
    ++next[chain];
    return true;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (int c = 0; c < chains.count; ++c)
      while (next[c] < chains.start[c + 1] && step(c)) moved = true;
  }
}

}  // namespace wavesim
